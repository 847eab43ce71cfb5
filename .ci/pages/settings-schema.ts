/** Writes docs/schema/settings.v1.json, a JSON Schema of settings files for editors. */
import { catalog } from '../../engine/src/catalog.ts';
import {
  maxSettingItems,
  type SettingRow,
  type SettingType,
  settingRows,
} from '../../engine/src/settings/setting-rows.ts';
import { lintLevels } from '../../engine/src/settings/settings.ts';
import { printedSchema } from './configuration-schema.ts';

const lints = catalog.filter(({ source }) => source === 'lint');

/** Returns the schema, draft-07. The reader reports more mistakes. */
export const settingsSchema = (): string =>
  `${printedSchema({
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: '.authgraph.yaml',
    description:
      'Settings of AuthGraph for a folder and everything below it. Generated from the table of settings; `authgraph check .authgraph.yaml` reports more mistakes.',
    ...map(settingRows, ['object', 'null']),
    definitions: {
      level: { enum: lintLevels },
      lint: { enum: lints.flatMap(({ code, name }) => [code, name]) },
    },
  })}\n`;

const map = (rows: readonly SettingRow[], type: unknown = 'object'): object => {
  const required = rows.flatMap((row) => (row.required === true ? [row.name] : []));
  return {
    type,
    additionalProperties: false,
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(
      rows.map((row) => [row.name, { description: row.doc, ...schemaOf(row.type) }]),
    ),
  };
};

const schemaOf = (type: SettingType): object => {
  switch (type.kind) {
    case 'choice':
      return { enum: type.values };
    case 'string':
      return {
        type: 'string',
        minLength: 1,
        ...(type.pattern === undefined ? {} : { pattern: type.pattern.source }),
      };
    case 'lint':
      return { allOf: [{ $ref: '#/definitions/lint' }] };
    case 'list':
      return { type: 'array', maxItems: maxSettingItems, items: schemaOf(type.item) };
    case 'map':
      return map(type.rows);
    case 'levels':
      return {
        type: 'object',
        additionalProperties: false,
        properties: Object.fromEntries([
          ['*', levelOf('All lints that are not listed.')],
          ...lints.flatMap(({ code, name, summary }) => [
            [code, levelOf(`${name}: ${summary}`)],
            [name, levelOf(`${code}: ${summary}`)],
          ]),
        ]),
      };
  }
};

const levelOf = (description: string): object => ({
  description,
  allOf: [{ $ref: '#/definitions/level' }],
});
