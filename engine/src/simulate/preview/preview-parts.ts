/** Runs each mapping and rule of one authenticator alone, with the server's own function. */
import {
  type LinkedMapping,
  type LinkedPrefixedMapping,
  linkMapping,
} from '../../authenticators/jwt/link-mapping.ts';
import { type MappingOutcome, mapClaims } from '../../authenticators/jwt/map-claims.ts';
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import { usernameExpression } from '../../authenticators/jwt/rejections.ts';
import { planSerialized } from '../../cel/evaluate/plan-serialized.ts';
import type { Decision } from '../../model/decision.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import { reasonWithoutPrefix } from '../whoami/brief-reason.ts';
import { decisionOf } from '../whoami/claims-decision.ts';

/** One mapping or rule with its outcome for a sample. */
export interface PreviewStep {
  /** The path: `jwt[0].claimMappings.username`. */
  readonly path: string;
  readonly kind: 'username' | 'groups' | 'uid' | 'extra' | 'claimRule' | 'userRule';
  readonly outcome: PartOutcome;
  /** Whether a server would get this far; false after the step that rejects. */
  readonly reached: boolean;
}

/** The outcome of one mapping or rule for a sample. */
export type PartOutcome =
  /** The result of a mapping: a string (username, UID) or strings, with prefixes. */
  | { readonly kind: 'value'; readonly value: string | readonly string[] }
  | { readonly kind: 'passed' }
  /** kube-apiserver's log text, and the same without what is clear from the place of the part. */
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly short: string;
      /** `false`: the rule was evaluated and does not hold. `error`: its evaluation failed. */
      readonly cause: 'false' | 'error';
    }
  /** The part was not run: it has an error, or it reads a user that could not be built. */
  | { readonly kind: 'unknown' };

export interface PartsRun {
  /** The decision if parts with errors are ignored. */
  readonly decision: Decision;
  readonly parts: readonly PreviewStep[];
}

export interface PartsOptions {
  readonly credentialIdKey: string | undefined;
  /** Paths of parts with an error in their text. */
  readonly broken: ReadonlySet<string>;
}

/** Returns the paths of all parts, in the order in which a server runs them. */
export const partPaths = (node: JwtNode): readonly string[] =>
  partsOf(linkMapping(node, planSerialized)).map(({ field }) => `${node.id}.${field}`);

export const previewParts = (
  node: JwtNode,
  claims: ClaimSet,
  { credentialIdKey, broken }: PartsOptions,
): PartsRun => {
  const mapping = linkMapping(node, planSerialized);
  const run = (some: LinkedMapping): MappingOutcome =>
    mapClaims(some, claims, { mode: 'product', credentialIdKey });
  const whole = run(mapping);
  const isBroken = (part: Part): boolean => broken.has(`${node.id}.${part.field}`);
  const parts = partsOf(mapping);
  const refusing = whole.kind === 'rejected' ? refusingPart(parts, whole.at, node.id) : undefined;
  const user = parts.some((part) => part.stage < stages.requiredClaim && isBroken(part))
    ? undefined
    : userBeforeRules(mapping, claims, { credentialIdKey });
  return {
    decision: decisionOf(whole),
    parts: parts.map((part) => ({
      path: `${node.id}.${part.field}`,
      kind: part.kind,
      outcome:
        isBroken(part) || (part.kind === 'userRule' && user === undefined)
          ? { kind: 'unknown' }
          : outcomeOf(part, run(part.alone(emptied(mapping), user))),
      reached: refusing === undefined || isReached(part, refusing),
    })),
  };
};

/**
 * Returns the user that the mappings build, whatever the rules say, or `undefined` if a mapping
 * fails.
 */
export const userBeforeRules = (
  mapping: LinkedMapping,
  claims: ClaimSet,
  { credentialIdKey }: Pick<PartsOptions, 'credentialIdKey'>,
): UserInfo | undefined => {
  const outcome = mapClaims(
    { ...mapping, requiredClaims: [], claimRules: [], userRules: [] },
    claims,
    { mode: 'product', credentialIdKey },
  );
  return outcome.kind === 'user' ? outcome.user : undefined;
};

