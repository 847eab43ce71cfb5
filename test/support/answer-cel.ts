/** Answers a question about one expression in the shape of the recorded cases. */

import { stringList } from '../../engine/src/authenticators/jwt/claim-values.ts';
import { notStringsMessage } from '../../engine/src/authenticators/jwt/map-claims.ts';
import { compileExpression } from '../../engine/src/cel/compile-expression.ts';
import { formatOutputType } from '../../engine/src/cel/values/type-format.ts';
import type { CelValue, JsonRecord } from '../../engine/src/cel/values/value.ts';
import { newestRelease, type Release } from '../../engine/src/model/release.ts';
import { taggedValue } from './tagged-value.ts';

export interface CelQuestion {
  readonly kind: string;
  readonly expression: string;
  readonly claims?: Record<string, unknown>;
  readonly user?: Record<string, unknown>;
}

export type CelAnswer = Record<string, unknown>;

export const answerCel = (question: CelQuestion, release: Release = newestRelease): CelAnswer => {
  const isUser = question.kind === 'userValidation' || question.kind === 'user';
  const compiled = compileExpression({
    text: question.expression,
    environment: isUser ? 'user' : 'claims',
    result: isUser || question.kind === 'claimValidation' ? 'bool' : 'any',
    release,
  });
  if (compiled.serverError !== undefined) {
    return {
      compileError: compiled.serverError.detail,
      errorType:
        compiled.serverError.type === 'FieldValueInvalid' ? 'RuleInvalid' : 'InternalError',
    };
  }
  const outputType = formatOutputType(compiled.checked.type);
  const variable = isUser ? userRecord(question.user ?? {}) : (question.claims ?? {});
  const evaluation = compiled.program?.evaluate(variable as JsonRecord);
  if (evaluation === undefined) return { outputType };
  const { value, error, cost } = evaluation;
  if (value === undefined) return { outputType, cost, evalError: error };
  return { outputType, cost, value: taggedValue(value), ...texts(question.kind, value) };
};

/** Creates the user variable of expressions, with every field set. */
const userRecord = (user: Record<string, unknown>): Record<string, unknown> => ({
  username: '',
  uid: '',
  groups: [],
  extra: {},
  ...user,
});

/** Converts a value as a groups or extra mapping does. */
const texts = (kind: string, value: CelValue): CelAnswer => {
  if (kind !== 'groups' && kind !== 'extra') return {};
  const strings = stringList(value);
  return strings === undefined ? { stringsError: notStringsMessage } : { strings };
};
