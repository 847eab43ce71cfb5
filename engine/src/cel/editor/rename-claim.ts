/** Another name for a claim in an expression, in every way a claim can be named, or why not. */

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

/** Edits of the expression's text, or why there are none. */
export type ClaimRenaming =
  | { readonly kind: 'edits'; readonly edits: readonly TextEdit[] }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * Edits of the expression's own text for some of its mentions, which all name the same claim. A name
 * that is no identifier is written in brackets. The new text is read again: it must name the same
 * claims, but for the new name.
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
    return { kind: 'refused', message: `with this name: ${error.message}` };
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
  message: 'an expression names the claim in a way that cannot be rewritten',
};

/** A path through the renamed claim leads through its new name. */
const replaceName = (path: ClaimPath, old: ClaimPath, newName: string): ClaimPath => {
  const isBelow =
    path.length >= old.length && claimPathText(path.slice(0, old.length)) === claimPathText(old);
  return isBelow
    ? [...old.slice(0, -1), { kind: 'member', name: newName }, ...path.slice(old.length)]
    : path;
};

/** `undefined` where something stands between the dot and the name. */
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
      // `has()` takes a field only; what it asks can be asked of an optional.
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

/** Where the dot of `.name` or `.?name` stands. */
const selectorStart = (text: string, name: Span): number | undefined => {
  const before = text.slice(0, name.start).trimEnd();
  const dotted = before.endsWith('?') ? before.slice(0, -1).trimEnd() : before;
  return dotted.endsWith('.') ? dotted.length - 1 : undefined;
};

/** A string literal with the quotes of another one. */
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
