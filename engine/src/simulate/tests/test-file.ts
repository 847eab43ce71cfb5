/** A test file as it is written, without the values of its samples and presets. */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Release } from '../../model/release.ts';
import type { SourceFile } from '../../source/source-file.ts';
import type { Span } from '../../source/span.ts';
import type { TestCase } from './test-case.ts';

/** A string of the file, with its position. */
export interface WrittenText {
  readonly text: string;
  readonly span: Span;
}

/** Claims by name, each as JSON. */
export type RawClaims = ReadonlyMap<string, string>;

/** The files that decide a case besides the configuration. */
export interface TestEnvironment {
  /** Flags of kube-apiserver for the authenticators that the configuration does not contain. */
  readonly flags: readonly WrittenText[];
  /** Manifests of the stored objects. */
  readonly objects: readonly WrittenText[];
}

/** A sample that a case names: a file, or one of two files in the folder of the test file. */
export interface SampleReference {
  readonly name: string;
  readonly span: Span;
  readonly paths: readonly string[];
}

/** What a test file needs from elsewhere. */
export interface TestInputs {
  /** The issuers of the configuration, for claims that a case does not set. */
  readonly issuers: readonly {
    readonly issuerUrl: string;
    readonly audiences: readonly string[];
  }[];
  /** Returns the claims of a sample, or what is wrong with it. */
  sample(reference: SampleReference): RawClaims | string;
  /** Returns the claims of a preset for a token that is issued at a time in milliseconds. */
  preset(name: string, issuedAt: number): object | undefined;
}

export interface TestFile {
  readonly source: SourceFile;
  /** Mistakes that do not depend on other files. */
  readonly diagnostics: readonly Diagnostic[];
  readonly configuration: WrittenText | undefined;
  readonly targetRelease: Release | undefined;
  readonly environment: TestEnvironment;
  /** The sample files to read. */
  readonly samples: readonly SampleReference[];
  /** Returns the cases in the order of the file, and the mistakes in them. */
  expand(inputs: TestInputs): ExpandedTests;
}

export interface ExpandedTests {
  readonly cases: readonly TestCase[];
  readonly diagnostics: readonly Diagnostic[];
}
