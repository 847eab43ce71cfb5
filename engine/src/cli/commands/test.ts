/** `authgraph test PATH…`: runs the cases of test files. */

import { renderText } from '../../diagnostics/render.ts';
import { isTestFile } from '../../simulate/tests/test-rows.ts';
import { painter, wantsColor } from '../color.ts';
import {
  type CommandArguments,
  configFlag,
  defineCommand,
  forceFlag,
  outFlag,
  outputFlag,
  printError,
  stringFlag,
  targetVersionFlag,
  writeResult,
} from '../command.ts';
import { coverageFlags, coverageMisuse } from '../coverage/coverage-flags.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { showFileProgress } from '../file-progress.ts';
import type { Io } from '../io.ts';
import type { TestThreadData } from '../testing/file-message.ts';
import type { SuiteContext } from '../testing/load-suite.ts';
import type { FileThreads } from '../testing/run-tests.ts';
import type { TestedSuite, TestRun } from '../testing/suite-result.ts';

export const testCommand = defineCommand({
  name: 'test',
  usage: '[flags] [FILE|FOLDER…]',
  about:
    'Runs the cases of test files (*.authtest.yaml): claims, tokens signed with a test key, and whole requests, each with the user or the rejection that is expected. The compiled configuration decides, as in the server. In a folder, every test file is run; without arguments, those of the current folder. The network is never used. A failure is printed with the expected and the actual value and the path through the graph.',
  flags: [
    stringFlag(
      'Selection',
      'filter',
      'TEXT',
      'Run only cases whose file or name contains this text, in any letter case.',
    ),
    {
      name: 'bail',
      group: 'Selection',
      type: 'bool',
      doc: 'Stop after the first failure.',
    },
    {
      name: 'parallel',
      group: 'Selection',
      type: 'int',
      default: '0',
      placeholder: 'N',
      doc: 'Run up to this many test files at the same time, each on a thread; 1 for one after the other. 0 means one per processor, as soon as a run is long enough for threads to be faster.',
    },
    {
      name: 'watch',
      shorthand: 'w',
      group: 'Selection',
      type: 'bool',
      doc: 'Run again whenever a file in the folders changes, until Ctrl-C.',
    },
    stringFlag(
      'Selection',
      'init',
      'FILE',
      'Write a first test file from --config and its samples instead of running tests; - for standard output. An existing file is overwritten only with --force.',
    ),
    { ...forceFlag, group: 'Selection', doc: 'With --init: overwrite an existing file.' },
    {
      ...configFlag,
      doc: 'With --init: the configuration to write tests for.',
    },
    {
      ...outputFlag,
      choices: ['text', 'json', 'junit', 'tap', 'github'],
      doc: 'Output format: text for people, JSON, JUnit XML, TAP 14 or GitHub annotations.',
    },
    outFlag,
    ...coverageFlags,
    {
      name: 'verbose',
      shorthand: 'v',
      group: 'Output',
      type: 'bool',
      doc: 'List the cases that pass, too.',
    },
    targetVersionFlag,
  ],
  examples: [
    { line: 'authgraph test', does: 'every test file in the current folder' },
    { line: 'authgraph test samples --filter github', does: 'the cases about GitHub' },
    { line: 'authgraph test --watch clusters/', does: 'again after each change' },
    { line: 'authgraph test -o junit --out report.xml', does: 'a report for a CI system' },
    {
      line: 'authgraph test --coverage html --coverage-out coverage.html --fail-under 90',
      does: 'what the cases do not exercise',
    },
    {
      line: 'authgraph test --init auth.authtest.yaml -c auth.yaml',
      does: 'a first test file for a configuration and its samples',
    },
  ],
  operands: [0, Number.POSITIVE_INFINITY],
  readsBelow: isTestFile,
  run: (read, io) => runTestCommand(read, io),
});

const runTestCommand = async (read: CommandArguments, io: Io): Promise<ExitCode> => {
  const { values, operands } = read;
  const problem = misuse(read);
  if (problem !== undefined) return read.misuse(problem);
  if (values.isSet('init')) {
    const { writeFirstTests } = await import('../testing/first-tests.ts');
    return writeFirstTests(read, io);
  }
  const paths = operands.length === 0 ? ['.'] : operands;
  if (!values.bool('watch')) return runOnce(paths, read, io);
  const { watchTests } = await import('../testing/watch-tests.ts');
  return watchTests(paths, io, () => runOnce(paths, read, io));
};

