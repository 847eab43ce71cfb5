/** What the claim sets of a corpus show: counts, and the first examples of each kind. */
import type { AccessChangeKind } from '../../simulate/access/access-result.ts';
import {
  addSystemGroupGains,
  type SystemGroupGains,
} from '../../simulate/difference/system-groups.ts';

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
  readonly counts: Readonly<Record<AccessChangeKind, number>>;
  /** The claim sets that become a member of `system:masters`. */
  readonly fullControl: number;
  /** The claim sets that gain other groups that start with `system:`. */
  readonly systemGroups: SystemGroupGains;
  /** The claim sets of decision logs that lack a value on which a decision depends. */
  readonly undecided: number;
  /** The decisions of decision logs that no JWT authenticator made. */
  readonly skipped: number;
  readonly examples: Readonly<Record<AccessChangeKind, readonly CorpusExample[]>>;
  /** The first line that is not a set of claims; lines after it are not counted. */
  readonly problem?: { readonly line: number; readonly message: string };
}

/** The most examples of each kind that are reported for a file. */
export const maxExamples = 5;

export const emptyResult: CorpusResult = {
  lines: 0,
  claimSets: 0,
  counts: { gained: 0, lost: 0, changed: 0 },
  fullControl: 0,
  systemGroups: addSystemGroupGains([]),
  undecided: 0,
  skipped: 0,
  examples: { gained: [], lost: [], changed: [] },
};

/** Adds the result of the lines that follow. */
export const addResult = (first: CorpusResult, next: CorpusResult): CorpusResult => {
  const examplesOf = (kind: AccessChangeKind): readonly CorpusExample[] => {
    const following = next.examples[kind].map((one) => ({ ...one, line: one.line + first.lines }));
    return [...first.examples[kind], ...following].slice(0, maxExamples);
  };
  return {
    lines: first.lines + next.lines,
    claimSets: first.claimSets + next.claimSets,
    counts: {
      gained: first.counts.gained + next.counts.gained,
      lost: first.counts.lost + next.counts.lost,
      changed: first.counts.changed + next.counts.changed,
    },
    fullControl: first.fullControl + next.fullControl,
    systemGroups: addSystemGroupGains([first.systemGroups, next.systemGroups]),
    undecided: first.undecided + next.undecided,
    skipped: first.skipped + next.skipped,
    examples: {
      gained: examplesOf('gained'),
      lost: examplesOf('lost'),
      changed: examplesOf('changed'),
    },
    ...(next.problem === undefined
      ? {}
      : { problem: { ...next.problem, line: next.problem.line + first.lines } }),
  };
};
