/**
 * Fixes for syntax errors: missing quotes, a missing space, tabs, trailing commas. A fix is offered
 * only if the whole text is valid afterwards.
 */
import type { Diagnostic, Fix } from '../../diagnostics/diagnostic.ts';
import { type Span, span } from '../../source/span.ts';
import { applyEdits, type TextEdit } from '../../source/text-edit.ts';
import { singleQuote } from './scalar-text.ts';

export interface BrokenText {
  readonly text: string;
  /** The positions at which the error was detected and at which its cause starts. */
  readonly offsets: readonly number[];
  readonly canRead: (text: string) => boolean;
}

/**
 * Adds fixes that are searched on first access, because each candidate is tried on the whole text.
 */
export const withSyntaxFixes = (
  diagnostic: Diagnostic,
  findFixes: () => readonly Fix[],
): Diagnostic => {
  let fixes: readonly Fix[] | undefined;
  return {
    ...diagnostic,
    get fixes() {
      fixes ??= findFixes();
      return fixes;
    },
  };
};

/** Returns the first fix that works. */
export const yamlFixes = (broken: BrokenText): readonly Fix[] =>
  firstEffective(broken, [
    ...broken.offsets.flatMap((offset) => lineFixes(broken.text, lineAt(broken.text, offset))),
    // A key without a space is read as a scalar that continues on the next line.
    ...broken.offsets.flatMap((offset) => spaceFixes(broken.text, lineBefore(broken.text, offset))),
    tabFix(broken.text),
  ]);

export const jsonFixes = (broken: BrokenText): readonly Fix[] =>
  firstEffective(broken, [{ title: 'Remove the comma', edits: trailingCommas(broken.text) }]);

/** Longer texts are not fixed. */
const maxFixableLength = 128 * 1024;

const firstEffective = ({ text, canRead }: BrokenText, fixes: readonly Fix[]): readonly Fix[] => {
  if (text.length > maxFixableLength) return [];
  const effective = fixes.find(({ edits }) => edits.length > 0 && canRead(applyEdits(text, edits)));
  return effective === undefined ? [] : [effective];
};

const lineAt = (text: string, offset: number): Span => {
  const start = text.lastIndexOf('\n', Math.max(0, offset - 1)) + 1;
  const end = text.indexOf('\n', offset);
  return span(start, end === -1 ? text.length : end);
};

const lineBefore = (text: string, offset: number): Span => {
  const { start } = lineAt(text, offset);
  return start === 0 ? span(0, 0) : lineAt(text, start - 1);
};

const lineFixes = (text: string, line: Span): readonly Fix[] => [
  {
    title: 'Quote the value',
    edits: quoteEdits(text.slice(line.start, line.end).trimEnd(), line.start),
  },
  ...spaceFixes(text, line),
];

const spaceFixes = (text: string, { start, end }: Span): readonly Fix[] => {
  const line = text.slice(start, end);
  const joined = /^\s*(?:- +)*\w+:(?=[^\s:/])/.exec(line)?.[0].length;
  if (joined === undefined) return [];
  const at = start + joined;
  return [{ title: 'Add a space after the colon', edits: [{ span: span(at, at), newText: ' ' }] }];
};

/** Quotes the value of a line, unless it is quoted as a whole or a collection. */
const quoteEdits = (line: string, start: number): readonly TextEdit[] => {
  const match = /^(\s*(?:- +)*(?:[\w./-]+|"[^"]*"|'[^']*'):[ \t]+|\s*(?:- +)+)(\S[\s\S]*)$/.exec(
    line,
  );
  const [, lead = '', value = ''] = match ?? [];
  const isExpression = /xpression["']?:[ \t]+$/.test(lead);
  if (value === '' || /\s#/.test(value) || /^[|>]/.test(value)) return [];
  if (/^[[{]/.test(value) && !isExpression) return [];
  // A quote without its counterpart has to be closed by a person.
  const quote = /^["']/.exec(value)?.[0];
  if (quote !== undefined && value.split(quote).length % 2 === 0) return [];
  const where = span(start + lead.length, start + line.length);
  return [{ span: where, newText: singleQuote(value) }];
};

/** Replaces each tab by two spaces; the fix is certain if no line is indented with spaces. */
const tabFix = (text: string): Fix => {
  const lines = Array.from(text.matchAll(/^([ \t]*)\S/gm), ({ index, 1: indent = '' }) => ({
    index,
    indent,
  }));
  const edits = lines
    .filter(({ indent }) => indent.includes('\t'))
    .map(({ index, indent }) => ({
      span: span(index, index + indent.length),
      newText: indent.replaceAll('\t', '  '),
    }));
  const isMixed = lines.some(({ indent }) => indent.includes(' '));
  const title = 'Indent with spaces';
  return isMixed ? { title, edits, choice: true } : { title, edits };
};

/**
 * Returns edits that remove commas after the last member or item. Strings are skipped; an open one
 * reaches to the end of the text.
 */
const trailingCommas = (text: string): readonly TextEdit[] =>
  Array.from(text.matchAll(/"(?:\\.|[^"\\])*"?|,(?=\s*[}\]])/g)).flatMap(({ index, 0: token }) =>
    token === ',' ? [{ span: span(index, index + 1), newText: '' }] : [],
  );

/** Removes the second of two identical lines. */
export const repeatedLineFix = (text: string, first: Span, second: Span): readonly Fix[] => {
  const [firstLine, secondLine] = [lineAt(text, first.start), lineAt(text, second.start)];
  const isAlone = /^ *$/.test(text.slice(secondLine.start, second.start));
  const secondContent = text.slice(second.start, secondLine.end).trimEnd();
  const isSame = secondContent === text.slice(first.start, firstLine.end).trimEnd();
  const isWhole = /^\S+:[ \t]+[^\s|>&*!#][^#]*$/.test(secondContent);
  if (!isAlone || !isSame || !isWhole || secondLine.start === 0) return [];
  const lineBreak = text[secondLine.start - 2] === '\r' ? 2 : 1;
  const start = secondLine.start - lineBreak;
  const end = text[secondLine.end - 1] === '\r' ? secondLine.end - 1 : secondLine.end;
  return [{ title: 'Remove it', edits: [{ span: span(start, end), newText: '' }] }];
};
