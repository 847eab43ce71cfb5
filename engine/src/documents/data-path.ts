/** Finds the field path of a place in a document, as kube-apiserver prints it. */
import { goQuote } from '../formats/go-quote.ts';
import { sortedIndex } from '../formats/sorted-index.ts';
import { redactArgument } from '../source/redact-secrets.ts';
import { contains, type Span } from '../source/span.ts';
import type { DataNode } from './yaml/data.ts';

/**
 * Returns the path of the innermost field whose name or value contains the span, such as
 * `jwt[0].issuer.url`; empty for a place that belongs to no field.
 */
export const pathOfSpan = (root: DataNode | undefined, place: Span): string => {
  let path = '';
  for (let at = root; at !== undefined; ) {
    if (at.kind === 'array') {
      const index = sortedIndex(at.items, ({ span }) => span.start <= place.start) - 1;
      const item = at.items[index];
      if (item === undefined || !contains(item.span, place)) return path;
      path = `${path}[${index}]`;
      at = item;
    } else if (at.kind === 'object') {
      const index = sortedIndex(at.entries, ({ keySpan }) => keySpan.start <= place.start) - 1;
      const entry = at.entries[index];
      if (entry === undefined) return path;
      const isKey = contains(entry.keySpan, place);
      if (!isKey && !contains(entry.value.span, place)) return path;
      path = path === '' ? nameOf(entry.key) : `${path}.${nameOf(entry.key)}`;
      if (isKey) return path;
      at = entry.value;
    } else return path;
  }
  return path;
};

/** Returns a key as it appears in a path; one that is no name may be any text. */
const nameOf = (key: string): string => {
  const shown = redactArgument(key);
  return shown !== key || /^[\w./-]+$/.test(key) ? shown : goQuote(key);
};
