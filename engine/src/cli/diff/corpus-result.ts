/** What the claim sets of a corpus show: counts, and the first examples of each kind. */
import type { AccessChange } from '../../simulate/difference/diff.ts';

export type ChangeKind = Exclude<AccessChange['kind'], 'same'>;

/** All kinds, in the order in which they are reported. */
export const changeKinds: readonly ChangeKind[] = ['gains', 'loses', 'changes'];

/** Claims that are decided differently, with the line that contains them. */
export interface CorpusExample {
  /** The number of the line, counted from 1. */
  readonly line: number;
  /** The line. */
  readonly text: string;
}

/** What a number of consecutive lines shows. */
export interface CorpusResult {
  /** The lines, including empty ones. */
  readonly lines: number;
  readonly claimSets: number;
  readonly counts: Readonly<Record<ChangeKind, number>>;
  /** The claim sets that become a member of `system:masters`. */
  readonly fullControl: number;
  /** The claim sets of decision logs that lack a value on which a decision depends. */
  readonly undecided: number;
  readonly examples: Readonly<Record<ChangeKind, readonly CorpusExample[]>>;
  /** The first line that is not a set of claims; lines after it are not counted. */
  readonly problem?: { readonly line: number; readonly message: string };
}

/** The most examples of each kind that are reported for a file. */
export const maxExamples = 5;

export const emptyResult: CorpusResult = {
  lines: 0,
  claimSets: 0,
  counts: { gains: 0, loses: 0, changes: 0 },
  fullControl: 0,
  undecided: 0,
  examples: { gains: [], loses: [], changes: [] },
};

/** Adds the result of the lines that follow. */
export const addResult = (first: CorpusResult, next: CorpusResult): CorpusResult => {
  const examplesOf = (kind: ChangeKind): readonly CorpusExample[] => {
    const following = next.examples[kind].map((one) => ({ ...one, line: one.line + first.lines }));
    return [...first.examples[kind], ...following].slice(0, maxExamples);
  };
  return {
    lines: first.lines + next.lines,
    claimSets: first.claimSets + next.claimSets,
    counts: {
      gains: first.counts.gains + next.counts.gains,
      loses: first.counts.loses + next.counts.loses,
      changes: first.counts.changes + next.counts.changes,
    },
    fullControl: first.fullControl + next.fullControl,
    undecided: first.undecided + next.undecided,
    examples: {
      gains: examplesOf('gains'),
      loses: examplesOf('loses'),
      changes: examplesOf('changes'),
    },
    ...(next.problem === undefined
      ? {}
      : { problem: { ...next.problem, line: next.problem.line + first.lines } }),
  };
};
