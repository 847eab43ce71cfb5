/** Compares the decisions about the claims in lines of JSON. */
import { hashGraph } from '../../compile/artifact.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import { ownMember } from '../../formats/json-with-shape.ts';
import { decodeUtf8Loosely } from '../../formats/utf8.ts';
import { noOpinion } from '../../model/decision.ts';
import { nodeDigest } from '../../node/digest.ts';
import { type ClaimSet, readClaims } from '../../signed-token/payload.ts';
import type { AccessChangeKind } from '../../simulate/access/access-result.ts';
import { type ComparedClaims, linkComparer } from '../../simulate/difference/compare-claim-sets.ts';
import { gainedSystemGroups, gainsFullControl, userOf } from '../../simulate/difference/diff.ts';
import { addSystemGroupGains, systemGroupGains } from '../../simulate/difference/system-groups.ts';
import { readDecisionLine } from '../../simulate/replay/read-record.ts';
import { linkRecordComparer } from '../../simulate/replay/replay.ts';
import { once } from '../../source/once.ts';
import { linesOf } from '../line-blocks.ts';
import { type CorpusExample, type CorpusResult, maxExamples } from './corpus-result.ts';

/** Links both graphs and returns the function that compares the claims in whole lines. */
export const linkLineComparer = (
  before: AuthenticatorGraph,
  after: AuthenticatorGraph,
): ((block: Uint8Array) => CorpusResult) => {
  const compare = linkOneLineComparer(before, after);
  return (block) => new BlockComparison(compare).run(block);
};

/** What a line shows. */
export type LineComparison =
  | {
      readonly kind: 'compared';
      readonly outcomes: readonly (ComparedClaims | UndecidedClaims)[];
      /** The decisions of a decision log that no JWT authenticator made. */
      readonly skipped: number;
    }
  | { readonly kind: 'problem'; readonly message: string };

/** The outcome for claims of a decision log that lack a value on which a decision depends. */
interface UndecidedClaims {
  readonly kind: 'undecided';
}

/** Links both graphs and returns the function that compares the claims in one line. */
export const linkOneLineComparer = (
  before: AuthenticatorGraph,
  after: AuthenticatorGraph,
): ((line: Uint8Array) => LineComparison) => {
  const compare = linkComparer(before, after);
  const compareRecord = once(() => {
    const digest = nodeDigest();
    const sideOf = (graph: AuthenticatorGraph) => ({ graph, hash: hashGraph(graph, digest) });
    return linkRecordComparer({ before: sideOf(before), after: sideOf(after) });
  });
  return (line) => {
    const claims = readClaims(line);
    if (claims === undefined) {
      return { kind: 'problem', message: 'the line is not a JSON object with claims' };
    }
    if (!isDecisionLogLine(claims))
      return { kind: 'compared', outcomes: [compare(claims)], skipped: 0 };
    const reading = readDecisionLine(line);
    if (reading.kind !== 'decisions') {
      return { kind: 'problem', message: 'the line is of a decision log, but is not complete' };
    }
    const outcomes = reading.decisions.map((record) => {
      const outcome = compareRecord()(record);
      return outcome.kind === 'same' ? sameClaims : outcome;
    });
    return { kind: 'compared', outcomes, skipped: reading.skipped };
  };
};

const sameClaims: ComparedClaims = { kind: 'same', before: noOpinion, after: noOpinion };

class BlockComparison {
  readonly #compare: (line: Uint8Array) => LineComparison;
  readonly #counts = { gained: 0, lost: 0, changed: 0 };
  readonly #examples: Record<AccessChangeKind, CorpusExample[]> = {
    gained: [],
    lost: [],
    changed: [],
  };
  #lines = 0;
  #claimSets = 0;
  #fullControl = 0;
  #systemGroups = addSystemGroupGains([]);
  #undecided = 0;
  #skipped = 0;

  constructor(compare: (line: Uint8Array) => LineComparison) {
    this.#compare = compare;
  }

  run(block: Uint8Array): CorpusResult {
    let message: string | undefined;
    for (const line of linesOf(block)) {
      this.#lines++;
      if (line !== undefined) message = this.#add(line);
      if (message !== undefined) break;
    }
    return {
      lines: this.#lines,
      claimSets: this.#claimSets,
      counts: this.#counts,
      fullControl: this.#fullControl,
      systemGroups: this.#systemGroups,
      undecided: this.#undecided,
      skipped: this.#skipped,
      examples: this.#examples,
      ...(message === undefined ? {} : { problem: { line: this.#lines, message } }),
    };
  }

  /** Compares one line; returns an error if it is not a set of claims. */
  #add(line: Uint8Array): string | undefined {
    const comparison = this.#compare(line);
    if (comparison.kind === 'problem') return comparison.message;
    this.#skipped += comparison.skipped;
    for (const outcome of comparison.outcomes) this.#count(outcome, line);
    return undefined;
  }

  #count(outcome: ComparedClaims | UndecidedClaims, line: Uint8Array): void {
    this.#claimSets++;
    if (outcome.kind === 'same') return;
    if (outcome.kind === 'undecided') {
      this.#undecided++;
      return;
    }
    const { kind, before, after } = outcome;
    this.#counts[kind]++;
    if (gainsFullControl(userOf(before), userOf(after))) this.#fullControl++;
    const groups = gainedSystemGroups(userOf(before), userOf(after));
    this.#systemGroups = addSystemGroupGains([this.#systemGroups, systemGroupGains(groups)]);
    const examples = this.#examples[kind];
    if (examples.length < maxExamples) {
      examples.push({ line: this.#lines, text: decodeUtf8Loosely(line) });
    }
  }
}

const isDecisionLogLine = ({ claims }: ClaimSet): boolean =>
  ownMember(claims, 'message') === 'decision' && ownMember(claims, 'requestId') !== undefined;
