/** `authgraph/tests`: the results of the cases of a test file, with their places. */
import {
  type CaseResult,
  createCaseDecider,
  describeOutcome,
  runCases,
  shellLine,
  type TestCase,
} from '@authgraph/engine/language';
import type { CancellationToken } from 'vscode-languageserver';
import { URI } from 'vscode-uri';
import { withAbortSignal } from '../cancellation.ts';
import { limits } from '../limits.ts';
import {
  type PlaceInFile,
  type TestResult,
  type TestsAnswer,
  type TestsParams,
  testsRequest,
} from '../protocol.ts';
import type { TestFilePart } from '../test-files.ts';
import { problems } from '../unavailable-reasons.ts';
import type { ConfigurationPart, Workspace } from '../workspace.ts';
import { loadTestCases } from './load-test-cases.ts';
import { requestFeature } from './request-feature.ts';

export const tests = requestFeature<TestsParams, TestsAnswer>(
  testsRequest,
  { results: [], problem: problems.failed },
  ({ uri }, { workspace }, token) => testResults(workspace, uri, token),
);

const testResults = async (
  workspace: Workspace,
  uri: string,
  token: CancellationToken,
): Promise<TestsAnswer> => {
  const loaded = await loadTestCases(workspace, uri, token);
  if (typeof loaded === 'string') return failed(loaded);
  const { part, configuration, graph, cases, inputs } = loaded;
  const decider = createCaseDecider(graph, { clock: { now: 0 } });
  const results = await withAbortSignal(token, (signal) =>
    runCases(cases.filter(isClaims), decider, {
      bail: false,
      monotonic: () => performance.now(),
      signal,
      pause: () => new Promise((resolve) => setTimeout(resolve, 0)),
    }),
  );
  const resultOf = new Map(results.map((result) => [result.test, result]));
  const withPath = new Set(
    results.filter(({ differences }) => differences.length > 0).slice(0, limits.testPaths),
  );
  return {
    results: cases.map((test) => {
      const result = resultOf.get(test);
      const hasPath = result !== undefined && withPath.has(result);
      return shownResult(test, result, { part, configuration, hasPath });
    }),
    inputs,
    ...commandOf(uri),
  };
};

const failed = (problem: string): TestsAnswer => ({ results: [], problem });

const isClaims = ({ input }: TestCase): boolean => input.kind === 'claims';

interface Shown {
  readonly part: TestFilePart;
  readonly configuration: ConfigurationPart;
  readonly hasPath: boolean;
}

const shownResult = (
  test: TestCase,
  result: CaseResult | undefined,
  { part, configuration, hasPath }: Shown,
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
  if (!hasPath) return { ...shown, status: 'failed', differences };
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
  input.kind === 'request'
    ? 'a whole request passes authenticators that the editor does not run; authgraph test runs this case'
    : 'Signed tokens are not run in the editor. Run authgraph test.';
