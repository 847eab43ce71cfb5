/** Adds field paths to diagnostics. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { pathOfSpan } from '../documents/data-path.ts';
import type { ConfigDocument } from '../documents/yaml/document.ts';

/** The codes of YAML and JSON syntax errors, which are about no field. */
export const syntaxCodes: ReadonlySet<string> = new Set(['AG1001', 'AG1002']);

/**
 * Adds the field path to each diagnostic: that of kube-apiserver's error, or else that of the place.
 */
export const withPaths = (
  diagnostics: readonly Diagnostic[],
  { data }: Pick<ConfigDocument, 'data'>,
): readonly Diagnostic[] =>
  diagnostics.map((one) => {
    const path = one.server?.field ?? (syntaxCodes.has(one.code) ? '' : pathOfSpan(data, one.span));
    return path === '' ? one : { ...one, path };
  });

/**
 * Marks errors of a value that a syntax error is about, such as a string without its closing quote,
 * which contains the lines below it: they disappear once the syntax is correct.
 */
export const withSyntaxConsequences = (
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] => {
  const syntax = diagnostics.filter(({ code }) => syntaxCodes.has(code));
  if (syntax.length === 0) return diagnostics;
  return diagnostics.map((one) => {
    if (syntaxCodes.has(one.code) || one.consequenceOf !== undefined) return one;
    const cause = syntax.find(({ span }) => span.start < one.span.end && one.span.start < span.end);
    return cause === undefined
      ? one
      : { ...one, consequenceOf: { code: cause.code, path: cause.path ?? '' } };
  });
};
