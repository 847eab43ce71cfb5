/** Compares the decisions about the claims in lines of JSON. */
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import { ownMember } from '../../formats/json-with-shape.ts';
import { decodeUtf8Loosely } from '../../formats/utf8.ts';
import { type ClaimSet, readClaims } from '../../signed-token/payload.ts';
import { type ComparedClaims, linkComparer } from '../../simulate/difference/compare-claim-sets.ts';
import { gainsFullControl, userOf } from '../../simulate/difference/diff.ts';
import {
  type ChangeKind,
  type CorpusExample,
  type CorpusResult,
  maxExamples,
} from './corpus-result.ts';

/** Links both graphs and returns the function that compares the claims in whole lines. */
export const linkLineComparer = (
  before: AuthenticatorGraph,
  after: AuthenticatorGraph,
): ((block: Uint8Array) => CorpusResult) => {
  const compare = linkComparer(before, after);
  return (block) => new BlockComparison(compare).run(block);
};

class BlockComparison {
  readonly #compare: (claims: ClaimSet) => ComparedClaims;
  readonly #counts = { gains: 0, loses: 0, changes: 0 };
  readonly #examples: Record<ChangeKind, CorpusExample[]> = { gains: [], loses: [], changes: [] };
  #lines = 0;
  #claimSets = 0;
  #fullControl = 0;

  constructor(compare: (claims: ClaimSet) => ComparedClaims) {
    this.#compare = compare;
  }

  run(block: Uint8Array): CorpusResult {
    let message: string | undefined;
    for (let start = 0; start < block.length && message === undefined; ) {
      const found = block.indexOf(lineFeed, start);
      const end = found === -1 ? block.length : found;
      this.#lines++;
      message = this.#add(block.subarray(start, end));
      start = end + 1;
    }
    return {
      lines: this.#lines,
      claimSets: this.#claimSets,
      counts: this.#counts,
      fullControl: this.#fullControl,
      examples: this.#examples,
      ...(message === undefined ? {} : { problem: { line: this.#lines, message } }),
    };
  }

  /** Compares one line; returns an error if it is not a set of claims. */
  #add(line: Uint8Array): string | undefined {
    if (isBlank(line)) return undefined;
    const claims = readClaims(line);
    if (claims === undefined) return 'the line is not a JSON object with claims';
    if (isDecisionLogLine(claims)) {
      return 'the line is of a decision log, which contains no claims';
    }
    this.#claimSets++;
    const { kind, before, after } = this.#compare(claims);
    if (kind === 'same') return undefined;
    this.#counts[kind]++;
    if (gainsFullControl(userOf(before), userOf(after))) this.#fullControl++;
    const examples = this.#examples[kind];
    if (examples.length < maxExamples) {
      examples.push({ line: this.#lines, text: decodeUtf8Loosely(line) });
    }
    return undefined;
  }
}

const lineFeed = 10;

const isBlank = (line: Uint8Array): boolean =>
  line.length === 0 || (line.length < maxBlank && line.every((byte) => blanks.has(byte)));

const maxBlank = 16;

/** Tabs, carriage returns and spaces. */
const blanks: ReadonlySet<number> = new Set([9, 13, 32]);

const isDecisionLogLine = ({ claims }: ClaimSet): boolean =>
  ownMember(claims, 'message') === 'decision' && ownMember(claims, 'requestId') !== undefined;
