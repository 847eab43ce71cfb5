/** Requests about the cases of a test file, and what they exercise. */
import type { Range } from 'vscode-languageserver';
import type { ConfigurationName, PlaceInFile } from './shared-rows.ts';

/** Returns the cases of a test file (`*.authtest.yaml`), open or saved, without running them. */
export const testCasesRequest = 'authgraph/testCases';
export interface TestCasesAnswer {
  /** The cases without mistakes in the order of the file; rows of a table are cases of their own. */
  readonly cases: readonly TestCaseRow[];
  /** What is wrong with the file; there may be cases, too. */
  readonly problem?: string;
  /** The place of the mistake in the file. */
  readonly place?: PlaceInFile;
}
export interface TestCaseRow {
  readonly name: string;
  /** The first line of the case. */
  readonly range: Range;
}

/** Runs the cases of a test file, open or saved, that need no key and no other file. */
export const testsRequest = 'authgraph/tests';
export interface TestsParams {
  readonly uri: string;
}
export interface TestsAnswer {
  /** The results in the order of the file; rows of a table are cases of their own. */
  readonly results: readonly TestResult[];
  /** URIs of the files that decide the cases: the configuration and the samples. */
  readonly inputs?: readonly string[];
  /** The equivalent CLI command, which runs the skipped cases, too. */
  readonly commandLine?: string;
  readonly problem?: string;
}
export interface TestResult extends TestCaseRow {
  /** `skipped`: the case is a signed token or a whole request. */
  readonly status: 'passed' | 'failed' | 'skipped';
  /** Why the case was skipped. */
  readonly reason?: string;
  /** The decision in one line. */
  readonly decision?: string;
  /** The part of the configuration that rejected the claims. */
  readonly place?: PlaceInFile;
  /** What differs; present if the case failed. */
  readonly differences?: readonly {
    readonly what: string;
    readonly expected: string;
    readonly actual: string;
  }[];
  /** The path through the graph; present for the first failed cases of a file. */
  readonly path?: readonly TestPathStep[];
}
export interface TestPathStep {
  /** The part of the configuration, such as `jwt[0].claimMappings.username`. */
  readonly at: string;
  readonly what: string;
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'value' | 'note';
  readonly detail?: string;
  readonly place?: PlaceInFile;
}

// Coverage.

/**
 * Returns which parts of a configuration the cases of a test file exercise, or all samples if the
 * document is a configuration.
 */
export const coverageRequest = 'authgraph/coverage';
export interface CoverageParams {
  readonly uri: string;
  /** Indexes of cases of the test file; absent for all. */
  readonly cases?: readonly number[];
}
export interface CoverageAnswer {
  /** One for each configuration of the document. */
  readonly configurations: readonly ConfigurationCoverage[];
  readonly problem?: string;
}
export interface ConfigurationCoverage {
  readonly configuration: ConfigurationName;
  /** How many cases or samples were decided. */
  readonly cases: number;
  readonly covered: number;
  /** How many outcomes there are. */
  readonly all: number;
  /** The places in the order of the file; a field comes before its parts. */
  readonly places: readonly CoveragePlaceRow[];
}
export interface CoveragePlaceRow {
  readonly kind:
    | 'issuer'
    | 'audience'
    | 'mapping'
    | 'rule'
    | 'branch'
    | 'list element'
    | 'rejection';
  /** The field, such as `jwt[0].claimValidationRules[1]`. */
  readonly at: string;
  readonly place: PlaceInFile;
  readonly outcomes: readonly { readonly name: string; readonly hits: number }[];
  /** A sentence for each outcome that no case had. */
  readonly missing: readonly string[];
}

// Expectations.

/**
 * Returns the edit that adds a case for a sample to a test file, with the current decision as the
 * expected result.
 */
export const expectResultRequest = 'authgraph/expectResult';
export interface ExpectResultParams {
  /** The configuration. */
  readonly uri: string;
  /** The ID of a sample that is a file. */
  readonly sample: string;
  /** The test files in the folder of the sample. */
  readonly testFiles: readonly string[];
}
export interface ExpectResultAnswer {
  readonly addition?: TestAddition;
  readonly problem?: string;
}
export interface TestAddition {
  /** The test file. */
  readonly uri: string;
  /** Whether the file does not exist yet. */
  readonly isNew: boolean;
  /** The edits of its text; empty if it has the case already. */
  readonly edits: readonly { readonly range: Range; readonly newText: string }[];
  /** The first line of the case, once the edits are applied. */
  readonly range: Range;
}
