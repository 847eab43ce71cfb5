/** What the lines of decision logs show: counts, and groups of decisions with the same cause. */
import type { Decision } from '../../model/decision.ts';
import { accessChange, userOf } from '../../simulate/difference/diff.ts';
import { withClaimNames } from '../../simulate/replay/recorded-claims.ts';
import type { OptionalField, ReplayCause, ReplayOutcome } from '../../simulate/replay/replay.ts';

/** The kinds of results other than "same", in the order in which they are reported. */
const replayKinds = ['lost', 'gained', 'changed', 'undecided'] as const;

export type ReplayKind = (typeof replayKinds)[number];

/** Decisions with the same outcome and the same cause. */
export interface ReplayGroup {
  readonly kind: ReplayKind;
  /** The field that causes a change; absent for undecided ones. */
  readonly cause?: ReplayCause;
  /** Why it is undecided; absent for changes. */
  readonly reason?: string;
  count: number;
  readonly examples: ReplayExample[];
}

/** One decision. */
export interface ReplayExample {
  readonly file: string;
  /** The number of the line, counted from 1. */
  readonly line: number;
  /** The decision in the log and the new one, in one line each; absent for undecided ones. */
  readonly change?: {
    readonly before: string;
    readonly after: string;
    readonly details: readonly string[];
  };
}

/** The place of a line. */
type LinePlace = Pick<ReplayExample, 'file' | 'line'>;

/** The most examples of a group, and the most groups. */
const maxExamples = 3;
const maxGroups = 200;
/** The most details of an example and characters of each, and the most malformed lines that are named. */
const maxDetails = 5;
const maxDetailLength = 500;
const maxMalformed = 10;

/** Adds up outcomes; its size does not depend on the number of lines. */
export class ReplayResult {
  lines = 0;
  /** The decisions about JWTs. */
  decisions = 0;
  same = 0;
  /** The decisions that become a member of `system:masters`, and those that may become one. */
  fullControl = 0;
  possibleFullControl = 0;
  /** The decisions that no JWT authenticator made. */
  skipped = 0;
  /** The decisions whose pseudonyms have a key other than the given one. */
  otherKey = 0;
  /** The decisions of a configuration other than the two that are given. */
  otherConfiguration = 0;
  malformed = 0;
  readonly malformedLines: LinePlace[] = [];
  readonly counts: Record<ReplayKind, number> = { lost: 0, gained: 0, changed: 0, undecided: 0 };
  readonly #groups = new Map<string, ReplayGroup>();

  /** Returns the groups, the largest of each kind first. */
  get groups(): readonly ReplayGroup[] {
    return replayKinds.flatMap((kind) =>
      [...this.#groups.values()]
        .filter((group) => group.kind === kind)
        .sort((a, b) => b.count - a.count),
    );
  }

  addMalformed(place: LinePlace): void {
    this.malformed++;
    if (this.malformedLines.length < maxMalformed) this.malformedLines.push(place);
  }

  add(outcome: ReplayOutcome, place: LinePlace): void {
    this.decisions++;
    if (outcome.kind === 'same') {
      this.same++;
      return;
    }
    this.counts[outcome.kind]++;
    if (outcome.fullControl === 'gained') this.fullControl++;
    if (outcome.fullControl === 'possible') this.possibleFullControl++;
    const group = this.#groupOf(outcome);
    group.count++;
    if (outcome.kind === 'undecided') {
      if (group.examples.length < maxExamples) group.examples.push(place);
      return;
    }
    if (group.examples.length < maxExamples) {
      group.examples.push({ ...place, change: changeOf(outcome, place) });
    }
  }

  #groupOf(outcome: Exclude<ReplayOutcome, { readonly kind: 'same' }>): ReplayGroup {
    const { kind } = outcome;
    const isUndecided = kind === 'undecided';
    const key = JSON.stringify([kind, isUndecided ? outcome.reason : outcome.cause]);
    const existing = this.#groups.get(key);
    if (existing !== undefined) return existing;
    // A log may contain any number of claims and codes.
    if (this.#groups.size >= maxGroups) return this.#restOf(kind);
    const what = isUndecided ? { reason: outcome.reason } : { cause: outcome.cause };
    return this.#create(key, { kind, ...what, count: 0, examples: [] });
  }

  #restOf(kind: ReplayKind): ReplayGroup {
    const existing = this.#groups.get(kind);
    return existing ?? this.#create(kind, { kind, reason: 'other causes', count: 0, examples: [] });
  }

  #create(key: string, group: ReplayGroup): ReplayGroup {
    this.#groups.set(key, group);
    return group;
  }
}

const changeOf = (
  { before, after, unknown, fullControl }: Extract<ReplayOutcome, { readonly before: unknown }>,
  { file, line }: LinePlace,
): NonNullable<ReplayExample['change']> => {
  const name = `${file}:${line}`;
  const comparable = withFieldsOf(after, unknown, before);
  const change = accessChange(name, withClaimNames(comparable), withClaimNames(after));
  const all = [
    ...(fullControl === 'possible' ? ['system:masters may be gained'] : []),
    ...change.details,
  ];
  const details = all.slice(0, maxDetails);
  const more = all.length - details.length;
  return {
    before: unknown.includes('groups')
      ? shortened(`${name} → ${userOf(withClaimNames(before))?.username} · groups: not in the log`)
      : shortened(change.before),
    after: shortened(change.after),
    details: [...details.map(shortened), ...(more > 0 ? [`… and ${more} more differences`] : [])],
  };
};

/** Returns the decision with fields of another one, so that they do not appear as a difference. */
const withFieldsOf = (
  other: Decision,
  fields: readonly OptionalField[],
  decision: Decision,
): Decision => {
  const user = userOf(other);
  if (decision.kind !== 'accepted' || user === null) return decision;
  const shared = Object.fromEntries(fields.map((field) => [field, user[field]]));
  return { ...decision, user: { ...decision.user, ...shared } };
};

const shortened = (text: string): string =>
  text.length > maxDetailLength ? `${text.slice(0, maxDetailLength)}…` : text;
