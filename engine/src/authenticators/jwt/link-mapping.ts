/** The mapping half of a node with its expressions made ready to run. */
import { VariableMap } from '../../cel/map-value.ts';
import type { Program } from '../../cel/program.ts';
import type { SerializedExpression } from '../../cel/serialize.ts';
import { CelError, type CelValue } from '../../cel/value.ts';
import { goQuote } from '../../formats/go-quote.ts';
import type { JsonObject } from '../../formats/json.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import type { JwtNode } from './node.ts';
import { readsExtra } from './reads-extra.ts';

/** Makes a program of an expression of the graph. */
export type PlanExpression = (expression: SerializedExpression) => Program;

export interface LinkedExpression {
  readonly text: string;
  readonly program: Program;
  readonly serialized: SerializedExpression;
}

export type LinkedPrefixedMapping =
  | { readonly kind: 'claim'; readonly claim: string; readonly prefix: string }
  | { readonly kind: 'expression'; readonly expression: LinkedExpression };

export interface LinkedRule {
  readonly expression: LinkedExpression;
  readonly message: string;
  /** `claimValidationRules[1]` */
  readonly field: string;
}

export interface LinkedExtra {
  readonly key: string;
  readonly expression: LinkedExpression;
  /** `claimMappings.extra[1]` */
  readonly field: string;
}

export interface LinkedMapping {
  /** `jwt[0]` */
  readonly id: string;
  readonly username: LinkedPrefixedMapping;
  readonly groups: LinkedPrefixedMapping | undefined;
  readonly uid:
    | { readonly kind: 'claim'; readonly claim: string }
    | { readonly kind: 'expression'; readonly expression: LinkedExpression }
    | undefined;
  readonly extra: readonly LinkedExtra[];
  readonly requiredClaims: readonly {
    readonly claim: string;
    readonly requiredValue: string;
    readonly field: string;
  }[];
  readonly claimRules: readonly LinkedRule[];
  readonly userRules: readonly LinkedRule[];
  /** Whether any expression reads the claims. */
  readonly hasExpressions: boolean;
  readonly claimsVariable: (claims: ClaimSet) => CelValue;
  readonly userVariable: (user: UserInfo) => CelValue;
}

/** Plans every expression of the node once. */
export const linkMapping = (node: JwtNode, plan: PlanExpression): LinkedMapping => {
  const linked = (serialized: SerializedExpression): LinkedExpression => ({
    text: serialized.text,
    program: plan(serialized),
    serialized,
  });
  const requiredClaims: { claim: string; requiredValue: string; field: string }[] = [];
  const claimRules: LinkedRule[] = [];
  for (const [index, rule] of node.claimValidationRules.entries()) {
    const field = `claimValidationRules[${index}]`;
    if (rule.kind === 'claim') {
      requiredClaims.push({ claim: rule.claim, requiredValue: rule.requiredValue, field });
    } else {
      claimRules.push({ expression: linked(rule.expression), message: rule.message, field });
    }
  }
  const extra = node.extra.map(({ key, expression }, index) => ({
    key,
    expression: linked(expression),
    field: `claimMappings.extra[${index}]`,
  }));
  const needsExtra = node.userValidationRules.some(({ expression }) => readsExtra(expression));
  return {
    id: node.id,
    username: linkPrefixed(node.username, linked),
    groups: node.groups && linkPrefixed(node.groups, linked),
    uid:
      node.uid?.kind === 'expression'
        ? { kind: 'expression', expression: linked(node.uid.expression) }
        : node.uid,
    extra,
    requiredClaims,
    claimRules,
    userRules: node.userValidationRules.map(({ expression, message }, index) => ({
      expression: linked(expression),
      message,
      field: `userValidationRules[${index}]`,
    })),
    hasExpressions:
      claimRules.length > 0 ||
      extra.length > 0 ||
      [node.username, node.groups, node.uid].some((mapping) => mapping?.kind === 'expression'),
    claimsVariable: (claims) => new VariableMap('kubernetes.claims', readableClaims(claims)),
    userVariable: (user) =>
      new VariableMap('kubernetes.UserInfo', {
        username: user.username,
        uid: user.uid,
        groups: user.groups,
        extra: needsExtra ? Object.fromEntries(user.extra) : unread,
      }),
  };
};

/** Stands where no expression looks. */
const unread: JsonObject = {};

/**
 * A claim with a number beyond a double is an error to whoever reads it, and only then. Errors are
 * values inside expressions, so one stands in the claim's place.
 */
const readableClaims = ({ claims, unreadable }: ClaimSet): JsonObject => {
  if (unreadable.size === 0) return claims;
  const members: readonly (readonly unknown[])[] = Object.entries(claims).map(([name, value]) => {
    const error = unreadable.get(name);
    if (error === undefined) return [name, value];
    return [name, new CelError(`claim ${goQuote(name)} failed to unmarshal: ${error}`)];
  });
  return Object.fromEntries(members);
};

const linkPrefixed = (
  mapping: JwtNode['username'],
  linked: (serialized: SerializedExpression) => LinkedExpression,
): LinkedPrefixedMapping =>
  mapping.kind === 'expression'
    ? { kind: 'expression', expression: linked(mapping.expression) }
    : mapping;
