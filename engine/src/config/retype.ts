/** Fixes for a value with a wrong type, where the intended value is obvious. */
import { asAccessChanging, type Fix } from '../diagnostics/diagnostic.ts';
import type { DataNode } from '../documents/yaml/data.ts';
import { singleQuote } from '../documents/yaml/scalar-text.ts';
import { type Span, span } from '../source/span.ts';
import { startOfLine } from './rules/layout-fixes.ts';
import type { FieldType } from './schema.ts';

export const retypeFixes = (data: DataNode, type: FieldType, text: string): readonly Fix[] => {
  const written = text.slice(data.span.start, data.span.end);
  switch (type.kind) {
    case 'string':
      return quoteFixes(data, written);
    case 'bool': {
      const value = data.kind === 'string' ? booleans.get(data.text.toLowerCase()) : undefined;
      // The only bool is `anonymous.enabled`.
      return value === undefined
        ? []
        : replaceFixes(data.span, value, `Write ${value}`).map(asAccessChanging);
    }
    case 'list':
      return listFixes(data, type.item, { written, text });
    case 'struct':
      return [];
  }
};

/** Quotes a scalar that was meant as a string, or an expression in brackets. */
const quoteFixes = ({ kind, span: where }: DataNode, written: string): readonly Fix[] => {
  const title = 'Quote the value';
  if ((kind === 'number' || kind === 'bool') && /^[-+.:\w]+$/.test(written))
    return replaceFixes(where, `"${written}"`, title);
  const isFlow = /^(?:\[.*\]|\{.*\})$/.test(written);
  if ((kind !== 'array' && kind !== 'object') || !isFlow || !written.includes('claims')) return [];
  return replaceFixes(where, singleQuote(written), title);
};

const booleans: ReadonlyMap<string, string> = new Map([
  ['true', 'true'],
  ['yes', 'true'],
  ['on', 'true'],
  ['false', 'false'],
  ['no', 'false'],
  ['off', 'false'],
]);

/** Wraps a single item in a list. */
const listFixes = (
  data: DataNode,
  item: FieldType,
  { written, text }: { readonly written: string; readonly text: string },
): readonly Fix[] => {
  const title = 'Convert to a list';
  const isItem =
    item.kind === 'struct'
      ? data.kind === 'object' && data.entries.length > 0
      : data.kind === item.kind && data.kind === 'string';
  if (!isItem) return [];
  // A comma separates the items of a flow list, so a plain scalar must not contain one.
  if (/^["'{]/.test(written) || /^[\w./:@-]*\w$/.test(written))
    return replaceFixes(data.span, `[${written}]`, title);
  return data.kind === 'object' ? dashFixes(data.span, text, title) : [];
};

/** Turns a block map into the item of a block list: its first key moves behind a dash. */
const dashFixes = ({ start }: Span, text: string, title: string): readonly Fix[] => {
  const lineStart = startOfLine(text, start);
  const lead = text.slice(lineStart, start);
  const [, parent] =
    /(?:^|[\r\n])( *(?:- +)*)[\w"']+[ \t]*:[ \t]*(?:#.*)?[\r\n]+$/.exec(
      text.slice(Math.max(0, lineStart - 200), lineStart),
    ) ?? [];
  // The dash may be directly below the key, but not further left.
  if (!/^ {2,}$/.test(lead) || parent === undefined || lead.length < parent.length + 2) return [];
  return [{ title, edits: [{ span: span(start - 2, start), newText: '- ' }] }];
};

const replaceFixes = (where: Span, newText: string, title: string): readonly Fix[] => [
  { title, edits: [{ span: where, newText }] },
];
