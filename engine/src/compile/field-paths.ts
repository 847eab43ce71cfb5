/** Adds field paths to diagnostics. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { pathOfSpan } from '../documents/data-path.ts';
import type { ConfigDocument } from '../documents/yaml/document.ts';
import type { Span } from '../source/span.ts';

/** The codes of YAML and JSON syntax errors, which are about no field. */
export const syntaxCodes: ReadonlySet<string> = new Set(['AG1001', 'AG1002']);

/** Returns the path of the field at a place; empty for a place that belongs to no field. */
export const fieldPathOf = ({ data }: Pick<ConfigDocument, 'data'>, place: Span): string =>
  pathOfSpan(data, place);

/**
 * Adds the field path to each diagnostic without one: that of kube-apiserver's error, or else that of
 * the place.
 */
export const withPaths = (
  diagnostics: readonly Diagnostic[],
  document: Pick<ConfigDocument, 'data'>,
): readonly Diagnostic[] =>
  diagnostics.map((one) => {
    if (one.path !== undefined) return one;
    const path =
      one.server?.field ?? (syntaxCodes.has(one.code) ? '' : fieldPathOf(document, one.span));
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
