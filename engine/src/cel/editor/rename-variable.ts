/** Renames a macro variable. */

import type { TextEdit } from '../../source/text-edit.ts';
import { applyEdits } from '../../source/text-edit.ts';
import { compileExpression, type ExpressionRequest } from '../compile-expression.ts';
import { reservedNames } from '../syntax/tree-builder.ts';
import { keywords } from '../tree/keywords.ts';
import { nameMeanings, type VariableUses, variableSpans, variableUses } from './variable-uses.ts';

/** The edits of a rename, or the reason why it is refused. */
export type VariableRenaming =
  | { readonly kind: 'edits'; readonly edits: readonly TextEdit[] }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * Renames a macro variable. The new expression is parsed again: every name in it must refer to the
 * same
 * declaration as before.
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
      `${quoted} is not a valid variable name: use letters, digits and _, and do not start with a digit`,
    );
  }
  if (reservedNames.has(newName) || keywords.has(newName)) {
    return refused(`${quoted} is a reserved word in CEL: choose another name`);
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
        ? `another variable in the same scope is called ${quoted}: choose another name`
        : `${quoted} is already used in this expression: choose another name`,
    );
  }
  const [error] = before.errors.length === 0 ? after.errors : [];
  if (error !== undefined) return refused(`the new name causes an error: ${error.message}`);
  return { kind: 'edits', edits };
};

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;
