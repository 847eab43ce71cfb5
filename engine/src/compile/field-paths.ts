/** Adds field paths to diagnostics. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { pathOfSpan } from '../documents/data-path.ts';
import type { ConfigDocument } from '../documents/yaml/document.ts';

/**
 * Adds the field path to each diagnostic: that of kube-apiserver's error, or else that of the place.
 * A text that cannot be parsed has no fields.
 */
export const withPaths = (
  diagnostics: readonly Diagnostic[],
  { data, failure }: Pick<ConfigDocument, 'data' | 'failure'>,
): readonly Diagnostic[] =>
  diagnostics.map((one) => {
    const path = one.server?.field ?? (failure === undefined ? pathOfSpan(data, one.span) : '');
    return path === '' ? one : { ...one, path };
  });
