/** Another name for a variable of a macro, or why not. */

import type { TextEdit } from '../../source/text-edit.ts';
import { applyEdits } from '../../source/text-edit.ts';
import { compileExpression, type ExpressionRequest } from '../compile-expression.ts';
import { reservedNames } from '../syntax/tree-builder.ts';
import { keywords } from '../tree/keywords.ts';
import { nameMeanings, type VariableUses, variableSpans, variableUses } from './variable-uses.ts';

/** Edits of the expression's text, or why there are none. */
export type VariableRenaming =
  | { readonly kind: 'edits'; readonly edits: readonly TextEdit[] }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * Edits of the expression's own text. The new expression is read again: every name in it must mean
 * what it meant before.
 */
export const renameVariable = (
  request: ExpressionRequest,
  variable: VariableUses,
  newName: string,
): VariableRenaming => {
  const refused = (message: string): VariableRenaming => ({ kind: 'refused', message });
  const quoted = JSON.stringify(newName);
  if (!identifier.test(newName)) {
    return refused(
      `${quoted} is no name for a variable: use letters, digits and _, no digit first`,
    );
  }
  if (reservedNames.has(newName) || keywords.has(newName)) {
    return refused(`${quoted} is a reserved word of CEL: choose another name`);
  }
  const edits = variableSpans(variable).map((span) => ({ span, newText: newName }));
  const before = compileExpression(request);
  const after = compileExpression({ ...request, text: applyEdits(request.text, edits) });
  const isTaken = variableUses(before.checked).some(
    ({ name, declaration }) => name === newName && declaration.start !== variable.declaration.start,
  );
  const meaningsBefore = nameMeanings(before.checked);
  const meaningsAfter = nameMeanings(after.checked);
  if (
    meaningsBefore.length !== meaningsAfter.length ||
    meaningsBefore.some((meaning, index) => meaning !== meaningsAfter[index])
  ) {
    return refused(
      isTaken
        ? `another variable of this expression is called ${quoted} where both are read: choose another name`
        : `${quoted} already means something in this expression: choose another name`,
    );
  }
  const [error] = before.errors.length === 0 ? after.errors : [];
  if (error !== undefined) return refused(`with this name: ${error.message}`);
  return { kind: 'edits', edits };
};

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;
