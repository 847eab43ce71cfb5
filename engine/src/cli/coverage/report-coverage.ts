/** The coverage report of `authgraph test --coverage`. */
import { coveragePercent } from '../../simulate/coverage/coverage.ts';
import { painter, wantsColor } from '../color.ts';
import { type CommandArguments, fail, printError } from '../command.ts';
import type { Io } from '../io.ts';
import type { SuiteResult } from '../testing/suite-result.ts';
import { type FileCoverage, percentText, totalOf } from './file-coverage.ts';
import {
  type CoveredSuite,
  suiteCoverage,
  testsByConfiguration,
  testsOf,
} from './suite-coverage.ts';

/** Writes the report; returns false if the coverage is below `--fail-under`. */
export const reportCoverage = async (
  suites: readonly SuiteResult<CoveredSuite>[],
  read: CommandArguments,
  io: Io,
): Promise<boolean> => {
  const { values } = read;
  const files = testsByConfiguration(testsOf(suites)).map(suiteCoverage);
  if (files.length === 0)
    return fail(io, 'coverage needs the text of a configuration; an artifact has none');
  const path = values.string('coverage-out');
  const text = await coverageReport(files, read, io);
  if (path === '') io.stdout.write(text);
  else {
    const failure = await io.writeText(path, text);
    if (failure !== undefined) fail(io, failure.reason, failure.help);
  }
  const percent = coveragePercent(totalOf(files));
  const least = values.number('fail-under');
  if (percent >= least) return true;
  printError(io, `coverage is ${percentText(percent)}, which is less than --fail-under ${least}`);
  return false;
};

const coverageReport = async (
  files: readonly FileCoverage[],
  { values }: CommandArguments,
  io: Io,
): Promise<string> => {
  switch (values.string('coverage')) {
    case 'lcov': {
      const { coverageLcov } = await import('./coverage-lcov.ts');
      return coverageLcov(files);
    }
    case 'html': {
      const { coverageHtml } = await import('./coverage-html.ts');
      return coverageHtml(files);
    }
    case 'json': {
      const { coverageData } = await import('./coverage-data.ts');
      return `${JSON.stringify(coverageData(files), undefined, 2)}\n`;
    }
    default: {
      const { coverageText } = await import('./coverage-text.ts');
      const isPrinted = values.string('coverage-out') === '';
      const color = isPrinted && wantsColor(values.string('color'), io.stdout, io);
      return coverageText(files, painter(color));
    }
  }
};
