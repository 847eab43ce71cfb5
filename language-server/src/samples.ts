/** Sample identities: named sets of claims, from files of the workspace or held in memory. */
import type { ClaimSet, ConfigDocument } from '@authgraph/engine/language';

export interface Sample {
  /** The file's URI, or `memory:` and a number. */
  readonly id: string;
  /** `jane` of `jane.claims.yaml`. */
  readonly name: string;
  /** Absent for what was pasted: it stands in no file. */
  readonly document?: ConfigDocument;
  readonly claims: ClaimSet;
}

/** A file that should be a sample, and why it is none. */
export interface UnreadSample {
  readonly id: string;
  readonly name: string;
  readonly problem: string;
}

export interface SampleSet {
  /** By name. */
  readonly all: readonly Sample[];
  readonly unread: readonly UnreadSample[];
  readonly chosen: Sample | undefined;
}

export const noSamples: SampleSet = { all: [], unread: [], chosen: undefined };
