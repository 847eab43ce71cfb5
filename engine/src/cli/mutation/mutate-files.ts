/** Runs the tests of configurations with each mutant. */
import { toPrintable } from '../../diagnostics/printable.ts';
import { renderText } from '../../diagnostics/render.ts';
import { normalizeIssuer } from '../../signed-token/payload.ts';
import { createMutants } from '../../simulate/mutation/create-mutants.ts';
import { runMutants } from '../../simulate/mutation/run-mutants.ts';
import { isForAudience } from '../../simulate/whoami/token-checks.ts';
import { wantsColor } from '../color.ts';
import { type CommandArguments, fail, printError } from '../command.ts';
import {
  type ConfigurationTests,
  suiteCoverage,
  testsByConfiguration,
  testsOf,
} from '../coverage/suite-coverage.ts';
import type { Io } from '../io.ts';
import type { BrokenSuite, Suite, SuiteContext } from '../testing/load-suite.ts';
import { chosenRelease } from '../testing/release-settings.ts';
import { runTests } from '../testing/run-tests.ts';
import { isFailed, type SuiteResult } from '../testing/suite-result.ts';
import { type IncrementalResults, readIncremental } from './incremental-file.ts';
import type { MutatedFile } from './mutated-file.ts';
import { failureFinder, type NamedCase, namedCases } from './suite-runs.ts';

/** Returns the mutants of every configuration; ends the command if a test fails without a change. */
export const mutateFiles = async (
  paths: readonly string[],
  read: CommandArguments,
  io: Io,
): Promise<readonly MutatedFile[]> => {
  const context: SuiteContext = { targetRelease: chosenRelease(read), io, compiled: new Map() };
  const ignore = (): void => {};
  const options = { filter: '', bail: false, onProgress: ignore };
  const { suites, broken } = await runTests(paths, context, options);
  if (broken.length > 0) return endBroken(broken, read, io);
  const failed = suites.find(({ results }) => results.some(isFailed));
  if (failed !== undefined) return endFailed(failed, io);
  const path = read.values.string('incremental-file');
  const incremental = path === '' ? undefined : await readIncremental(path, io);
  const files = await mutateSuites(suites, { context, incremental });
  if (files.length === 0) return fail(io, 'there is no configuration to change');
  if (incremental !== undefined) {
    const failure = await io.writeText(path, incremental.text());
    if (failure !== undefined) fail(io, failure.reason, failure.help);
  }
  return files;
};

interface MutationContext {
  readonly context: SuiteContext;
  readonly incremental: IncrementalResults | undefined;
}

/** Returns the mutants of every configuration; the cases of the test files pass. */
export const mutateSuites = async (
  suites: readonly SuiteResult<Suite>[],
  options: MutationContext,
): Promise<readonly MutatedFile[]> => {
  const files: MutatedFile[] = [];
  for (const tests of testsByConfiguration(testsOf(suites)))
    files.push(await mutateFile(tests, options));
  return files;
};

const mutateFile = async (
  tests: ConfigurationTests,
  { context, incremental }: MutationContext,
): Promise<MutatedFile> => {
  const { compilation, source, toFile } = tests.configuration;
  const { graph } = compilation;
  if (graph === undefined) throw new Error('unreachable: a configuration with errors');
  const cases = namedCases(tests);
  const { io } = context;
  const { mutants, leftOut } = createMutants(compilation, (issuer) =>
    otherAudience(cases, issuer, graph.nodes),
  );
  const cache = await incremental?.cacheFor(compilation, cases);
  const results = await runMutants(compilation, mutants, {
    suite: {
      coverage: suiteCoverage(tests).coverage,
      coversAnonymous: cases.some(({ test: { input } }) => isWithoutToken(input)),
      firstFailure: await failureFinder(cases, graph, context),
    },
    signal: io.signal,
    ...(cache === undefined ? {} : { cache }),
    onProgress(done, all) {
      if (!io.stderr.isTerminal) return;
      const text = `mutant ${done} of ${all} of ${toPrintable(source.uri)}`;
      io.stderr.replaceLine(done === all ? '' : text);
    },
  });
  return { source, text: compilation.document.source.text, cases, results, leftOut, toFile };
};

const isWithoutToken = (input: NamedCase['test']['input']): boolean =>
  input.kind === 'request' && input.token === undefined;

/** Returns an audience in the cases of an issuer that its authenticator does not accept. */
const otherAudience = (
  cases: readonly NamedCase[],
  issuer: string,
  nodes: readonly { readonly issuerUrl: string; readonly audiences: readonly string[] }[],
): string | undefined => {
  const accepted = nodes.find(({ issuerUrl }) => issuerUrl === issuer)?.audiences ?? [];
  for (const { test } of cases) {
    const { input } = test;
    const claims = input.kind === 'request' ? input.token?.claims : input.claims;
    if (claims === undefined) continue;
    const { iss, aud } = claims.claims;
    if (typeof iss !== 'string' || normalizeIssuer(iss) !== issuer) continue;
    const audience = [aud].flat().find((one) => typeof one === 'string');
    if (audience !== undefined && !accepted.some((one) => isForAudience(claims, one)))
      return audience;
  }
  return undefined;
};

const endFailed = ({ suite, results }: SuiteResult, io: Io): never => {
  const names = results.filter(isFailed).map(({ test }) => test.name);
  return fail(
    io,
    `${suite.source.uri}: ${names.length === 1 ? 'a case fails' : `${names.length} cases fail`} without any change: ${names.slice(0, 3).join(', ')}`,
    'Fix it first; authgraph test shows what differs.',
  );
};

const endBroken = (broken: readonly BrokenSuite[], read: CommandArguments, io: Io): never => {
  const color = wantsColor(read.values.string('color'), io.stderr, io);
  const width = io.stderr.columns;
  for (const one of broken) {
    if (one.kind === 'failure') printError(io, one.reason, one.help);
    else io.stderr.write(renderText([one.report], { color, width }));
  }
  return fail(io, 'no mutant was run', 'All test files must be usable.');
};