/** One mapping or rule, and a mapping that contains only this part. */
interface Part {
  readonly field: string;
  readonly kind: PreviewStep['kind'];
  /** The order of evaluation: all parts of one stage are evaluated before one of them rejects. */
  readonly stage: number;
  readonly alone: (empty: LinkedMapping, made: UserInfo | undefined) => LinkedMapping;
  /** Returns the part's own value of the user; `undefined` for rules. */
  readonly value: ((user: UserInfo) => string | readonly string[]) | undefined;
}

/** kube-apiserver's order of evaluation: mappings first. */
const stages = { username: 0, groups: 1, uid: 2, extra: 3, requiredClaim: 4, rules: 5, user: 6 };

const partsOf = (mapping: LinkedMapping): readonly Part[] => {
  const { username, groups, uid } = mapping;
  return [
    {
      field: username.field,
      kind: 'username',
      stage: stages.username,
      alone: (empty) => ({ ...empty, username }),
      value: (user) => user.username,
    },
    ...(groups === undefined
      ? []
      : [
          {
            field: groups.field,
            kind: 'groups' as const,
            stage: stages.groups,
            alone: (empty: LinkedMapping) => ({ ...empty, groups }),
            value: (user: UserInfo) => user.groups,
          },
        ]),
    ...(uid === undefined
      ? []
      : [
          {
            field: uid.field,
            kind: 'uid' as const,
            stage: stages.uid,
            alone: (empty: LinkedMapping) => ({ ...empty, uid }),
            value: (user: UserInfo) => user.uid,
          },
        ]),
    ...mapping.extra.map((extra) => ({
      field: extra.field,
      kind: 'extra' as const,
      stage: stages.extra,
      alone: (empty: LinkedMapping) => ({ ...empty, extra: [extra] }),
      value: (user: UserInfo) => user.extra.get(extra.key) ?? [],
    })),
    ...mapping.requiredClaims.map((required, index) => ({
      field: required.field,
      kind: 'claimRule' as const,
      // Required claims are checked one after the other, unlike expressions.
      stage: stages.requiredClaim + index / (mapping.requiredClaims.length + 1),
      alone: (empty: LinkedMapping) => ({ ...empty, requiredClaims: [required] }),
      value: undefined,
    })),
    ...mapping.claimRules.map((rule) => ({
      field: rule.field,
      kind: 'claimRule' as const,
      stage: stages.rules,
      alone: (empty: LinkedMapping) => ({ ...empty, claimRules: [rule] }),
      value: undefined,
    })),
    ...mapping.userRules.map((rule) => ({
      field: rule.field,
      kind: 'userRule' as const,
      stage: stages.user,
      alone: (empty: LinkedMapping, made: UserInfo | undefined) => ({
        ...empty,
        userRules: [rule],
        userVariable: (user: UserInfo) => empty.userVariable(made ?? user),
      }),
      value: undefined,
    })),
  ];
};

const emptied = (mapping: LinkedMapping): LinkedMapping => ({
  ...mapping,
  username: anyName,
  groups: undefined,
  uid: undefined,
  extra: [],
  requiredClaims: [],
  claimRules: [],
  userRules: [],
});

/** A constant username mapping: every user needs a name, and this one reads no claims. */
const anyName: LinkedPrefixedMapping = {
  kind: 'expression',
  field: '',
  rejection: usernameExpression,
  text: '"anyone"',
  serialized: { text: '"anyone"', code: undefined },
  program: {
    evaluate: () => ({ value: 'anyone', error: undefined, cost: 0 }),
    evaluateMetered: () => 'anyone',
  },
};

const outcomeOf = (part: Part, ran: MappingOutcome): PartOutcome => {
  if (ran.kind === 'user') {
    return part.value === undefined
      ? { kind: 'passed' }
      : { kind: 'value', value: part.value(ran.user) };
  }
  const { message } = ran;
  const cause = ran.cause === 'false rule' ? 'false' : 'error';
  return { kind: 'failed', message, short: reasonWithoutPrefix(message), cause };
};

const refusingPart = (parts: readonly Part[], at: string, id: string): Part | undefined =>
  parts.find(({ field }) => `${id}.${field}` === at);

const isReached = (part: Part, refusing: Part): boolean => part.stage <= refusing.stage;
