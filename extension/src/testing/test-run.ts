/** A run of tests: which files and cases it has, and the results of each file. */
import { inMessage, type TestResult, type TestsAnswer } from '@authgraph/language-server/protocol';
import {
  type CancellationToken,
  Location,
  Position,
  type TestController,
  type TestItem,
  TestMessage,
  type TestRun,
  type TestRunRequest,
  workspace,
} from 'vscode';
import { errorMessage } from '../error-message.ts';
import type { ServerRequests } from '../requests.ts';
import { type CoveredFile, createCoverageTotals } from './coverage-details.ts';
import { failureMessages } from './failure-message.ts';
import { fileOf, itemsOf, type TestItems } from './test-items.ts';

export type TestRequests = Pick<ServerRequests, 'testCases' | 'tests' | 'coverage'>;

export interface TestRunner {
  readonly controller: TestController;
  readonly items: TestItems;
  /** Starts the language server if it is not running. */
  readonly requests: () => Promise<TestRequests>;
  /** Called with the files that decided the cases of a test file. */
  onInputs(file: TestItem, inputs: readonly string[]): void;
}

export interface RunOptions {
  readonly token: CancellationToken;
  /** Whether the run also measures coverage. */
  readonly hasCoverage: boolean;
  /** Limits the run to some of the requested files. */
  readonly isWanted?: (file: TestItem) => boolean;
}

/** Runs the requested tests, and returns the coverage of the configurations. */
export const runTests = async (
  runner: TestRunner,
  request: TestRunRequest,
  { token, hasCoverage, isWanted = () => true }: RunOptions,
): Promise<readonly CoveredFile[]> => {
  const run = runner.controller.createTestRun(request);
  const isCanceled = (): boolean =>
    token.isCancellationRequested || run.token.isCancellationRequested;
  const totals = createCoverageTotals();
  try {
    const requests = await runner.requests();
    const selections = selectionsOf(request, runner.controller).filter(({ file }) =>
      isWanted(file),
    );
    for (const selection of selections) {
      if (isCanceled()) break;
      const indexes = await runFile({ run, requests, runner, isCanceled }, selection);
      if (!hasCoverage || indexes.length === 0 || isCanceled()) continue;
      const { file } = selection;
      const answer = await requests.coverage({ uri: file.id, cases: indexes }, run.token);
      if (answer.problem !== undefined)
        output(run, `${file.label}: no coverage: ${answer.problem}`);
      totals.add(answer.configurations);
    }
    const files = totals.files();
    for (const { coverage } of files) run.addCoverage(coverage);
    return files;
  } catch (cause) {
    output(run, errorMessage(cause));
    return [];
  } finally {
    run.end();
  }
};

/** The cases of a file that a run has. */
interface Selection {
  readonly file: TestItem;
  isSelected(item: TestItem): boolean;
}

/** Returns the files of a run, which are all files if the request names none. */
export const selectionsOf = (
  { include, exclude = [] }: TestRunRequest,
  controller: TestController,
): readonly Selection[] => {
  const excluded = new Set(exclude);
  const casesByFile = new Map<TestItem, Set<TestItem> | 'all'>();
  for (const item of include ?? itemsOf({ children: controller.items })) {
    const file = fileOf(item);
    const before = casesByFile.get(file);
    if (item === file) casesByFile.set(file, 'all');
    else if (before !== 'all') casesByFile.set(file, new Set([...(before ?? []), item]));
  }
  return [...casesByFile]
    .filter(([file]) => !excluded.has(file))
    .map(([file, cases]) => ({
      file,
      isSelected: (item) => !excluded.has(item) && (cases === 'all' || cases.has(item)),
    }));
};

interface FileRun {
  readonly run: TestRun;
  readonly requests: TestRequests;
  readonly runner: TestRunner;
  isCanceled(): boolean;
}

/** Runs the cases of a file; returns the indexes of those that were reported. */
const runFile = async (
  { run, requests, runner, isCanceled }: FileRun,
  { file, isSelected }: Selection,
): Promise<readonly number[]> => {
  for (const item of itemsOf(file)) if (isSelected(item)) run.started(item);
  const version = runner.items.nextVersion();
  const answer = await requests.tests({ uri: file.id }, run.token);
  if (isCanceled()) return [];
  if (answer.problem !== undefined) {
    await reportProblem({ run, requests, runner }, file, answer.problem);
    return [];
  }
  runner.onInputs(file, answer.inputs ?? []);
  const items = runner.items.update(file, { cases: answer.results }, version);
  const reported: number[] = [];
  for (const [index, item] of items.entries()) {
    const result = answer.results[index];
    if (result === undefined || item === undefined || !isSelected(item)) continue;
    reportResult(run, item, result);
    reported.push(index);
  }
  output(run, summaryOf(file, reported, answer));
  return reported;
};

/** Reports why no case of a file was run, at the place of the mistake. */
const reportProblem = async (
  { run, requests, runner }: Pick<FileRun, 'run' | 'requests' | 'runner'>,
  file: TestItem,
  problem: string,
): Promise<void> => {
  const version = runner.items.nextVersion();
  const listed = await requests.testCases({ uri: file.id });
  runner.items.update(file, { ...listed, problem: listed.problem ?? inMessage(problem) }, version);
  const message = new TestMessage(inMessage(problem));
  const { start } = listed.place?.range ?? { start: { line: 0, character: 0 } };
  if (file.uri !== undefined)
    message.location = new Location(file.uri, new Position(start.line, start.character));
  run.errored(file, message);
  output(run, `${file.label}: ${problem}`);
};

const reportResult = (run: TestRun, item: TestItem, result: TestResult): void => {
  if (result.status === 'passed') run.passed(item);
  else if (result.status === 'failed') run.failed(item, failureMessages(item, result));
  else {
    run.skipped(item);
    output(run, `${item.label}: skipped: ${result.reason ?? ''}`, item);
  }
};

const summaryOf = (
  file: TestItem,
  reported: readonly number[],
  { results, commandLine }: TestsAnswer,
): string => {
  const counts = (['passed', 'failed', 'skipped'] as const).map((status) => {
    const count = reported.filter((index) => results[index]?.status === status).length;
    return `${count} ${status}`;
  });
  const command = commandLine === undefined ? '' : ` (${commandLine})`;
  return `${file.uri === undefined ? file.label : workspace.asRelativePath(file.uri)}: ${counts.join(', ')}${command}`;
};

/** Writes to the terminal of the results; names and claims must not control it. */
const output = (run: TestRun, text: string, item?: TestItem): void =>
  run.appendOutput(`${inMessage(text).replaceAll('\n', '\r\n')}\r\n`, undefined, item);
