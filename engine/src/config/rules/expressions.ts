/**
 * Expressions that do not compile: one finding per cause, and kube-apiserver's error on the first.
 */
import type { ExpressionCompilation, ExpressionError } from '../../cel/compile-expression.ts';
import {
  asAccessChanging,
  asChoice,
  type Diagnostic,
  type Fix,
  type ServerError,
} from '../../diagnostics/diagnostic.ts';
import { defineFinding, diagnosticOf } from '../../diagnostics/rule.ts';
import type { Release } from '../../model/release.ts';
import { type PositionMap, toFileSpan } from '../../source/position-map.ts';
import { span } from '../../source/span.ts';
import type { LocatedString } from '../configuration.ts';
import { internalError, invalidError } from '../server-error.ts';
import { editScalar, unescapedQuote } from './edit-scalar.ts';
import { expressionHelp, quotedNumber } from './expression-help.ts';
import { type BrokenExpression, reducesErrors, repairOf } from './expression-repairs.ts';
import type { RulePlace } from './server-rule.ts';

interface ExpressionArgs {
  readonly text: string;
}

const message = ({ text }: ExpressionArgs): string => text;

export const expressionError = defineFinding<ExpressionArgs>({
  code: 'AG2001',
  name: 'expression-error',
  summary: 'An expression does not compile.',
  message,
});

export const expressionNotBool = defineFinding<ExpressionArgs>({
  code: 'AG2002',
  name: 'expression-not-bool',
  summary: 'The expression of a rule does not return a bool.',
  message,
});

export const expressionConstant = defineFinding<ExpressionArgs>({
  code: 'AG2003',
  name: 'expression-constant',
  summary: 'A constant part of an expression cannot be evaluated when the file is loaded.',
  message,
  help: () =>
    'Correct the constant: constant parts are evaluated when the file is loaded, including branches that are never executed.',
});

export interface ExpressionSubject {
  readonly place: RulePlace;
  /** Field path, for example `jwt[0].claimMappings.username.expression`. */
  readonly field: string;
  readonly text: LocatedString;
  readonly compilation: ExpressionCompilation;
  readonly map: PositionMap;
  readonly release: Release;
}

/** The first release that keeps the value of an internal error. */
const keepsInternalValue: Release = 36;

/**
 * Returns no diagnostics for an expression that compiles. The first diagnostic carries
 * kube-apiserver's error.
 */
export const expressionDiagnostics = (subject: ExpressionSubject): readonly Diagnostic[] => {
  const { compilation, text, map } = subject;
  const server = serverErrorOf(subject);
  if (server === undefined) return [];
  const kind = findingOf(server);
  const causes: readonly ExpressionError[] =
    compilation.errors.length > 0
      ? compilation.errors
      : [{ message: server.detail, span: { start: 0, end: text.value.length } }];
  const repairFixes = repairFixesOf(subject);
  const { code } = kind;
  return causes.map((found, index) => {
    const cause = repairFixes.length > 0 ? withoutUselessSuggestion(found, subject) : found;
    const help = helpOf(cause, subject);
    const details = {
      fixes: fixesOf(cause, subject) ?? repairFixes,
      ...(help === '' ? {} : { help }),
    };
    return diagnosticOf(
      kind,
      toFileSpan(map, cause.span),
      { text: cause.message },
      {
        ...details,
        ...(index === 0 ? { server } : {}),
        ...(index > 0 &&
        isConsequence(causes, index, { compilation, isRepaired: repairFixes.length > 0 })
          ? { consequenceOf: { code, path: subject.field } }
          : {}),
      },
    );
  });
};

/**
 * Returns true for an error that disappears together with the first one: the parser continues with
 * a guess after a syntax error, a repair fixes the whole expression, and a name is repeated.
 */
const isConsequence = (
  causes: readonly ExpressionError[],
  index: number,
  {
    compilation,
    isRepaired,
  }: { readonly compilation: ExpressionCompilation; readonly isRepaired: boolean },
): boolean =>
  isRepaired ||
  compilation.checked.parsed.errors.length > 0 ||
  causes.slice(0, index).some(({ message: earlier }) => earlier === causes[index]?.message);

/** Drops a suggestion that leaves all errors if there is a fix for the whole expression. */
const withoutUselessSuggestion = (
  cause: ExpressionError,
  subject: ExpressionSubject,
): ExpressionError => {
  const { suggestion, ...rest } = cause;
  if (suggestion === undefined) return cause;
  const change = { span: suggestion.span, newText: suggestion.text };
  return reducesErrors(brokenExpressionOf(subject), [change]) ? cause : rest;
};

const helpOf = (error: ExpressionError, subject: ExpressionSubject): string =>
  error.needsDyn === undefined ? expressionHelp(error, brokenExpressionOf(subject)) : dynHelp;

const isUserRule = (field: string): boolean => field.includes('.userValidationRules[');

const dynHelp =
  'A claim can have any type: with dyn(…), its type is checked when a token is evaluated.';

/** Returns the fixes that the checker knows; `undefined` if it knows none. */
const fixesOf = (
  error: ExpressionError,
  subject: ExpressionSubject,
): readonly Fix[] | undefined => {
  const { suggestion, needsDyn, span: where } = error;
  const { place, text } = subject;
  if (suggestion !== undefined) {
    const change = { span: suggestion.span, newText: suggestion.text };
    const edits = editScalar(place.source, text, [change]);
    const fix = { title: `Write ${suggestion.text}`, edits };
    return [reducesErrors(brokenExpressionOf(subject), [change]) ? fix : asChoice(fix)];
  }
  const quoted = quotedNumber(error, subject);
  if (quoted !== undefined) {
    const change = { span: quoted.literal.span, newText: quoted.number };
    return [{ title: `Write ${quoted.number}`, edits: editScalar(place.source, text, [change]) }];
  }
  if (needsDyn === undefined) return undefined;
  // Two insertions keep the quotes and escapes of the text between them.
  const edits = editScalar(place.source, text, [
    { span: span(where.start, where.start), newText: 'dyn(' },
    { span: span(where.end, where.end), newText: ')' },
  ]);
  return [{ title: 'Wrap in dyn()', edits }];
};

const brokenExpressionOf = (subject: ExpressionSubject): BrokenExpression => {
  const { place, field, text, compilation, release } = subject;
  const isUser = isUserRule(field);
  return {
    text: text.value,
    compilation,
    environment: isUser ? 'user' : 'claims',
    result: isUser || field.includes('.claimValidationRules[') ? 'bool' : 'any',
    release,
    quote: unescapedQuote(place.source, text),
  };
};

const repairFixesOf = (subject: ExpressionSubject): readonly Fix[] => {
  const { place, text } = subject;
  const repair = repairOf(brokenExpressionOf(subject));
  if (repair === undefined) return [];
  const { title, choice, changesAccess } = repair;
  const fix = { title, edits: editScalar(place.source, text, repair.edits) };
  const marked = changesAccess === undefined ? fix : asAccessChanging(fix);
  return [choice === undefined ? marked : asChoice(marked)];
};

const serverErrorOf = (subject: ExpressionSubject): ServerError | undefined => {
  const { field, text, compilation, release } = subject;
  const error = compilation.serverError;
  if (error === undefined) return undefined;
  return error.type === 'InternalError'
    ? internalError(field, error.detail, { keepsValue: release >= keepsInternalValue })
    : invalidError(field, text.value, error.detail);
};

const findingOf = (error: ServerError) => {
  if (error.type === 'InternalError') return expressionConstant;
  return error.detail === 'must evaluate to bool' ? expressionNotBool : expressionError;
};
