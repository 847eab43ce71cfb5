/** The documentation of a configuration field, for completion and hover. */
import {
  configurationDocs,
  type FieldRow,
  type FieldType,
  type Release,
  releaseName,
} from '@authgraph/engine/language';
import { block, paragraphs } from './markdown.ts';

/** Returns trusted Markdown. */
export const fieldText = (row: FieldRow, release: Release): string => {
  const since = row.since === undefined ? '' : `Since ${releaseName(row.since)}.`;
  const missing =
    row.since !== undefined && row.since > release
      ? ` Not available in the target release ${releaseName(release)}.`
      : '';
  return paragraphs(
    row.doc,
    `${row.required ? 'Required' : 'Optional'} · ${typeName(row.type)} · if absent: ${row.absent}`,
    `${since}${missing}`.trim(),
    block('yaml', exampleText(row)),
    `[Documentation](${configurationDocs})`,
  );
};

const typeName = (type: FieldType): string => {
  if (type.kind === 'bool') return 'boolean';
  if (type.kind === 'struct') return 'object';
  if (type.kind === 'list')
    return type.item.kind === 'struct' ? 'list of objects' : 'list of strings';
  return type.values === undefined
    ? 'string'
    : type.values.map((value) => `\`${value}\``).join(' or ');
};

const exampleText = ({ name, example }: FieldRow): string =>
  example.startsWith('- ') ? `${name}:\n  ${example}` : `${name}: ${example}`;
