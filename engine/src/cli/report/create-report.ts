/** Collects what the report of a configuration contains, with the functions of the other commands. */
import { dirname, resolve } from 'node:path';
import { hashGraph } from '../../compile/artifact.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import type { FileReport } from '../../diagnostics/render.ts';
import { releaseName } from '../../model/release.ts';
import { nodeClock } from '../../node/clock.ts';
import { nodeDigest } from '../../node/digest.ts';
import { isTestFile } from '../../simulate/tests/test-rows.ts';
import { nodeOfClaims } from '../../simulate/whoami/claims-decision.ts';
import { whoamiClaims } from '../../simulate/whoami/whoami-claims.ts';
import { createCheckSettings } from '../check-settings.ts';
import { type CommandArguments, fail } from '../command.ts';
import type { CompiledConfiguration } from '../compile-text.ts';
import { suiteCoverage, testsByConfiguration, testsOf } from '../coverage/suite-coverage.ts';
import { createDiffReport } from '../diff/create-diff-report.ts';
import type { DiffReport } from '../diff/diff-report.ts';
import { loadSide, sideOf, sidesOf } from '../diff/diff-sides.ts';
import type { Io } from '../io.ts';
import { loadConfiguration, reportOf } from '../load-configuration.ts';
import { mutateSuites } from '../mutation/mutate-files.ts';
import { readClaimsArgument, sampleName } from '../read-claims.ts';
import { sampleFiles } from '../sample-files.ts';
import { settingsForFile } from '../target-settings.ts';
import type { BrokenSuite, Suite, SuiteContext } from '../testing/load-suite.ts';
import { chosenRelease } from '../testing/release-settings.ts';
import { runTests } from '../testing/run-tests.ts';
import { isFailed, type SuiteResult, type TestRun } from '../testing/suite-result.ts';
import { walkFolder } from '../walk-folder.ts';
import type { AbsentPart, ReportData, ReportPart, ReportSample } from './report-data.ts';

export const createReport = async (
  read: CommandArguments,
  path: string,
  io: Io,
): Promise<ReportData> => {
  const { values } = read;
  const settings = await settingsForFile(read, path, io);
  const loaded = await loadConfiguration(path, io, { settings, limits: 'warn' });
  if (loaded.kind === 'failure') return fail(io, loaded.reason, loaded.help);
  if (loaded.kind === 'artifact')
    return fail(io, `${path}: a report needs the text of a configuration; an artifact has none`);
  const { graph } = loaded.compilation;
  const base = values.string('base');
  const common = {
    name: path,
    release: releaseName(settings.targetRelease),
    findings: await findingsOf(loaded, read, io),
  };
  if (graph === undefined) {
    const part = absent('The configuration has errors.');
    return {
      ...common,
      graph: part,
      samples: [],
      tests: part,
      coverage: part,
      mutation: values.bool('mutate') ? part : undefined,
      difference: base === '' ? undefined : part,
    };
  }
  const named = values.list('claims');
  const samples = named.length > 0 ? named : await sampleFiles(path, io);
  const context: SuiteContext = { targetRelease: chosenRelease(read), io, compiled: new Map() };
  const tests = await testsFor(path, read, context);
  const suites = tests?.suites ?? [];
  const files = testsByConfiguration(testsOf(suites)).map(suiteCoverage);
  const difference = async (): Promise<DiffReport> => {
    const sides = sidesOf(await loadSide(read, base, io), sideOf(path, { graph, loaded }));
    return createDiffReport(sides, { samples, corpora: [], io });
  };
  return {
    ...common,
    graph: present({ graph, hash: hashGraph(graph, nodeDigest()) }),
    samples: await decideSamples(graph, samples, io),
    tests: tests === undefined ? untested : present(tests),
    coverage: files.length === 0 ? untested : present(files),
    mutation: values.bool('mutate') ? await mutationOf(suites, context) : undefined,
    difference: base === '' ? undefined : present(await difference()),
  };
};

/** Returns the findings with the levels and suppressions of the settings file. */
const findingsOf = async (
  loaded: CompiledConfiguration,
  read: CommandArguments,
  io: Io,
): Promise<readonly FileReport[]> => {
  const { source } = loaded;
  const { text, uri: path } = source;
  const checked = { path, before: text, after: text, edits: [], fixable: new Set<never>() };
  const settings = createCheckSettings(read, [path], io);
  const applied = await settings.applied([{ ...checked, report: reportOf(loaded) }], []);
  return applied.map(({ report }) => report);
};

const decideSamples = async (
  graph: AuthenticatorGraph,
  samples: readonly string[],
  io: Io,
): Promise<readonly ReportSample[]> => {
  const now = nodeClock().now();
  const decided: ReportSample[] = [];
  for (const sample of samples) {
    const claims = await readClaimsArgument(sample, io);
    const answer = whoamiClaims(graph, claims, { mode: 'product', explain: false, now });
    const { decision, unenforced = [] } = answer;
    const authenticator = nodeOfClaims(graph.nodes, claims)?.id ?? 'none';
    decided.push({ name: sampleName(sample), decision, authenticator, unenforced });
  }
  return decided;
};

/**
 * Runs the test files of a configuration: those that are named, or those in the folder of the
 * configuration. Returns `undefined` if there is none.
 */
const testsFor = async (
  path: string,
  { values }: CommandArguments,
  context: SuiteContext,
): Promise<TestRun<Suite> | undefined> => {
  const named = values.list('tests');
  const paths = named.length > 0 ? named : testFilesIn(dirname(path), context.io);
  if (paths.length === 0) return undefined;
  const isWanted = ({ configuration }: Pick<Suite, 'configuration'>): boolean =>
    resolve(configuration) === resolve(path);
  const ignore = (): void => {};
  const run = await runTests(paths, context, {
    filter: '',
    bail: false,
    isWanted,
    onProgress: ignore,
  });
  // A folder may have tests of configurations that are broken themselves.
  const isOwn = (broken: BrokenSuite): boolean =>
    named.length > 0 ||
    broken.kind === 'failure' ||
    broken.configuration === undefined ||
    isWanted({ configuration: broken.configuration });
  const broken = run.broken.filter(isOwn);
  return run.suites.length + broken.length === 0 ? undefined : { ...run, broken };
};

const testFilesIn = (folder: string, io: Io): readonly string[] =>
  walkFolder(folder, io)?.files.filter(isTestFile) ?? [];

/** The results of mutants mean nothing if a case fails without any change. */
const mutationOf = async (
  suites: readonly SuiteResult<Suite>[],
  context: SuiteContext,
): Promise<NonNullable<ReportData['mutation']>> => {
  if (suites.length === 0) return untested;
  return suites.some(({ results }) => results.some(isFailed))
    ? absent('A test fails without any change.')
    : present(await mutateSuites(suites, { context, incremental: undefined }));
};

const present = <Result>(result: Result): ReportPart<Result> => ({ kind: 'result', result });

const absent = (reason: string): AbsentPart => ({ kind: 'absent', reason });

const untested = absent('No test file has cases for this configuration.');
