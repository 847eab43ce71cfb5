/**
 * Compiles the expression that a message of kube-apiserver quotes, and returns how to fix it: the
 * diagnostics of a file have the same advice.
 */
import { compileExpression } from '../../cel/compile-expression.ts';
import { expressionHelp } from '../../config/rules/expression-help.ts';
import { reducesErrors, repairOf } from '../../config/rules/expression-repairs.ts';
import { newestRelease } from '../../model/release.ts';
import { applyEdits } from '../../source/text-edit.ts';
import { readGoString } from './go-string.ts';

/** Longer expressions are not compiled. */
const maxExpressionLength = 4_096;

/**
 * Returns a sentence for the expression of the field, which follows `Invalid value: ` in quotes;
 * `undefined` if nothing is known about its error.
 */
export const expressionFix = (path: string, quoted: string): string | undefined => {
  const read = readGoString(quoted);
  if (read === undefined || read.value.length > maxExpressionLength) return undefined;
  const { value: text } = read;
  const isUserRule = path.includes('.userValidationRules[');
  const environment = isUserRule ? 'user' : 'claims';
  const result = isUserRule || path.includes('.claimValidationRules[') ? 'bool' : 'any';
  const compilation = compileExpression({ text, environment, result, release: newestRelease });
  const [error] = compilation.errors;
  if (error === undefined) return undefined;
  const broken = {
    text,
    compilation,
    environment,
    result,
    release: newestRelease,
    quote: '"',
  } as const;
  const { suggestion } = error;
  const named = suggestion && [{ span: suggestion.span, newText: suggestion.text }];
  const edits =
    named !== undefined && reducesErrors(broken, named) ? named : repairOf(broken)?.edits;
  if (edits !== undefined) return `Write ${applyEdits(text, edits)}.`;
  if (error.needsDyn) return `Wrap ${text.slice(error.span.start, error.span.end)} in dyn(…).`;
  const help = expressionHelp(error, broken);
  return help === '' ? undefined : help;
};
