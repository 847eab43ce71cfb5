/** Writes the JSON Schemas of test files and request files for editors. */
import type { Row } from '../../engine/src/config/rows/row.ts';
import { presetNames } from '../../engine/src/providers/presets.ts';
import { requestRows, testRows } from '../../engine/src/simulate/tests/test-rows.ts';
import { printedSchema } from './configuration-schema.ts';
import { mapSchema } from './row-schema.ts';

/** Returns docs/schema/authtest.v1.json, draft-07. The reader reports more mistakes. */
export const testFileSchema = (): string =>
  schema(testRows(presetNames), {
    title: '*.authtest.yaml',
    description:
      'Tests of an authentication configuration for `authgraph test`. Generated from the table of fields.',
  });

/** Returns docs/schema/request.v1.json, draft-07. */
export const requestFileSchema = (): string =>
  schema(requestRows(presetNames), {
    title: 'request.yaml',
    description:
      'A whole request for `authgraph whoami --request`. Generated from the table of fields.',
  });

const schema = (
  rows: readonly Row[],
  head: { readonly title: string; readonly description: string },
): string =>
  `${printedSchema({
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...head,
    ...mapSchema(rows, {}),
  })}\n`;
