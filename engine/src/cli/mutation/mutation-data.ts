/**
 * Mutation testing as JSON, in the format of mutation-testing-report-schema, which Stryker's report and
 * its editors read.
 */
import { productVersion } from '../../model/product-version.ts';
import type { MutantResult } from '../../simulate/mutation/run-mutants.ts';
import type { SourceFile } from '../../source/source-file.ts';
import type { Span } from '../../source/span.ts';
import { userData } from '../decision-data.ts';
import type { MutatedFile } from './mutated-file.ts';
import { inputOf } from './mutation-text.ts';
import type { NamedCase } from './suite-runs.ts';

export const mutationData = (files: readonly MutatedFile[]): object => ({
  schemaVersion: '2',
  thresholds: { high: 90, low: 60 },
  framework: { name: 'AuthGraph', version: productVersion },
  files: Object.fromEntries(
    files.map(({ source, results, toFile }) => [
      source.uri,
      {
        language: 'yaml',
        source: source.text,
        mutants: results.map((result) => mutantData(result, source, toFile)),
      },
    ]),
  ),
  testFiles: testFiles(files.flatMap(({ cases }) => cases)),
});

const mutantData = (
  { mutant, status, reason, witness }: MutantResult,
  source: SourceFile,
  toFile: (own: Span) => Span,
): object => {
  const { start, end } = toFile(mutant.span);
  return {
    id: `${source.uri}#${mutant.id}`,
    mutatorName: mutant.operator,
    description: `${mutant.at}: ${mutant.description}`,
    replacement: mutant.replacement,
    location: { start: position(source, start), end: position(source, end) },
    status,
    ...(status === 'Killed' ? { killedBy: [reason] } : {}),
    ...(status === 'Killed' || reason === undefined ? {} : { statusReason: reason }),
    ...(witness === undefined
      ? {}
      : {
          statusReason: `access ${witness.kind}: ${JSON.stringify(inputOf(witness))}`,
          witness: {
            ...witness,
            before: userData(witness.before),
            after: userData(witness.after),
          },
        }),
  };
};

const position = (source: SourceFile, offset: number): object => {
  const { line, column } = source.positionAt(offset);
  return { line: line + 1, column: column + 1 };
};

const testFiles = (cases: readonly NamedCase[]): object => {
  const groups = Map.groupBy(cases, ({ suite }) => suite.source);
  return Object.fromEntries(
    [...groups].map(([source, some]) => [
      source.uri,
      {
        tests: some.map(({ id, test }) => ({
          id,
          name: test.name,
          location: { start: position(source, test.span.start) },
        })),
      },
    ]),
  );
};
