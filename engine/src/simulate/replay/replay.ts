/** Compares recorded decisions with those of another configuration. */
import { keyProbe, shownStrings, systemStart } from '../../authenticators/jwt/claim-record.ts';
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import { credentialIdKey } from '../../model/api-domain.ts';
import type { Decision } from '../../model/decision.ts';
import { privilegedGroup, type UserInfo } from '../../model/user-info.ts';
import { mappingText } from '../access/access-part.ts';
import type { AccessChangeKind, AccessPlace } from '../access/access-result.ts';
import {
  type Comparison,
  compareTexts,
  compareUsers,
  type IsExcluded,
  type KnownUser,
  type UserField,
} from './compare-users.ts';
import {
  type ClaimsToDecide,
  linkRecordDecider,
  type RecordAuthenticator,
} from './decide-record.ts';
import type { RecordedDecision } from './read-record.ts';

/** A graph and its hash, which names it in a decision log. */
export interface ReplaySide {
  readonly graph: AuthenticatorGraph;
  readonly hash: string;
}

/** The configurations of a replay, and the key of the pseudonyms. */
export interface ReplaySides {
  readonly after: ReplaySide;
  /** The configuration that wrote the log, if it is known. */
  readonly before: ReplaySide | undefined;
  /** Returns the pseudonym of a string, if the key is known. */
  readonly pseudonym: ((text: string) => string) | undefined;
}

/** The field that causes a change, without its position. */
export interface ReplayCause extends Pick<AccessPlace, 'side' | 'at'> {
  readonly rule: string;
}

/** The fields of an identity that a log contains only if flags turn them on. */
export type OptionalField = 'groups' | 'extra';

/** The result of replaying a recorded decision. */
export type ReplayOutcome =
  | { readonly kind: 'same' }
  | {
      readonly kind: AccessChangeKind;
      readonly cause: ReplayCause;
      readonly before: Decision;
      readonly after: Decision;
      /** The fields before the change that are neither logged nor computed; they are empty in `before`. */
      readonly unknown: readonly OptionalField[];
      readonly fullControl: FullControl;
    }
  | { readonly kind: 'undecided'; readonly reason: string; readonly fullControl: FullControl };

/** Whether the user becomes a member of `system:masters`. */
export type FullControl = 'gained' | 'possible' | 'no';

/** Links the configurations. */
export const linkReplay = (sides: ReplaySides): ((record: RecordedDecision) => ReplayOutcome) => {
  const run = new Replay(sides);
  return (record) => run.replay(record);
};

/**
 * Links two configurations, and returns the function that compares their decisions about the claims
 * of a log, whatever the log says about them. Signatures are not checked.
 */
export const linkRecordComparer = (
  sides: Pick<ReplaySides, 'after'> & { readonly before: ReplaySide },
): ((record: RecordedDecision) => ReplayOutcome) => {
  const run = new Replay({ ...sides, pseudonym: undefined });
  return (record) => run.compareSides(record);
};

const same: ReplayOutcome = { kind: 'same' };

class Replay {
  readonly #sides: ReplaySides;
  readonly #after;
  readonly #before;
  readonly #stringByPseudonym: ReadonlyMap<string, string>;
  readonly #keyId: string | undefined;
  readonly #allLiterals: ReadonlySet<string>;

  constructor(sides: ReplaySides) {
    const { after, before, pseudonym } = sides;
    this.#sides = sides;
    this.#after = linkRecordDecider(after.graph);
    this.#before = before && linkRecordDecider(before.graph);
    this.#allLiterals = new Set([...this.#after.literals, ...(this.#before?.literals ?? [])]);
    this.#keyId = pseudonym?.(keyProbe);
    this.#stringByPseudonym = new Map(
      pseudonym === undefined
        ? []
        : [...this.#allLiterals].map((text) => [pseudonym(text), text] as const),
    );
  }

  replay(record: RecordedDecision): ReplayOutcome {
    const outcome = this.#compare(record);
    // A graph always decides alike, also about values that are not in the log.
    return outcome.kind === 'undecided' && record.graph === this.#sides.after.hash ? same : outcome;
  }

