/** Prepares the mappings and rules of a node for evaluation. */
import type { Program } from '../../cel/evaluate/program.ts';
import type { SerializedExpression } from '../../cel/evaluate/serialize.ts';
import { CelError, type JsonRecord } from '../../cel/values/value.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { type JsonObject, type JsonValue, ownMember } from '../../formats/json-with-shape.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import type { JwtNode } from './node.ts';
import { readsExtra } from './reads-extra.ts';

/** Creates a program for an expression of the graph. */
export type PlanExpression = (expression: SerializedExpression) => Program;

/** A field of the node and the prefix of its error messages. */
interface ErrorContext {
  /** The path in the node: `claimValidationRules[1]`. */
  readonly field: string;
  readonly errorPrefix: string;
}

export interface LinkedExpression extends ErrorContext {
  readonly text: string;
  readonly program: Program;
  readonly serialized: SerializedExpression;
}

export interface LinkedClaim extends ErrorContext {
  readonly claim: string;
  /** True if `Object.prototype` has a member of that name, so that only an own member counts. */
  readonly isInherited: boolean;
}

export type LinkedPrefixedMapping =
  | (LinkedClaim & { readonly kind: 'claim'; readonly prefix: string })
  | (LinkedExpression & { readonly kind: 'expression' });

export interface LinkedRule extends LinkedExpression {
  readonly message: string;
}

export interface LinkedExtra extends LinkedExpression {
  readonly key: string;
}

export interface LinkedRequiredClaim extends LinkedClaim {
  readonly requiredValue: string;
}

export interface LinkedMapping {
  /** The ID of the node: `jwt[0]`. */
  readonly id: string;
  readonly username: LinkedPrefixedMapping;
  readonly groups: LinkedPrefixedMapping | undefined;
  readonly uid: LinkedPrefixedMapping | undefined;
  readonly extra: readonly LinkedExtra[];
  readonly requiredClaims: readonly LinkedRequiredClaim[];
  readonly claimRules: readonly LinkedRule[];
  readonly userRules: readonly LinkedRule[];
  /** True if any expression reads the claims. */
  readonly hasExpressions: boolean;
  readonly claimsVariable: (claims: ClaimSet) => JsonRecord;
  readonly userVariable: (user: UserInfo) => JsonRecord;
}

/**
 * Shares one program among equal expressions. Many authenticators have the same expressions, and
 * shared programs stay in the processor's caches. Programs do not run concurrently, so sharing them
 * is safe.
 */
export const memoizePlan = (plan: PlanExpression): PlanExpression => {
  const programs = new Map<string, Program>();
  return (serialized) => {
    const key = JSON.stringify(serialized.code);
    const program = programs.get(key) ?? plan(serialized);
    programs.set(key, program);
    return program;
  };
};

/** Plans every expression of the node and prepares the error prefixes of its fields. */
export const linkMapping = (node: JwtNode, plan: PlanExpression): LinkedMapping => {
  const linkExpression: Linker = (serialized, field, frame) => ({
    text: serialized.text,
    program: plan(serialized),
    serialized,
    field,
    errorPrefix: frame,
  });
  const requiredClaims: LinkedRequiredClaim[] = [];
  const claimRules: LinkedRule[] = [];
  for (const [index, rule] of node.claimValidationRules.entries()) {
    const field = `claimValidationRules[${index}]`;
    if (rule.kind === 'claim') {
      const claim = linkClaim(rule.claim, field, `oidc: parse claim ${rule.claim}: `);
      requiredClaims.push({ ...claim, requiredValue: rule.requiredValue });
    } else {
      const frame = 'oidc: error evaluating claim validation expression: ';
      claimRules.push({ ...linkExpression(rule.expression, field, frame), message: rule.message });
    }
  }
  const extra = node.extra.map(({ key, expression }, index) => ({
    ...linkExpression(expression, `claimMappings.extra[${index}]`, ''),
    key,
  }));
  const needsExtra = node.userValidationRules.some(({ expression }) => readsExtra(expression));
  return {
    id: node.id,
    username: linkPrefixed(node.username, linkExpression, {
      field: 'claimMappings.username',
      claimPrefix: 'oidc: parse username claims',
      expressionPrefix: 'oidc: error evaluating username claim expression: ',
    }),
    groups:
      node.groups &&
      linkPrefixed(node.groups, linkExpression, {
        field: 'claimMappings.groups',
        claimPrefix: 'oidc: parse groups claim',
        expressionPrefix: 'oidc: error evaluating group claim expression: ',
      }),
    uid:
      node.uid &&
      linkPrefixed(node.uid, linkExpression, {
        field: 'claimMappings.uid',
        claimPrefix: 'oidc: parse uid claim',
        expressionPrefix: 'oidc: error evaluating uid claim expression: ',
      }),
    extra,
    requiredClaims,
    claimRules,
    userRules: node.userValidationRules.map(({ expression, message }, index) => ({
      ...linkExpression(
        expression,
        `userValidationRules[${index}]`,
        'oidc: error evaluating user info validation rule: ',
      ),
      message,
    })),
    hasExpressions:
      claimRules.length > 0 ||
      extra.length > 0 ||
      [node.username, node.groups, node.uid].some((mapping) => mapping?.kind === 'expression'),
    claimsVariable: readableClaims,
    userVariable: (user) => ({
      username: user.username,
      uid: user.uid,
      groups: user.groups,
      extra: needsExtra ? Object.fromEntries(user.extra) : omittedExtra,
    }),
  };
};

/**
 * Returns the claim's value, or `undefined` if the token lacks it. The claims come from
 * `JSON.parse`.
 */
export const claimOf = (
  claims: JsonObject,
  { claim, isInherited }: LinkedClaim,
): JsonValue | undefined => (isInherited ? ownMember(claims, claim) : claims[claim]);

type Linker = (serialized: SerializedExpression, field: string, frame: string) => LinkedExpression;

const linkClaim = (claim: string, field: string, frame: string): LinkedClaim => ({
  claim,
  isInherited: claim in Object.prototype,
  field,
  errorPrefix: frame,
});

/** The value of `user.extra` if no expression reads it. */
const omittedExtra: JsonObject = {};

/**
 * Returns the claims for expressions. A claim with a number beyond the range of a double is an
 * error only if it is read, so an error value takes its place.
 */
export const readableClaims = ({ claims, unreadable }: ClaimSet): JsonObject => {
  if (unreadable.size === 0) return claims;
  const members: readonly (readonly unknown[])[] = Object.entries(claims).map(([name, value]) => {
    const error = unreadable.get(name);
    if (error === undefined) return [name, value];
    return [name, new CelError(`claim ${goQuote(name)} failed to unmarshal: ${error}`)];
  });
  return Object.fromEntries(members);
};

interface ErrorPrefixes {
  readonly field: string;
  readonly claimPrefix: string;
  readonly expressionPrefix: string;
}

const linkPrefixed = (
  mapping: JwtNode['username'] | NonNullable<JwtNode['uid']>,
  linkExpression: Linker,
  { field, claimPrefix, expressionPrefix }: ErrorPrefixes,
): LinkedPrefixedMapping => {
  if (mapping.kind === 'expression') {
    return { kind: 'expression', ...linkExpression(mapping.expression, field, expressionPrefix) };
  }
  const { claim } = mapping;
  const prefix = 'prefix' in mapping ? mapping.prefix : '';
  return {
    kind: 'claim',
    prefix,
    ...linkClaim(claim, field, `${claimPrefix} ${goQuote(claim)}: `),
  };
};
