/**
 * Offers to replace a signed token in a file by its claims. Anyone who can read a token can use it;
 * claims alone grant nothing.
 */
import { findTokens, sourceFile, tokenClaimsText } from '@authgraph/engine/language';
import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  type Diagnostic,
  type Range,
} from 'vscode-languageserver';
import { offsetIn, rangeOf } from '../to-protocol.ts';
import type { Workspace } from '../workspace.ts';

/**
 * Returns actions for tokens on the lines of the range that are a whole value or the whole file.
 */
export const tokenActions = (
  workspace: Workspace,
  uri: string,
  { range, context }: Pick<CodeActionParams, 'range' | 'context'>,
): readonly CodeAction[] => {
  const { start, end } = range;
  const text = workspace.text(uri);
  if (text === undefined) return [];
  const source = sourceFile(uri, text);
  const from = offsetIn(source, { line: start.line, character: 0 });
  const to = offsetIn(source, { line: end.line + 1, character: 0 });
  return findTokens(text.slice(from, to)).flatMap((token) => {
    const start = from + token.start;
    const at = { token: text.slice(start, from + token.end), start, end: from + token.end };
    const replaced = replacement(text, at);
    if (replaced === undefined) return [];
    const edit = { range: rangeOf(source, replaced.span), newText: replaced.newText };
    return [
      {
        title: 'Replace token with its claims',
        kind: CodeActionKind.QuickFix,
        diagnostics: context.diagnostics.filter((shown) => isAbout(shown, edit.range)),
        edit: { changes: { [uri]: [edit] } },
      },
    ];
  });
};

/** Returns whether a diagnostic is the server's own about an invalid sample on the same lines. */
const isAbout = ({ source, code, range }: Diagnostic, { start, end }: Range): boolean =>
  source === 'authgraph' &&
  code === undefined &&
  range.start.line >= start.line &&
  range.end.line <= end.line;

interface Offsets {
  readonly start: number;
  readonly end: number;
}

interface FoundToken extends Offsets {
  readonly token: string;
}

const replacement = (
  text: string,
  { token, start: tokenStart, end }: FoundToken,
): { readonly span: Offsets; readonly newText: string } | undefined => {
  const start = tokenStart - schemeLength(text, tokenStart);
  if (text.trim() === text.slice(start, end)) {
    const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
    const newText = tokenClaimsText(token, 'lines', lineBreak);
    return newText === undefined ? undefined : { span: { start, end }, newText };
  }
  const newText = tokenClaimsText(token, 'line');
  if (newText === undefined) return undefined;
  const quote = text[start - 1];
  if ((quote === '"' || quote === "'") && text[end] === quote) {
    return { span: { start: start - 1, end: end + 1 }, newText };
  }
  const isValue = /^\s*(?:- +)*(?:[^\s:#]+: +)?$/.test(text.slice(lineStart(text, start), start));
  const isRest = /^[ \t]*(?:#.*)?(?:[\r\n]|$)/.test(text.slice(end));
  return isValue && isRest ? { span: { start, end }, newText } : undefined;
};

/**
 * Counts the characters of a header field and a scheme that were copied with the token; none in a
 * comment.
 */
const schemeLength = (text: string, tokenStart: number): number => {
  const lead = text.slice(Math.max(0, tokenStart - maxScheme), tokenStart);
  const length = /(?<![\w-])(?:authorization: ?)?bearer $/i.exec(lead)?.[0].length ?? 0;
  const isComment = () => text.slice(lineStart(text, tokenStart), tokenStart).includes('#');
  return length === 0 || isComment() ? 0 : length;
};

const maxScheme = 30;

/** YAML and the protocol both treat a lone CR as a line break. */
const lineStart = (text: string, at: number): number =>
  Math.max(...['\n', '\r'].map((end) => text.lastIndexOf(end, at - 1))) + 1;
