/** What there is to say about a field of the configuration, for completion and hover. */
import {
  configurationDocs,
  type FieldRow,
  type FieldType,
  type Release,
  releaseName,
} from '@authgraph/engine/language';
import { block, paragraphs } from './markdown.ts';

/** Markdown; all of it is ours. */
export const fieldText = (row: FieldRow, release: Release): string => {
  const since = row.since === undefined ? '' : `Since ${releaseName(row.since)}.`;
  const missing =
    row.since !== undefined && row.since > release
      ? ` The target release ${releaseName(release)} does not know it.`
      : '';
  return paragraphs(
    row.doc,
    `${row.required ? 'Required' : 'Optional'} · ${typeName(row.type)} · without it: ${row.absent}`,
    `${since}${missing}`.trim(),
    block('yaml', exampleText(row)),
    `[Documentation](${configurationDocs})`,
  );
};

const typeName = (type: FieldType): string => {
  if (type.kind === 'bool') return 'true or false';
  if (type.kind === 'struct') return 'map';
  if (type.kind === 'list') return type.item.kind === 'struct' ? 'list of maps' : 'list of texts';
  return type.values === undefined
    ? 'text'
    : type.values.map((value) => `\`${value}\``).join(' or ');
};

const exampleText = ({ name, example }: FieldRow): string =>
  example.startsWith('- ') ? `${name}:\n  ${example}` : `${name}: ${example}`;
