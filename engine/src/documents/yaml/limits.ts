/** Limits of a document. All except for the length are checked on the parsed tree. */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { diagnosticOf } from '../../diagnostics/rule.ts';
import type { Span } from '../../source/span.ts';
import { documentLimit } from './findings.ts';

export const documentLimits = {
  /** Limit in UTF-16 units, so that a file of as many bytes always fits. */
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

/** Returns a diagnostic if the measure exceeds its limit. */
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
