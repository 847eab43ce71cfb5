/** Loads a test file with everything it names: its configuration, its samples, its cases. */
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import type { FileReport } from '../../diagnostics/render.ts';
import { diagnosticOf } from '../../diagnostics/rule.ts';
import type { Release } from '../../model/release.ts';
import { presetClaims, presetNames } from '../../providers/presets.ts';
import { invalidTest } from '../../simulate/tests/findings.ts';
import { readTests } from '../../simulate/tests/read-tests.ts';
import { rawClaimsOfText } from '../../simulate/tests/sample-claims.ts';
import type { TestCase } from '../../simulate/tests/test-case.ts';
import type {
  RawClaims,
  SampleReference,
  TestFile,
  WrittenText,
} from '../../simulate/tests/test-file.ts';
import { testFileSuffix } from '../../simulate/tests/test-rows.ts';
import { type SourceFile, sourceFile } from '../../source/source-file.ts';
import type { Span } from '../../source/span.ts';
import { type BoundedFolder, boundedFolder, resolveBounded } from '../bounded-paths.ts';
import { type FileFailure, type Io, maxInputBytes } from '../io.ts';
import {
  type ConfigurationReader,
  type LoadedConfiguration,
  loadConfiguration,
  reportOf,
} from '../load-configuration.ts';
import type { PlaceFinder } from '../trace-text.ts';
import { releaseSettings } from './release-settings.ts';

/** A test file whose cases can be decided. */
export interface Suite {
  readonly kind: 'suite';
  readonly path: string;
  readonly file: TestFile;
  readonly source: SourceFile;
  readonly folder: BoundedFolder;
  readonly graph: AuthenticatorGraph;
  readonly configuration: string;
  /** The configuration as it was loaded; test files with the same one share the object. */
  readonly loaded: Exclude<LoadedConfiguration, FileFailure>;
  readonly find: PlaceFinder['find'];
  readonly cases: readonly TestCase[];
}

/** A test file that cannot be run. */
export type BrokenSuite =
  | {
      readonly kind: 'mistakes';
      readonly path: string;
      readonly report: FileReport;
      /** Its configuration, if it is known and can be read. */
      readonly configuration?: string;
    }
  | ({ readonly path: string } & FileFailure);

export type SuiteLoading = Suite | BrokenSuite;

export interface SuiteContext {
  /** The release that a flag sets; `undefined` if test files and settings files decide. */
  readonly targetRelease: Release | undefined;
  readonly io: Io;
  /** Configurations that were compiled for other test files, by release and path. */
  readonly compiled: Map<string, Promise<LoadedConfiguration>>;
}

/** Files of a folder that the user did not name. */
const maxFileBytes = 4 * 1024 * 1024;

export const loadSuite = async (path: string, context: SuiteContext): Promise<SuiteLoading> => {
  const { io } = context;
  const text = await io.readText(path);
  if (text.kind === 'failure') return { path, ...text };
  const source = sourceFile(path === '-' ? 'standard-input' : path, text.text);
  const mistakes = (report: FileReport): Extract<BrokenSuite, { kind: 'mistakes' }> => ({
    kind: 'mistakes',
    path,
    report,
  });
  if (text.broken !== undefined) return mistakes({ source, diagnostics: [text.broken] });
  const file = readTests(source, presetNames);
  if (file.diagnostics.length > 0) return mistakes({ source, diagnostics: file.diagnostics });
  const folder = boundedFolder(path);
  const invalid = (at: Span, field: string, problem: string, help?: string): BrokenSuite =>
    mistakes({
      source,
      diagnostics: [diagnosticOf(invalidTest, at, { path: field, problem, help })],
    });

  const named = configurationOf(file, path);
  const at = named ?? { text: '', span: { start: 0, end: 0 } };
  if (named === undefined) return invalid(at.span, '', 'configuration is required');
  const target = resolveBounded(folder, named.text);
  if (target.kind === 'outside') return invalid(at.span, 'configuration', target.problem);
  const loaded = await compileOnce(target.path, file.targetRelease, context);
  if (loaded.kind === 'failure')
    return invalid(at.span, 'configuration', loaded.reason, loaded.help);
  if (loaded.kind === 'compiled' && loaded.compilation.graph === undefined) {
    const { source: configuration, diagnostics } = reportOf(loaded);
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    return {
      ...mistakes({ source: configuration, diagnostics: errors }),
      configuration: target.path,
    };
  }
  const graph = loaded.kind === 'artifact' ? loaded.artifact.graph : loaded.compilation.graph;
  if (graph === undefined) throw new Error('unreachable: a configuration without errors');

  const samples = await readSamples(file.samples, folder, io);
  const { cases, diagnostics } = file.expand({
    issuers: graph.nodes,
    preset: presetClaims,
    sample: ({ name }) => samples.get(name) ?? 'unreachable: the sample was not read',
  });
  if (diagnostics.length > 0)
    return { ...mistakes({ source, diagnostics }), configuration: target.path };
  return {
    kind: 'suite',
    path,
    file,
    source,
    folder,
    graph,
    configuration: target.path,
    loaded,
    find: placeFinder(loaded),
    cases,
  };
};

/** Returns the named configuration, or the file that has the name of the test file. */
const configurationOf = (file: TestFile, path: string): WrittenText | undefined => {
  if (file.configuration !== undefined) return file.configuration;
  if (!path.endsWith(testFileSuffix)) return undefined;
  const name = path.slice(0, -testFileSuffix.length).replace(/^.*[\\/]/s, '');
  return { text: `${name}.yaml`, span: { start: 0, end: 0 } };
};

/** Compiles the configuration of a test file, or returns the one of another test file with the same settings. */
export const compileOnce = (
  path: string,
  release: Release | undefined,
  { targetRelease: chosen, io, compiled }: SuiteContext,
): Promise<LoadedConfiguration> => {
  const key = `${release ?? ''} ${path}`;
  // Only regular files: the user did not name the path.
  const files: ConfigurationReader = {
    readText: (name) => io.readText(name, maxInputBytes),
    readRevision: () => Promise.resolve(undefined),
  };
  const loading =
    compiled.get(key) ??
    releaseSettings(path, { chosen, release }, io).then((settings) =>
      loadConfiguration(path, files, { settings, limits: 'warn' }),
    );
  compiled.set(key, loading);
  return loading;
};

const readSamples = async (
  references: readonly SampleReference[],
  folder: BoundedFolder,
  io: Io,
): Promise<ReadonlyMap<string, RawClaims | string>> => {
  const read = references.map(
    async (reference) => [reference.name, await readSample(reference, folder, io)] as const,
  );
  return new Map(await Promise.all(read));
};

const readSample = async (
  { name, paths }: SampleReference,
  folder: BoundedFolder,
  io: Io,
): Promise<RawClaims | string> => {
  let problem = '';
  for (const written of paths) {
    const target = resolveBounded(folder, written);
    if (target.kind === 'outside') return target.problem;
    const file = await io.readText(target.path, maxFileBytes);
    if (file.kind === 'text') return rawClaimsOfText(sourceFile(target.path, file.text));
    problem ||= file.reason;
  }
  return paths.length === 1
    ? problem
    : `no sample is named ${JSON.stringify(name)}: add it to samples, or add the file ${paths[0]}`;
};

const placeFinder =
  (loaded: LoadedConfiguration): PlaceFinder['find'] =>
  (path) => {
    if (loaded.kind !== 'compiled') return undefined;
    const span = loaded.compilation.origins.get(path);
    return span && { source: loaded.source, span: loaded.toFile(span) };
  };
