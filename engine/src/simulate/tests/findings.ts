/** Findings about a test file. */
import type { InvalidFieldArgs, UnknownFieldArgs } from '../../config/rows/read-rows.ts';
import { defineFinding } from '../../diagnostics/rule.ts';

export const unknownTestField = defineFinding<UnknownFieldArgs>({
  code: 'AG3201',
  name: 'unknown-test-field',
  source: 'tests',
  summary: 'A test file (*.authtest.yaml) or a request file contains an unknown field.',
  message: ({ path }) => `${path}: unknown field`,
  help: ({ near, known }) =>
    near === undefined ? `The fields here are ${known.join(', ')}.` : `Did you mean \`${near}\`?`,
});

export const invalidTest = defineFinding<InvalidFieldArgs>({
  code: 'AG3202',
  name: 'invalid-test',
  source: 'tests',
  summary: 'A test file (*.authtest.yaml) or a request file contains an invalid value.',
  message: ({ path, problem }) => (path === '' ? problem : `${path}: ${problem}`),
  help: ({ help }) => help ?? '',
});
