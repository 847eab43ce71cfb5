/** The mutants of a configuration with their results, in its file. */
import type { MutantResult } from '../../simulate/mutation/run-mutants.ts';
import type { SourceFile } from '../../source/source-file.ts';
import type { Span } from '../../source/span.ts';
import type { NamedCase } from './suite-runs.ts';

export interface MutatedFile {
  readonly source: SourceFile;
  /** The configuration's own text, which may be a part of the file. */
  readonly text: string;
  readonly cases: readonly NamedCase[];
  readonly results: readonly MutantResult[];
  /** How many changes were not tried. */
  readonly leftOut: number;
  /** Converts a position in the configuration's own text. */
  readonly toFile: (own: Span) => Span;
}
