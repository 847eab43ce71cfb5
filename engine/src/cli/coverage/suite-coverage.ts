/** Measures the coverage of configurations by test files. */
import { coverageCaseOf } from '../../simulate/coverage/coverage-case.ts';
import { measureCoverage } from '../../simulate/coverage/measure-coverage.ts';
import type { TestCase } from '../../simulate/tests/test-case.ts';
import { fail } from '../command.ts';
import type { CompiledConfiguration } from '../compile-text.ts';
import { compileOnce, type Suite, type SuiteContext } from '../testing/load-suite.ts';
import type { SuiteResult, TestedSuite } from '../testing/suite-result.ts';
import { coverageInFile, type FileCoverage } from './file-coverage.ts';

/** The cases of all test files for one configuration. */
export interface ConfigurationTests<Covered extends CoveredSuite = Suite> {
  readonly configuration: CompiledConfiguration;
  readonly tests: readonly { readonly suite: Covered; readonly cases: readonly TestCase[] }[];
}

/** A test file with its configuration. */
export type CoveredSuite = TestedSuite & Pick<Suite, 'loaded'>;

/** Returns the cases of test files that were run. */
export const testsOf = <Covered extends CoveredSuite>(
  suites: readonly SuiteResult<Covered>[],
): ConfigurationTests<Covered>['tests'] =>
  suites.map(({ suite, results }) => ({ suite, cases: results.map(({ test }) => test) }));

/** Compiles the configurations of test files that other threads ran. */
export const withConfigurations = (
  suites: readonly SuiteResult[],
  context: SuiteContext,
): Promise<readonly SuiteResult<CoveredSuite>[]> =>
  Promise.all(
    suites.map(async (result) => {
      const { configuration, file } = result.suite;
      const loaded = await compileOnce(configuration, file.targetRelease, context);
      if (loaded.kind === 'failure') return fail(context.io, loaded.reason, loaded.help);
      return { ...result, suite: { ...result.suite, loaded } };
    }),
  );

/** Groups test files by their configuration. Artifacts have no text and are left out. */
export const testsByConfiguration = <Covered extends CoveredSuite>(
  tests: ConfigurationTests<Covered>['tests'],
): readonly ConfigurationTests<Covered>[] => {
  const groups = Map.groupBy(tests, ({ suite }) => suite.loaded);
  return [...groups].flatMap(([configuration, some]) =>
    configuration.kind === 'compiled' ? [{ configuration, tests: some }] : [],
  );
};

export const suiteCoverage = ({
  configuration,
  tests,
}: ConfigurationTests<CoveredSuite>): FileCoverage => {
  const cases = tests.flatMap((one) => one.cases);
  const { source, compilation, toFile } = configuration;
  const decided = cases.map(coverageCaseOf).filter((one) => one !== undefined);
  const { places } = measureCoverage(compilation, decided);
  return coverageInFile(source, { cases: cases.length, places }, toFile);
};
