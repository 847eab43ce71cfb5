/** Loads a file with all of its configurations. The compiler is loaded on demand. */
import { type Artifact, isArtifactText, readArtifactByChecksum } from '../compile/artifact.ts';
import { type SourceFile, sourceFile } from '../source/source-file.ts';
import type { CompiledConfiguration, LoadOptions } from './compile-text.ts';
import type { ConfigurationInFile } from './configurations-in-file.ts';
import type { FileFailure, FileText } from './io.ts';

export type LoadedFile =
  | { readonly kind: 'artifact'; readonly artifact: Artifact }
  /** A file with at least one configuration. */
  | {
      readonly kind: 'found';
      readonly source: SourceFile;
      readonly configurations: readonly ConfigurationInFile[];
    }
  /** An empty, incomplete or broken file, compiled as a configuration. */
  | CompiledConfiguration
  /** A file that certainly contains something else. */
  | { readonly kind: 'other'; readonly source: SourceFile; readonly failure: FileFailure }
  | FileFailure;

/** Loads the content of a file; `name` appears in the locations of diagnostics. */
export const loadFile = async (
  name: string,
  file: FileText,
  options: LoadOptions,
): Promise<LoadedFile> => {
  if (file.kind === 'failure') return file;
  const { text, broken } = file;
  if (broken === undefined && isArtifactText(text)) {
    const reading = readArtifactByChecksum(text);
    return reading.kind === 'error'
      ? { kind: 'failure', reason: `${name}: ${reading.message}` }
      : reading;
  }
  const { compileText } = await import('./compile-text.ts');
  if (broken !== undefined) {
    const compiled = compileText(name, text, options);
    const diagnostics = [broken];
    const compilation = { ...compiled.compilation, graph: undefined, diagnostics };
    return { ...compiled, compilation, diagnostics };
  }
  const module = await import('./configurations-in-file.ts');
  const { configurationsInFile, maxConfigurationsInFile } = module;
  const source = sourceFile(name, text);
  const configurations = configurationsInFile(source, options);
  if (configurations.length > maxConfigurationsInFile)
    return {
      kind: 'failure',
      reason: `${name}: more than ${maxConfigurationsInFile} configurations in one file`,
      help: 'Split the file.',
    };
  if (configurations.length > 0) return { kind: 'found', source, configurations };
  const { describeOther } = await import('./describe-other.ts');
  const failure = describeOther(source);
  return failure === undefined
    ? compileText(name, text, options)
    : { kind: 'other', source, failure };
};

/** Returns the name of a file in locations. */
export const locationName = (path: string): string => (path === '-' ? 'standard-input' : path);