  compareSides(record: RecordedDecision): ReplayOutcome {
    const { claims } = record;
    const old = claims && this.#before?.authenticatorOf(claims);
    if (claims === undefined) return this.#compare(record);
    if (old !== undefined && 'reason' in old) return undecided(old.reason);
    const decided = old?.decide(this.#toDecide(record, claims));
    if (decided?.kind === 'open') {
      const found = this.#after.authenticatorOf(claims);
      const isSame = found !== undefined && !('reason' in found) && found.key === old?.key;
      return isSame ? same : undecided(decided.reason);
    }
    const decision = decided?.decision;
    const outcome: RecordedDecision['outcome'] =
      decision?.kind === 'accepted'
        ? { kind: 'accepted', ...decision.user }
        : { kind: 'rejected', code: '', at: anyField };
    return this.#compare({ ...record, outcome }, record);
  }

  /** `logged` is what the line contains, if another decision about its claims is compared. */
  #compare(record: RecordedDecision, logged = record): ReplayOutcome {
    const { claims, omitted, outcome } = record;
    if (claims === undefined) {
      return undecided(
        omitted === undefined
          ? 'the line has no claims; the server writes them with --decision-log-claims'
          : `the line has no claims: they are ${omitted === 'size' ? 'too large' : 'malformed'}`,
      );
    }
    const authenticator = this.#after.authenticatorOf(claims);
    if (authenticator === undefined) {
      const rule = `no authenticator has the issuer of the token`;
      return outcome.kind === 'rejected'
        ? same
        : lost(record, { side: 'after', at: 'jwt', rule }, { kind: 'noOpinion' });
    }
    if ('reason' in authenticator) return undecided(authenticator.reason);
    const old = this.#authenticatorBefore(record);
    if (old?.key === authenticator.key) return same;
    const toDecide = this.#toDecide(record, claims);
    const decided = authenticator.decide(toDecide);
    if (decided.kind === 'open') return undecided(decided.reason);
    const { decision } = decided;
    if (outcome.kind === 'rejected') {
      if (decision.kind !== 'accepted') return same;
      return this.#gained(record, decision, old, this.#excludedBy(logged, toDecide));
    }
    if (decision.kind !== 'accepted') {
      const place = decision.kind === 'rejected' ? decision.reason.at : undefined;
      const at = place ?? authenticator.node.id;
      // The server has checked the times of an accepted token.
      return lost(record, { side: 'after', at, rule: ruleAt(authenticator.node, at) }, decision);
    }
    const isExcluded = this.#excludedBy(logged, toDecide);
    return compareAccepted(record, decision, { authenticator, old, toDecide, isExcluded });
  }

