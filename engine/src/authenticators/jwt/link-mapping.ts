/** Prepares the mappings and rules of a node for evaluation. */

import { setUnstructured } from '../../cel/evaluate/plan/unstructured.ts';
import { planSerialized } from '../../cel/evaluate/plan-serialized.ts';
import type { Program } from '../../cel/evaluate/program.ts';
import type { SerializedExpression } from '../../cel/evaluate/serialize.ts';
import { CelError, type JsonRecord } from '../../cel/values/value.ts';
import { goTypeError } from '../../formats/go-json.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { type JsonObject, type JsonValue, ownMember } from '../../formats/json-with-shape.ts';
import type { RejectionKind } from '../../model/rejection.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import type { JwtNode } from './node.ts';
import { readsExtra } from './reads-extra.ts';
import {
  claimRule,
  extraExpression,
  groupsClaim,
  groupsExpression,
  requiredClaimType,
  uidClaim,
  uidExpression,
  usernameClaim,
  usernameExpression,
  userRule,
} from './rejections.ts';

/** Creates a program for an expression of the graph. */
export type PlanExpression = (expression: SerializedExpression) => Program;

/** Rejects a token for the value of a claim. */
type ClaimRejection = RejectionKind<[problem: string, claim: string]>;

/** Rejects a token for the result of an expression. */
type ExpressionRejection = RejectionKind<[problem: string]>;

export interface LinkedExpression {
  /** The path in the node: `claimValidationRules[1]`. */
  readonly field: string;
  readonly rejection: ExpressionRejection;
  readonly text: string;
  readonly program: Program;
  readonly serialized: SerializedExpression;
}

export interface LinkedClaim {
  /** The path in the node: `claimValidationRules[1]`. */
  readonly field: string;
  readonly rejection: ClaimRejection;
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
  readonly userVariable: (user: UserInfo) => JsonRecord;
}

/**
 * Shares one program among equal expressions. Many authenticators have the same expressions, and
 * shared programs stay in the processor's caches. Programs do not run concurrently, so sharing them
 * is safe.
 */
export const memoizedPlan = (): PlanExpression => {
  const programs = new Map<string, Program>();
  return (serialized) => {
    const key = JSON.stringify(serialized.code);
    const program = programs.get(key) ?? planSerialized(serialized);
    programs.set(key, program);
    return program;
  };
};

/** Plans every expression of the node and assigns the rejections of its fields. */
export const linkMapping = (
  node: JwtNode,
  plan: PlanExpression = planSerialized,
): LinkedMapping => {
  const linkExpression: Linker = (serialized, field, rejection) => ({
    text: serialized.text,
    program: plan(serialized),
    serialized,
    field,
    rejection,
  });
  const requiredClaims: LinkedRequiredClaim[] = [];
  const claimRules: LinkedRule[] = [];
  for (const [index, rule] of node.claimValidationRules.entries()) {
    const field = `claimValidationRules[${index}]`;
    if (rule.kind === 'claim') {
      const claim = linkClaim(rule.claim, field, requiredClaimType);
      requiredClaims.push({ ...claim, requiredValue: rule.requiredValue });
    } else {
      const linked = linkExpression(rule.expression, field, claimRule);
      claimRules.push({ ...linked, message: rule.message });
    }
  }
  const extra = node.extra.map(({ key, expression }, index) => ({
    ...linkExpression(expression, `claimMappings.extra[${index}]`, extraExpression),
    key,
  }));
  const needsExtra = node.userValidationRules.some(({ expression }) => readsExtra(expression));
  return {
    id: node.id,
    username: linkPrefixed(node.username, linkExpression, {
      field: 'claimMappings.username',
      ofClaim: usernameClaim,
      ofExpression: usernameExpression,
    }),
    groups:
      node.groups &&
      linkPrefixed(node.groups, linkExpression, {
        field: 'claimMappings.groups',
        ofClaim: groupsClaim,
        ofExpression: groupsExpression,
      }),
    uid:
      node.uid &&
      linkPrefixed(node.uid, linkExpression, {
        field: 'claimMappings.uid',
        ofClaim: uidClaim,
        ofExpression: uidExpression,
      }),
    extra,
    requiredClaims,
    claimRules,
    userRules: node.userValidationRules.map(({ expression, message }, index) => ({
      ...linkExpression(expression, `userValidationRules[${index}]`, userRule),
      message,
    })),
    hasExpressions:
      claimRules.length > 0 ||
      extra.length > 0 ||
      [node.username, node.groups, node.uid].some((mapping) => mapping?.kind === 'expression'),
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

type Linker = (
  serialized: SerializedExpression,
  field: string,
  rejection: ExpressionRejection,
) => LinkedExpression;

const linkClaim = (claim: string, field: string, rejection: ClaimRejection): LinkedClaim => ({
  claim,
  isInherited: claim in Object.prototype,
  field,
  rejection,
});

/** The value of `user.extra` if no expression reads it. */
const omittedExtra: JsonObject = {};

/**
 * Returns the claims for expressions. A claim with a number beyond the range of a double is an
 * error only if it is read, so an error value takes its place.
 */
export const readableClaims = ({ claims, unreadable, withIntegers }: ClaimSet): JsonRecord => {
  const variable = withErrors(claims, unreadable);
  // Only older releases read it.
  if (withIntegers !== undefined) setUnstructured(variable, withErrors(withIntegers, unreadable));
  return variable;
};

const rangeError = (literal: string): string => goTypeError(`number ${literal}`, 'float64');

/**
 * Returns the error of older releases, which convert all claims before an expression reads one;
 * `undefined` if all can be converted.
 */
export const conversionError = ({ claims, unreadable }: ClaimSet): string | undefined => {
  for (const [name, literal] of unreadable) {
    const value = claims[name];
    const isContainer = typeof value === 'object';
    const kind = isContainer ? (Array.isArray(value) ? 'array' : 'object') : 'number';
    const error = isContainer
      ? `strconv.ParseFloat: parsing ${goQuote(literal)}: value out of range`
      : rangeError(literal);
    return `error decoding ${kind} from json: ${error}`;
  }
  return undefined;
};

const withErrors = (claims: JsonRecord, unreadable: ClaimSet['unreadable']): JsonRecord => {
  if (unreadable.size === 0) return claims;
  const members: readonly (readonly unknown[])[] = Object.entries(claims).map(([name, value]) => {
    const literal = unreadable.get(name);
    if (literal === undefined) return [name, value];
    const error = rangeError(literal);
    return [name, new CelError(`claim ${goQuote(name)} failed to unmarshal: ${error}`)];
  });
  return Object.fromEntries(members);
};

interface MappingRejections {
  readonly field: string;
  readonly ofClaim: ClaimRejection;
  readonly ofExpression: ExpressionRejection;
}

const linkPrefixed = (
  mapping: JwtNode['username'] | NonNullable<JwtNode['uid']>,
  linkExpression: Linker,
  { field, ofClaim, ofExpression }: MappingRejections,
): LinkedPrefixedMapping => {
  if (mapping.kind === 'expression') {
    return { kind: 'expression', ...linkExpression(mapping.expression, field, ofExpression) };
  }
  const prefix = 'prefix' in mapping ? mapping.prefix : '';
  return { kind: 'claim', prefix, ...linkClaim(mapping.claim, field, ofClaim) };
};
