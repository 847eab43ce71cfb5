/** Writes docs/schema/settings.v1.json, a JSON Schema of settings files for editors. */
import { catalog } from '../../engine/src/catalog.ts';
import { settingRows } from '../../engine/src/settings/setting-rows.ts';
import { lintLevels } from '../../engine/src/settings/settings.ts';
import { printedSchema } from './configuration-schema.ts';
import { mapSchema } from './row-schema.ts';

const lints = catalog.filter(({ source }) => source === 'lint');

/** Returns the schema, draft-07. The reader reports more mistakes. */
export const settingsSchema = (): string =>
  `${printedSchema({
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: '.authgraph.yaml',
    description:
      'Settings of AuthGraph for a folder and everything below it. Generated from the table of settings; `authgraph check .authgraph.yaml` reports more mistakes.',
    ...mapSchema(settingRows, { type: ['object', 'null'], custom: lintSchema }),
    definitions: {
      level: { enum: lintLevels },
      lint: { enum: lints.flatMap(({ code, name }) => [code, name]) },
    },
  })}\n`;

const lintSchema = (id: string): object =>
  id === 'lint' ? { allOf: [{ $ref: '#/definitions/lint' }] } : levelsSchema();

const levelsSchema = (): object => ({
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries([
    ['*', levelOf('All lints that are not listed.')],
    ...lints.flatMap(({ code, name, summary }) => [
      [code, levelOf(`${name}: ${summary}`)],
      [name, levelOf(`${code}: ${summary}`)],
    ]),
  ]),
});

const levelOf = (description: string): object => ({
  description,
  allOf: [{ $ref: '#/definitions/level' }],
});
