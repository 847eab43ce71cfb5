/**
 * Edits of a scalar: edits of the decoded string become edits of the file, in the style of the
 * scalar.
 */

import { canBePlainScalar, singleQuote } from '../../documents/yaml/scalar-text.ts';
import { anyOf, trimEnd } from '../../formats/trim.ts';
import { toFileSpan } from '../../source/position-map.ts';
import type { SourceFile } from '../../source/source-file.ts';
import { applyEdits, type TextEdit } from '../../source/text-edit.ts';
import type { LocatedString } from '../configuration.ts';
import { startOfLine } from './layout-fixes.ts';

export type WrittenStyle = 'plain' | 'single' | 'double' | 'block';

/**
 * Converts edits of the decoded string, which must not contain line breaks, to edits of the file.
 */
export const editScalar = (
  source: SourceFile,
  located: LocatedString,
  edits: readonly TextEdit[],
): readonly TextEdit[] => {
  const style = styleOf(source, located);
  if (style === 'plain') {
    const whole = applyEdits(located.value, edits);
    // A string that a plain scalar cannot represent is quoted.
    const oneLine = whole.replaceAll('\n', ' ');
    if (!canBePlainScalar(oneLine, { flow: isInFlow(source, located) }))
      return [{ span: located.span, newText: singleQuote(whole) }];
  }
  return edits.map(({ span, newText }) => ({
    span: toFileSpan(located.map, span),
    newText: encode(newText, style),
  }));
};

const encode = (text: string, style: WrittenStyle): string => {
  if (style === 'single') return text.replaceAll("'", "''");
  return style === 'double' ? JSON.stringify(text).slice(1, -1) : text;
};

/** Returns the style of the scalar; a tag or an anchor may precede it. */
export const styleOf = ({ text }: SourceFile, { span, map }: LocatedString): WrittenStyle => {
  const first = map.pieces[0]?.file ?? span.start;
  const lead = text.slice(span.start, first);
  if (endsInBlockHeader(lead)) return 'block';
  if (lead.endsWith('"')) return 'double';
  return lead.endsWith("'") ? 'single' : 'plain';
};

/** Returns true for `| # comment`, a line break and white space. */
const endsInBlockHeader = (lead: string): boolean => {
  const header = trimEnd(lead, isSpaceOrBreak);
  const line = header.slice(header.lastIndexOf('\n') + 1);
  return lead.includes('\n', header.length) && /[|>][-+\d]*(?:[ \t]*#[\s\S]*)?$/.test(line);
};

const isSpaceOrBreak = anyOf(' \t\r\n');

/** Returns the quote that an expression in this scalar can use without an escape. */
export const unescapedQuote = (source: SourceFile, located: LocatedString): '"' | "'" =>
  styleOf(source, located) === 'double' ? "'" : '"';

const isInFlow = ({ text }: SourceFile, { span }: LocatedString): boolean => {
  const lead = text.slice(startOfLine(text, span.start), span.start);
  const next = /^\s*(\S?)/.exec(text.slice(span.end))?.[1] ?? '';
  return !/^[ -]*\w+:[ \t]*$/.test(lead) || /[,\]}]/.test(next);
};
