/** Completion of fields, list entries, and what follows a field's colon. */
import {
  entrySkeletons,
  type FieldRow,
  type FieldType,
  type ItemPlace,
  type KeyPlace,
  newestRelease,
  type OfferedField,
  type OpenPlace,
  offeredFields,
  releaseName,
  type Skeleton,
  skeletonsOf,
  span,
} from '@authgraph/engine/language';
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import { itemOf, type SnippetPiece, skeletonPieces } from './completion-item.ts';
import type { PartContext } from './feature.ts';
import { fieldText } from './field-text.ts';

export const completeFields = (
  context: PartContext,
  place: KeyPlace | ItemPlace | OpenPlace,
): readonly CompletionItem[] => {
  if (place.kind === 'key') return keyItems(context, place);
  if (place.kind === 'item') return entryItems(context, place);
  return openItems(context, place);
};

const keyItems = (context: PartContext, place: KeyPlace): readonly CompletionItem[] => {
  const release = context.part.compilation.settings.targetRelease;
  const { text } = context.part.compilation.document.source;
  const offered = offeredFields(place.struct, place.present, release);
  return offered.flatMap((field, order) => {
    const { row, isNewer } = field;
    const skeletons = place.hasColon
      ? [{ variant: '', body: '' }]
      : place.layout === 'block'
        ? skeletonsOf(place.struct, row.name, { release, present: place.present })
        : [{ variant: '', body: flowBody(row.type, place.layout) }];
    return skeletons.map((skeleton, index) =>
      itemOf(context.part.places, {
        label: row.name,
        ...(skeleton.variant === '' ? {} : { signature: ` ${skeleton.variant}` }),
        aside: asideOf(field),
        kind: kindOf(row.type),
        documentation: fieldText(row, release),
        pieces: keyPieces(row.name, skeleton, place),
        span: span(place.written.start, keyEnd(text, place)),
        sort: `${isNewer ? 9 : row.required ? 0 : 1}${String(order).padStart(2, '0')}${index}`,
      }),
    );
  });
};

const asideOf = ({ row, isNewer }: OfferedField): string => {
  const since = row.since === undefined ? '' : releaseName(row.since);
  if (isNewer) return `requires ${since}`;
  if (row.required) return 'required';
  return since === '' ? '' : `since ${since}`;
};

/** The closing quote of a key without a colon is rewritten together with what follows it. */
const keyEnd = (text: string, { written, quoted, hasColon }: KeyPlace): number =>
  quoted && !hasColon && /["']/.test(text[written.end] ?? '') ? written.end + 1 : written.end;

const keyPieces = (name: string, { body }: Skeleton, place: KeyPlace): readonly SnippetPiece[] => {
  if (place.hasColon) return [name];
  const { layout, quoted, offset } = place;
  const closing = quoted || layout === 'json' ? '"' : '';
  const opening = quoted ? '' : closing;
  return skeletonPieces(`${opening}${name}${closing}:${indented(body, offset)}`);
};

const flowBody = (type: FieldType, layout: 'flow' | 'json'): string => {
  if (type.kind === 'struct') return ' {‹›}';
  if (type.kind === 'list') return ' [‹›]';
  return layout === 'json' && type.kind === 'string' ? ' "‹›"' : ' ‹›';
};

/** Indents further lines relative to the indentation of the first one. */
const indented = (body: string, columns: number): string =>
  body.replaceAll('\n', `\n${' '.repeat(columns)}`);

const entryItems = (context: PartContext, place: ItemPlace): readonly CompletionItem[] => {
  const { type, row, written } = place;
  const struct = type.kind === 'struct' ? type.struct : undefined;
  const skeletons = struct === undefined ? [{ variant: '', body: '‹›' }] : entrySkeletons(struct);
  return skeletons.map(({ variant, body }, index) => {
    const [first = ''] = body.replaceAll(/[‹›]/g, '').split('\n');
    return itemOf(context.part.places, {
      label: struct === undefined ? '- ' : `- ${/^\w+:/.exec(first)?.[0] ?? first}`,
      ...(variant === '' ? {} : { signature: ` ${variant}` }),
      aside: `entry of ${row.name}`,
      kind: CompletionItemKind.Snippet,
      documentation: fieldText(row, context.part.compilation.settings.targetRelease),
      pieces: skeletonPieces(`- ${indented(body, 2)}`),
      span: written,
      filter: `- ${first}`,
      sort: `0${index}`,
    });
  });
};

const openItems = (context: PartContext, place: OpenPlace): readonly CompletionItem[] => {
  const { type, row, written, layout } = place;
  const release = context.part.compilation.settings.targetRelease;
  const { text } = context.part.compilation.document.source;
  const space = text[written.start - 1] === ':' ? ' ' : '';
  const documentation = fieldText(row, release);
  if (layout !== 'block') {
    const [opening, closing] = type.kind === 'struct' ? '{}' : '[]';
    return [
      itemOf(context.part.places, {
        label: `${opening}${closing}`,
        kind: kindOf(type),
        documentation,
        pieces: [`${space}${opening}`, { stop: '' }, `${closing}`],
        span: span(written.start, written.start),
        sort: '0',
      }),
    ];
  }
  return skeletonsByName(row).map(({ variant, body }, index) =>
    itemOf(context.part.places, {
      label: labelOf(body),
      ...(variant === '' ? {} : { signature: ` ${variant}` }),
      aside: row.name,
      kind: CompletionItemKind.Snippet,
      documentation,
      pieces: skeletonPieces(indented(body, place.offset)),
      span: written,
      sort: `0${index}`,
    }),
  );
};

/** Returns skeletons by field name; fields of these types have the same skeleton everywhere. */
const skeletonsByName = ({ name }: FieldRow): readonly Skeleton[] =>
  skeletonsOf('AuthenticationConfiguration', name, { release: newestRelease, present: new Set() });

/** Returns the names that a skeleton starts with, such as `url, audiences`. */
const labelOf = (body: string): string => {
  const lines = body
    .replaceAll(/[‹›]/g, '')
    .split('\n')
    .slice(1)
    .map((line) => line.replace(/^( *)- /, '$1  '));
  const first = /^ */.exec(lines[0] ?? '')?.[0].length ?? 0;
  const names = lines.flatMap((line) => {
    const [, indent = '', name] = /^( *)(\w+):/.exec(line) ?? [];
    return name !== undefined && indent.length === first ? [name] : [];
  });
  const isList = body.startsWith('\n  - ');
  return `${isList ? '- ' : ''}${names.length > 0 ? names.join(', ') : (lines[0] ?? '').trim()}`;
};

const kindOf = ({ kind }: FieldType): CompletionItemKind =>
  kind === 'struct' || kind === 'list' ? CompletionItemKind.Struct : CompletionItemKind.Field;
