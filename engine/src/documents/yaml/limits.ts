/** The bounds of a document. All but the size are checked on a tree that exists already. */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { diagnosticOf } from '../../diagnostics/rule.ts';
import type { Span } from '../../source/span.ts';
import { documentLimit } from './findings.ts';

export const documentLimits = {
  /** UTF-16 units; a file of the same number of bytes always fits. */
  length: 1024 * 1024,
  depth: 64,
  aliases: 100,
  expandedNodes: 100_000,
  scalarLength: 256 * 1024,
  expressions: 5000,
} as const;

const nouns: Readonly<Record<keyof typeof documentLimits, string>> = {
  length: 'characters',
  depth: 'levels of nesting',
  aliases: 'aliases',
  expandedNodes: 'nodes with aliases expanded',
  scalarLength: 'characters in one value',
  expressions: 'expressions',
};

/** A diagnostic where the measure is over its limit. */
export const overLimit = (
  measure: keyof typeof documentLimits,
  actual: number,
  span: Span,
): readonly Diagnostic[] => {
  const limit = documentLimits[measure];
  if (actual <= limit) return [];
  return [diagnosticOf(documentLimit, span, { what: nouns[measure], actual, limit })];
};

export const asWarning = (diagnostic: Diagnostic): Diagnostic => ({
  ...diagnostic,
  severity: 'warning',
});
