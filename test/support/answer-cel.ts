/** Answers a question about one expression in the shape of the recorded cases. */
import { compileExpression } from '../../engine/src/cel/compile-expression.ts';
import { outputTypeText } from '../../engine/src/cel/type-text.ts';
import { newestRelease } from '../../engine/src/model/release.ts';

export interface CelQuestion {
  readonly kind: string;
  readonly expression: string;
  readonly claims?: Record<string, unknown>;
  readonly user?: Record<string, unknown>;
}

export type CelAnswer = Record<string, unknown>;

export const answerCel = (question: CelQuestion): CelAnswer => {
  const isUser = question.kind === 'userValidation' || question.kind === 'user';
  const compiled = compileExpression({
    text: question.expression,
    environment: isUser ? 'user' : 'claims',
    result: isUser || question.kind === 'claimValidation' ? 'bool' : 'any',
    release: newestRelease,
  });
  if (compiled.serverError !== undefined) {
    return {
      compileError: compiled.serverError.detail,
      errorType:
        compiled.serverError.type === 'FieldValueInvalid' ? 'RuleInvalid' : 'InternalError',
    };
  }
  return { outputType: outputTypeText(compiled.checked.type) };
};