  /** Returns the authenticator that made the decision, if its configuration is known. */
  #authenticatorBefore({ graph, claims }: RecordedDecision): RecordAuthenticator | undefined {
    if (this.#before === undefined || claims === undefined) return undefined;
    if (this.#sides.before?.hash !== graph) return undefined;
    const found = this.#before.authenticatorOf(claims);
    return found === undefined || 'reason' in found ? undefined : found;
  }

  #toDecide(
    { time, graph, claimsKey }: RecordedDecision,
    claims: ClaimsToDecide['claims'],
  ): ClaimsToDecide {
    const { after, before } = this.#sides;
    if (claimsKey !== undefined && claimsKey === this.#keyId) {
      const known = this.#stringByPseudonym;
      return { claims, time, absent: this.#allLiterals, stringOf: (text) => known.get(text) };
    }
    const absent =
      graph === after.hash
        ? this.#after.literals
        : graph === before?.hash
          ? (this.#before?.literals ?? none)
          : none;
    return { claims, time, absent, stringOf: () => undefined };
  }

  #gained(
    { outcome }: RecordedDecision,
    decision: Extract<Decision, { kind: 'accepted' }>,
    old: RecordAuthenticator | undefined,
    isExcluded: IsExcluded,
  ): ReplayOutcome {
    if (outcome.kind !== 'rejected') return same;
    const { code, at } = outcome;
    // Only a token whose signature is valid reaches the mappings and rules of an authenticator.
    if (!at.includes('.')) {
      return undecided('the signature is not known to be valid: the token was rejected before');
    }
    const rule = old === undefined ? code : ruleAt(old.node, at);
    const before: Decision = { kind: 'rejected', by: 'jwt', reason: { code, message: code, at } };
    const cause: ReplayCause = { side: 'before', at, rule };
    const fullControl = fullControlOf([], decision.user.groups, isExcluded);
    return { kind: 'gained', cause, before, after: decision, unknown: [], fullControl };
  }

  /** Returns which strings are certainly not missing: a log contains them wherever they occur. */
  #excludedBy({ outcome, graph }: RecordedDecision, { absent }: ClaimsToDecide): IsExcluded {
    const literals = graph === this.#sides.before?.hash ? this.#before?.literals : undefined;
    const shown =
      outcome.kind === 'accepted' ? shownStrings(outcome, literals ?? new Set([''])) : none;
    return (text) => absent.has(text) || shown.has(text) || text.startsWith(systemStart);
  }
}

/** Compares the identity in the log with the one that the new configuration gives the claims. */
const compareAccepted = (
  { outcome }: RecordedDecision,
  decision: Extract<Decision, { kind: 'accepted' }>,
  {
    authenticator,
    old,
    toDecide,
    isExcluded,
  }: {
    readonly authenticator: RecordAuthenticator;
    readonly old: RecordAuthenticator | undefined;
    readonly toDecide: ClaimsToDecide;
    readonly isExcluded: IsExcluded;
  },
): ReplayOutcome => {
  if (outcome.kind !== 'accepted') return same;
  const { user } = decision;
  const recorded: KnownUser = { ...outcome, extra: withoutTokenId(outcome.extra) };
  const computed = userBefore(old, toDecide);
  const comparisons = bestOf(
    compareUsers(recorded, user, isExcluded),
    computed && compareUsers(computed, user, isExcluded),
  );
  const fullControl =
    comparisons.groups.kind === 'same'
      ? 'no'
      : fullControlOf(recorded.groups ?? computed?.groups, user.groups, isExcluded);
  const fields = userFields.filter((field) => comparisons[field].kind === 'different');
  const [changed] = fields;
  if (changed !== undefined) {
    const at = `${authenticator.node.id}.claimMappings.${changed}`;
    const rule = ruleAt(authenticator.node, at);
    const known = { ...computed, ...withoutUnknown(recorded) };
    return {
      kind: 'changed',
      cause: { side: 'after', at, rule },
      before: { ...decision, user: { ...emptyUser, ...known } },
      after: decision,
      unknown: unknownFields(known),
      fullControl,
    };
  }
  const open = userFields.find((field) => comparisons[field].kind === 'open');
  return open === undefined ? same : undecided(openReason(open, comparisons[open]), fullControl);
};

const userFields: readonly UserField[] = ['username', 'uid', 'groups', 'extra'];

const none: ReadonlySet<string> = new Set();

/** The place of a rejection of a token whose signature is not checked. */
const anyField = 'jwt.claims';

const undecided = (reason: string, fullControl: FullControl = 'no'): ReplayOutcome => ({
  kind: 'undecided',
  reason,
  fullControl,
});

/** Returns whether groups that may contain placeholders gain `system:masters`; unknown groups are `undefined`. */
const fullControlOf = (
  before: readonly string[] | undefined,
  after: readonly string[],
  isExcluded: IsExcluded,
): FullControl => {
  const isMember = (groups: readonly string[] | undefined) =>
    groups?.includes(privilegedGroup) === true;
  const canBeMember = (groups: readonly string[]) =>
    groups.some((group) => compareTexts(group, privilegedGroup, isExcluded).kind !== 'different');
  if (isMember(before) || !canBeMember(after)) return 'no';
  const wasNot = before !== undefined && !canBeMember(before);
  return wasNot && isMember(after) ? 'gained' : 'possible';
};