const misuse = ({ values, operands }: CommandArguments): string | undefined => {
  if (values.isSet('init')) {
    if (operands.length > 0)
      return '--init writes one file: specify the configuration with --config';
    if (values.string('config') === '') return '--init requires --config FILE';
    if (coverageFlags.some(({ name }) => values.isSet(name)))
      return '--init runs no tests and cannot be used with --coverage';
    return undefined;
  }
  if (values.bool('force')) return '--force can only be used with --init';
  if (values.isSet('config'))
    return '--config can only be used with --init; a test file names its configuration itself';
  if (values.bool('watch') && values.string('out') !== '-')
    return '--watch and --out are mutually exclusive';
  if (values.bool('watch') && operands.includes('-')) return 'standard input cannot be watched';
  if (values.number('parallel') < 0) return '--parallel must be 0 or more';
  return coverageMisuse(values);
};

const runOnce = async (
  paths: readonly string[],
  read: CommandArguments,
  io: Io,
): Promise<ExitCode> => {
  const { values } = read;
  const { runTests } = await import('../testing/run-tests.ts');
  const { chosenRelease } = await import('../testing/release-settings.ts');
  const targetRelease = chosenRelease(read);
  const context = { targetRelease, io, compiled: new Map() };
  const selection = { filter: values.string('filter'), bail: values.bool('bail') };
  const threads = await threadsFor(paths, { selection, targetRelease }, read, io);
  const run = await runTests(paths, context, {
    ...selection,
    onProgress: (done, all) => showFileProgress('testing file', done, all, io.stderr),
    ...(threads && { threads }),
  });
  await printRun(run, read, io);
  if (io.signal.aborted) {
    printError(io, 'interrupted before all cases were run');
    return exitCodes.failed;
  }
  if (run.broken.length > 0) return exitCodes.failed;
  const { countsOf } = await import('../testing/suite-result.ts');
  const { passed, failed } = countsOf(run.suites);
  if (passed + failed === 0) {
    printError(io, 'no case was run', noCasesHelp(values.string('filter')));
    return exitCodes.failed;
  }
  const isCovered = await isCoveredEnough(run, read, context);
  return failed === 0 && isCovered ? exitCodes.ok : exitCodes.problems;
};

/** Returns the threads that may run files; other threads cannot read standard input. */
const threadsFor = async (
  paths: readonly string[],
  data: TestThreadData,
  { values }: CommandArguments,
  io: Io,
): Promise<FileThreads<TestedSuite> | undefined> => {
  const parallel = values.number('parallel');
  const { maxThreads } = io;
  if (parallel === 1 || maxThreads === 1 || paths.includes('-')) return undefined;
  const { usefulThreads } = await import('../testing/useful-threads.ts');
  return {
    useful: (progress) => usefulThreads(progress, { parallel, maxThreads }),
    async run(files, options) {
      const { runOnThreads } = await import('../testing/file-threads.ts');
      return runOnThreads(files, { ...data, ...options, io });
    },
  };
};

/** Writes the coverage report, if there is to be one. */
const isCoveredEnough = async (
  { suites }: TestRun,
  read: CommandArguments,
  context: SuiteContext,
): Promise<boolean> => {
  if (read.values.string('coverage') === 'none') return true;
  const { withConfigurations } = await import('../coverage/suite-coverage.ts');
  const { reportCoverage } = await import('../coverage/report-coverage.ts');
  return reportCoverage(await withConfigurations(suites, context), read, context.io);
};

const noCasesHelp = (filter: string): string =>
  filter === '' ? '' : `No file or name of a case contains ${JSON.stringify(filter)}.`;

const printRun = async (run: TestRun, read: CommandArguments, io: Io): Promise<void> => {
  const { values } = read;
  const format = values.string('output');
  if (format === 'text') {
    await printText(run, read, io);
    return;
  }
  if (format === 'json') {
    const { testJson } = await import('../testing/data-report.ts');
    await writeResult(testJson(run), read, io);
    return;
  }
  const { githubTests, junitXml, tapText } = await import('../testing/ci-reports.ts');
  const formats = { junit: junitXml, tap: tapText, github: githubTests };
  const report = format === 'junit' || format === 'tap' ? formats[format] : formats.github;
  await writeResult(report(run), read, io);
};

const printText = async (run: TestRun, read: CommandArguments, io: Io): Promise<void> => {
  const { values } = read;
  const { suiteText, summaryText } = await import('../testing/text-report.ts');
  const isPrinted = values.string('out') === '-';
  const color = values.string('color');
  const options = {
    paint: painter(isPrinted && wantsColor(color, io.stdout, io)),
    width: io.stdout.columns,
    verbose: values.bool('verbose'),
  };
  await writeResult(run.suites.map((suite) => suiteText(suite, options)).join(''), read, io);
  for (const broken of run.broken) {
    if (broken.kind === 'failure') printError(io, broken.reason, broken.help);
    else
      io.stderr.write(
        renderText([broken.report], {
          color: wantsColor(color, io.stderr, io),
          width: io.stderr.columns,
        }),
      );
  }
  io.stderr.write(summaryText(run, painter(wantsColor(color, io.stderr, io))));
};
