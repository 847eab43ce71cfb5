/** A fix that adds a validation rule to an entry, in the layout of the file. */
import type { Fix } from '../../diagnostics/diagnostic.ts';
import { type Span, span } from '../../source/span.ts';
import type { JwtAuthenticatorConfig } from '../configuration.ts';
import {
  blockColumn,
  endOfLine,
  hasKey,
  insertField,
  lineBreakOf,
  startOfLine,
} from './layout-fixes.ts';
import type { RulePlace } from './server-rule.ts';

type RuleList = 'claimValidationRules' | 'userValidationRules';

const nouns: Readonly<Record<RuleList, string>> = {
  claimValidationRules: 'claim',
  userValidationRules: 'user',
};

/** Returns the fix. `expression` must not contain double quotes. */
export const addRule = (
  place: RulePlace,
  entry: JwtAuthenticatorConfig,
  { list, expression }: { readonly list: RuleList; readonly expression: string },
): readonly Fix[] => {
  const title = `Add the ${nouns[list]} validation rule ${expression}`;
  const name = place.format === 'json' ? '"expression"' : 'expression';
  const [first] = entry[list];
  const fixes =
    first === undefined
      ? newList(place, entry, { list, name, expression })
      : newItem(place, first.span, `${name}: "${expression}"`);
  return fixes.map((fix) => ({ ...fix, title }));
};

/** Inserts a rule before the first item of the list. */
const newItem = ({ source }: RulePlace, first: Span, written: string): readonly Fix[] => {
  const { text } = source;
  const { start } = first;
  const before = text.slice(startOfLine(text, start), start);
  const at = span(start, start);
  const isFlow = text[start] === '{';
  const rule = isFlow ? `{${written}}` : written;
  if (/^ *- +$/.test(before))
    return [{ title: '', edits: [{ span: at, newText: `${rule}${lineBreakOf(text)}${before}` }] }];
  if (!isFlow || !/[[,]\s*$/.test(text.slice(Math.max(0, start - 200), start))) return [];
  return [{ title: '', edits: [{ span: at, newText: `${rule}, ` }] }];
};

/** Inserts the list after the issuer. */
const newList = (
  place: RulePlace,
  entry: JwtAuthenticatorConfig,
  rule: { readonly list: RuleList; readonly name: string; readonly expression: string },
): readonly Fix[] => {
  const { text } = place.source;
  if (hasKey(text.slice(entry.span.start, entry.span.end), rule.list)) return [];
  const { end } = entry.issuer.span;
  const after = span(end, end);
  const column = blockColumn(place.source, entry.span);
  if (column === undefined || end <= entry.span.start || end > entry.span.end) {
    const value = `[{${rule.name}: "${rule.expression}"}]`;
    return insertField(place, { name: rule.list, value, section: entry.span, after });
  }
  const lineBreak = lineBreakOf(text);
  const indent = ' '.repeat(column);
  // Items are indented below their key like the entries of the file.
  const dash = /^ */.exec(text.slice(startOfLine(text, entry.span.start)))?.[0] ?? '';
  const newText = `${lineBreak}${indent}${rule.list}:${lineBreak}${indent}${dash}- expression: "${rule.expression}"`;
  const at = endOfLine(text, end);
  return [{ title: '', edits: [{ span: span(at, at), newText }] }];
};
