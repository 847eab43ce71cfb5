/** Measures the coverage of configurations by test files. */
import { coverageCaseOf } from '../../simulate/coverage/coverage-case.ts';
import { measureCoverage } from '../../simulate/coverage/measure-coverage.ts';
import type { TestCase } from '../../simulate/tests/test-case.ts';
import type { CompiledConfiguration } from '../compile-text.ts';
import type { Suite } from '../testing/load-suite.ts';
import type { SuiteResult } from '../testing/suite-result.ts';
import { coverageInFile, type FileCoverage } from './file-coverage.ts';

/** The cases of all test files for one configuration. */
export interface ConfigurationTests {
  readonly configuration: CompiledConfiguration;
  readonly tests: readonly { readonly suite: Suite; readonly cases: readonly TestCase[] }[];
}

/** Returns the cases of test files that were run. */
export const testsOf = (suites: readonly SuiteResult[]): ConfigurationTests['tests'] =>
  suites.map(({ suite, results }) => ({ suite, cases: results.map(({ test }) => test) }));

/** Groups test files by their configuration. Artifacts have no text and are left out. */
export const testsByConfiguration = (
  tests: ConfigurationTests['tests'],
): readonly ConfigurationTests[] => {
  const groups = Map.groupBy(tests, ({ suite }) => suite.loaded);
  return [...groups].flatMap(([configuration, some]) =>
    configuration.kind === 'compiled' ? [{ configuration, tests: some }] : [],
  );
};

export const suiteCoverage = ({ configuration, tests }: ConfigurationTests): FileCoverage => {
  const cases = tests.flatMap((one) => one.cases);
  const { source, compilation, toFile } = configuration;
  const decided = cases.map(coverageCaseOf).filter((one) => one !== undefined);
  const { places } = measureCoverage(compilation, decided);
  return coverageInFile(source, { cases: cases.length, places }, toFile);
};
