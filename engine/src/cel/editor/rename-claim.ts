/** Renames a claim in an expression, in all notations. */

import { type Span, span } from '../../source/span.ts';
import { applyEdits, type TextEdit } from '../../source/text-edit.ts';
import { compileExpression, type ExpressionRequest } from '../compile-expression.ts';
import { keywords } from '../tree/keywords.ts';
import {
  type ClaimMention,
  type ClaimPath,
  claimMentions,
  claimPathText,
} from './claim-mentions.ts';

/** The edits of a rename, or the reason why it is refused. */
export type ClaimRenaming =
  | { readonly kind: 'edits'; readonly edits: readonly TextEdit[] }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * Renames the given mentions of a claim. A name that is not an identifier is written in brackets.
 * The
 * new expression is parsed again: except for the new name, it must mention the same claims.
 */
export const renameClaim = (
  request: ExpressionRequest,
  mentions: readonly ClaimMention[],
  newName: string,
): ClaimRenaming => {
  const edits: TextEdit[] = [];
  for (const mention of mentions) {
    const editsOfMention = mentionEdits(request.text, mention, newName);
    if (editsOfMention === undefined) return unsafe;
    edits.push(...editsOfMention);
  }
  const before = compileExpression(request);
  const after = compileExpression({ ...request, text: applyEdits(request.text, edits) });
  const [error] = before.errors.length === 0 ? after.errors : [];
  if (error !== undefined) {
    return { kind: 'refused', message: `the new name causes an error: ${error.message}` };
  }
  const [first] = mentions;
  const renamedPath = (path: ClaimPath): ClaimPath =>
    first === undefined ? path : replaceName(path, first.path, newName);
  const expectedPaths = claimMentions(before.checked.parsed).map(({ path }) =>
    claimPathText(renamedPath(path)),
  );
  const actualPaths = claimMentions(after.checked.parsed).map(({ path }) => claimPathText(path));
  return expectedPaths.toSorted().join('\n') === actualPaths.toSorted().join('\n')
    ? { kind: 'edits', edits }
    : unsafe;
};

const unsafe: ClaimRenaming = {
  kind: 'refused',
  message: 'an expression refers to the claim in a form that cannot be renamed',
};

/** Replaces the old name in the paths of the claim and its members. */
const replaceName = (path: ClaimPath, old: ClaimPath, newName: string): ClaimPath => {
  const isBelow =
    path.length >= old.length && claimPathText(path.slice(0, old.length)) === claimPathText(old);
  return isBelow
    ? [...old.slice(0, -1), { kind: 'member', name: newName }, ...path.slice(old.length)]
    : path;
};

/**
 * Returns the edits of a mention; `undefined` if there is a comment between the dot and the name.
 */
const mentionEdits = (
  text: string,
  mention: ClaimMention,
  newName: string,
): readonly TextEdit[] | undefined => {
  const { name, spelling, whole } = mention;
  const isIdentifier = /^[A-Za-z_]\w*$/.test(newName) && !keywords.has(newName);
  switch (spelling) {
    case 'key':
    case 'in':
      return [{ span: name, newText: literalLike(text.slice(name.start, name.end), newName) }];
    case 'field':
    case 'optional field': {
      if (isIdentifier) return [{ span: name, newText: newName }];
      const from = selectorStart(text, name);
      const bracket = spelling === 'field' ? '[' : '[?';
      return from === undefined
        ? undefined
        : [{ span: span(from, name.end), newText: `${bracket}${literal(newName, '"')}]` }];
    }
    case 'has': {
      if (isIdentifier) return [{ span: name, newText: newName }];
      // `has()` only accepts a field; an optional expresses the same test.
      const open = text.indexOf('(', whole.start);
      const from = selectorStart(text, name);
      const head = text.slice(whole.start, open);
      if (from === undefined || head.trim() !== 'has') return undefined;
      return [
        { span: span(whole.start, open + 1), newText: '' },
        { span: span(from, whole.end), newText: `[?${literal(newName, '"')}].hasValue()` },
      ];
    }
  }
};

/** Returns the offset of the dot of `.name` or `.?name`. */
const selectorStart = (text: string, name: Span): number | undefined => {
  const before = text.slice(0, name.start).trimEnd();
  const dotted = before.endsWith('?') ? before.slice(0, -1).trimEnd() : before;
  return dotted.endsWith('.') ? dotted.length - 1 : undefined;
};

/** Returns a string literal with the quotes of another one. */
const literalLike = (written: string, value: string): string => {
  const quote = /^[rR]?(?:"""|")/.test(written) ? '"' : "'";
  return literal(value, quote);
};

const literal = (value: string, quote: '"' | "'"): string => {
  const escaped = value.replace(/[\\"'\u0000-\u001f\u007f]/g, (character) => {
    if (character === '\\' || character === quote) return `\\${character}`;
    if (character === '"' || character === "'") return character;
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return `${quote}${escaped}${quote}`;
};