const lost = (
  { outcome }: RecordedDecision,
  cause: ReplayCause,
  after: Decision,
): ReplayOutcome => {
  if (outcome.kind !== 'accepted') return same;
  const known = withoutUnknown(outcome);
  const user = { ...emptyUser, ...known };
  const before: Decision = { kind: 'accepted', by: 'jwt', audiences: [], user };
  const unknown = unknownFields(known);
  return { kind: 'lost', cause, before, after, unknown, fullControl: 'no' };
};

const emptyUser: UserInfo = { username: '', uid: '', groups: [], extra: new Map() };

/** Returns the fields that the log contains. */
const withoutUnknown = ({ username, uid, groups, extra }: KnownUser): Partial<UserInfo> => ({
  username,
  uid,
  ...(groups === undefined ? {} : { groups }),
  ...(extra === undefined ? {} : { extra }),
});

const unknownFields = (known: Partial<UserInfo>): readonly OptionalField[] =>
  (['groups', 'extra'] as const).filter((field) => known[field] === undefined);

/** Returns the identity that the old configuration gives the claims, if it can be decided. */
const userBefore = (
  old: RecordAuthenticator | undefined,
  toDecide: ClaimsToDecide,
): UserInfo | undefined => {
  const decided = old?.decide(toDecide);
  return decided?.kind === 'decided' && decided.decision.kind === 'accepted'
    ? decided.decision.user
    : undefined;
};

/** Returns for each field the comparison that is not open, if there is one. */
const bestOf = (
  first: Readonly<Record<UserField, Comparison>>,
  second: Readonly<Record<UserField, Comparison>> | undefined,
): Readonly<Record<UserField, Comparison>> => {
  if (second === undefined) return first;
  const better = (field: UserField): Comparison =>
    first[field].kind === 'open' ? second[field] : first[field];
  return {
    username: better('username'),
    uid: better('uid'),
    groups: better('groups'),
    extra: better('extra'),
  };
};

/** The ID of a token is part of the extra values, and is not in the claims of a log. */
const withoutTokenId = (extra: UserInfo['extra'] | undefined): UserInfo['extra'] | undefined =>
  extra && new Map([...extra].filter(([key]) => !key.endsWith(idKeyEnd)));

const idKeyEnd = credentialIdKey('').slice(credentialIdKey('').indexOf('/'));

const openReason = (field: UserField, comparison: Comparison): string => {
  const [claim] = comparison.kind === 'open' ? comparison.claims : [];
  if (claim !== undefined) return `the log does not contain the value of claim ${claim}`;
  const flag = field === 'groups' ? 'groups' : 'extra';
  return `the log does not contain the ${field} of the user; use --old, or serve with --decision-log-${flag}`;
};

/** Returns what a field of an authenticator contains. */
const ruleAt = (node: JwtNode, at: string): string => {
  const field = at.slice(node.id.length + 1);
  const [, list, index = ''] = /^(\w+|claimMappings\.extra)\[(\d+)\]$/.exec(field) ?? [];
  switch (list ?? field) {
    case 'claimValidationRules': {
      const rule = node.claimValidationRules[Number(index)];
      if (rule === undefined) return field;
      return rule.kind === 'claim' ? `${rule.claim}: ${rule.requiredValue}` : rule.expression.text;
    }
    case 'userValidationRules':
      return node.userValidationRules[Number(index)]?.expression.text ?? field;
    case 'claimMappings.extra':
      return node.extra[Number(index)]?.expression.text ?? 'extra';
    case 'claimMappings.username':
      return mappingText(node.username);
    case 'claimMappings.groups':
      return node.groups === undefined ? 'no groups' : mappingText(node.groups);
    case 'claimMappings.uid':
      return node.uid === undefined ? 'no UID' : mappingText(node.uid);
    default:
      return field === '' ? 'the checks of issuer, audience and times' : field;
  }
};
