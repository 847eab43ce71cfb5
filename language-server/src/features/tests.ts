/** `authgraph/tests`: the results of the cases of a test file, with their places. */
import {
  type AuthenticatorGraph,
  type CaseResult,
  createCaseDecider,
  describeOutcome,
  presetClaims,
  type RawClaims,
  rawClaimsOfText,
  runCases,
  type SampleReference,
  shellLine,
  sourceFile,
  type TestCase,
  testFileSuffix,
} from '@authgraph/engine/language';
import { URI, Utils } from 'vscode-uri';
import { limits } from '../limits.ts';
import {
  type PlaceInFile,
  type TestResult,
  type TestsAnswer,
  type TestsParams,
  testsRequest,
} from '../protocol.ts';
import { type TestFilePart, testFilePart } from '../test-files.ts';
import { problems } from '../unavailable-reasons.ts';
import type { ConfigurationPart, Workspace } from '../workspace.ts';
import { requestFeature } from './request-feature.ts';

export const tests = requestFeature<TestsParams, TestsAnswer>(
  testsRequest,
  { results: [], problem: problems.failed },
  async ({ uri }, { workspace }, token) => {
    const aborted = new AbortController();
    token.onCancellationRequested(() => aborted.abort());
    return testResults(workspace, uri, aborted.signal);
  },
);

const testResults = async (
  workspace: Workspace,
  uri: string,
  signal: AbortSignal,
): Promise<TestsAnswer> => {
  const loaded = await loadTestCases(workspace, uri);
  if (typeof loaded === 'string') return failed(loaded);
  const { part, configuration, graph, cases } = loaded;
  const decider = createCaseDecider(graph, { clock: { now: 0 } });
  const results = await runCases(cases.filter(isClaims), decider, {
    bail: false,
    monotonic: () => performance.now(),
    signal,
    pause: () => new Promise((resolve) => setTimeout(resolve, 0)),
  });
  const resultOf = new Map(results.map((result) => [result.test, result]));
  return {
    results: cases.map((test) => shownResult(test, resultOf.get(test), { part, configuration })),
    ...commandOf(uri),
  };
};

export interface LoadedTestCases {
  readonly part: TestFilePart;
  readonly configuration: ConfigurationPart;
  readonly graph: AuthenticatorGraph;
  readonly cases: readonly TestCase[];
}

/** Returns the cases of an open test file with the configuration that it names, or what is wrong. */
export const loadTestCases = async (
  workspace: Workspace,
  uri: string,
): Promise<LoadedTestCases | string> => {
  const part = testFilePart(workspace, uri);
  if (part === undefined) return `not an open test file (*${testFileSuffix})`;
  const [mistake] = part.diagnostics;
  if (mistake !== undefined) return `the test file has mistakes: ${mistake.message}`;
  const configuration = await configurationOf(part, workspace);
  if (typeof configuration === 'string') return configuration;
  const { graph } = configuration.compilation;
  if (graph === undefined) return 'the configuration has errors; fix them to run the tests';
  const samples = await readSamples(part, workspace);
  const { cases, diagnostics } = part.file.expand({
    issuers: graph.nodes,
    sample: ({ name }) => samples.get(name) ?? `no sample is named ${JSON.stringify(name)}`,
    preset: presetClaims,
  });
  const [problem] = diagnostics;
  return problem === undefined ? { part, configuration, graph, cases } : problem.message;
};

const failed = (problem: string): TestsAnswer => ({ results: [], problem });

const isClaims = ({ input }: TestCase): boolean => input.kind === 'claims';

/** Returns the configuration that the file names, or why it is not available. */
const configurationOf = async (
  { uri, file }: TestFilePart,
  workspace: Workspace,
): Promise<ConfigurationPart | string> => {
  const written = file.configuration?.text ?? defaultConfiguration(uri);
  const target = resolveIn(uri, written);
  if (!workspace.isInFolder(target))
    return `configuration: ${JSON.stringify(written)} is outside of the workspace folders`;
  const open = workspace.text(target);
  const text = open ?? (await workspace.savedText(target));
  if (text === undefined)
    return `configuration: the file ${JSON.stringify(written)} cannot be read`;
  if (open !== undefined) await workspace.whenAnalyzed(target);
  const parts =
    open === undefined
      ? await workspace.partsOfComparedText(target, text)
      : workspace.parts(target);
  if (parts === 'stopped') return problems.otherNotAnalyzed;
  const [only, ...others] = parts;
  return only === undefined || others.length > 0
    ? `configuration: ${JSON.stringify(written)} must contain one configuration`
    : only;
};

/** Returns the name of the configuration that has the name of the test file. */
const defaultConfiguration = (uri: string): string => {
  const name = decodeURIComponent(Utils.basename(URI.parse(uri)));
  return `${name.slice(0, -testFileSuffix.length)}.yaml`;
};

const resolveIn = (uri: string, written: string): string =>
  Utils.resolvePath(Utils.dirname(URI.parse(uri)), written.replaceAll('\\', '/')).toString();

const readSamples = async (
  { uri, file }: TestFilePart,
  workspace: Workspace,
): Promise<ReadonlyMap<string, RawClaims | string>> => {
  const samples = new Map<string, RawClaims | string>();
  for (const reference of file.samples.slice(0, limits.sampleFiles))
    samples.set(reference.name, await readSample(reference, uri, workspace));
  return samples;
};

const readSample = async (
  { name, paths }: SampleReference,
  uri: string,
  workspace: Workspace,
): Promise<RawClaims | string> => {
  for (const path of paths) {
    const target = resolveIn(uri, path);
    if (!workspace.isInFolder(target)) continue;
    const text = workspace.text(target) ?? (await workspace.savedText(target));
    if (text !== undefined && text.length <= limits.sampleLength)
      return rawClaimsOfText(sourceFile(target, text));
  }
  return `the sample ${JSON.stringify(name)} cannot be read`;
};

interface Shown {
  readonly part: TestFilePart;
  readonly configuration: ConfigurationPart;
}

const shownResult = (
  test: TestCase,
  result: CaseResult | undefined,
  { part, configuration }: Shown,
): TestResult => {
  const { name, span } = test;
  const range = part.places.range(span);
  if (result === undefined) return { name, range, status: 'skipped', reason: skipReason(test) };
  const { outcome, differences } = result;
  const placeOf = (path: string | undefined): { readonly place?: PlaceInFile } => {
    const origin = path === undefined ? undefined : configuration.compilation.origins.get(path);
    if (origin === undefined) return {};
    return { place: { uri: configuration.uri, range: configuration.places.range(origin) } };
  };
  const reason = outcome.decision.kind === 'rejected' ? outcome.decision.reason.at : undefined;
  const shown = { name, range, decision: describeOutcome(outcome), ...placeOf(reason) };
  if (differences.length === 0) return { ...shown, status: 'passed' };
  return {
    ...shown,
    status: 'failed',
    differences,
    path: outcome.steps.map(({ at, what, outcome: step, detail }) => ({
      at,
      what,
      outcome: step,
      ...(detail === undefined ? {} : { detail }),
      ...placeOf(at),
    })),
  };
};

/** Returns the command that runs the file, if it has a path. */
const commandOf = (uri: string): { readonly commandLine?: string } => {
  const parsed = URI.parse(uri);
  if (parsed.scheme !== 'file') return {};
  return { commandLine: shellLine(['authgraph', 'test', parsed.fsPath]) };
};

const skipReason = ({ input }: TestCase): string =>
  `${input.kind === 'request' ? 'a whole request passes authenticators that the editor does not run' : 'the editor signs no tokens'}; authgraph test runs this case`;
