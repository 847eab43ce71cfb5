/** Requests about the cases of a test file, and what they exercise. */
import type { Range } from 'vscode-languageserver';
import type { ConfigurationName, PlaceInFile } from './shared-rows.ts';

/** Runs the cases of an open test file (`*.authtest.yaml`) that need no key and no other file. */
export const testsRequest = 'authgraph/tests';
export interface TestsParams {
  readonly uri: string;
}
export interface TestsAnswer {
  /** The results in the order of the file; rows of a table are cases of their own. */
  readonly results: readonly TestResult[];
  /** The equivalent CLI command, which runs the skipped cases, too. */
  readonly commandLine?: string;
  readonly problem?: string;
}
export interface TestResult {
  readonly name: string;
  /** The first line of the case. */
  readonly range: Range;
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
  /** The path through the graph; present if the case failed. */
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
 * Returns which parts of a configuration the cases of an open test file exercise, or all samples if the
 * document is a configuration.
 */
export const coverageRequest = 'authgraph/coverage';
export interface CoverageParams {
  readonly uri: string;
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
