/**
 * Explains why a mapping or rule fails for a sample, with the values that it read: `false:
 * claims.hd is "x.org"`.
 */

import { variableReads } from '../../cel/check/variable-reads.ts';
import { displayJson } from '../../cel/editor/display-value.ts';
import type { CelNode } from '../../cel/tree/ast.ts';
import type { Compilation } from '../../compile/compile.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import { ownClaim } from '../whoami/claims-decision.ts';
import type { PreviewStep } from './preview-parts.ts';
import { type SeenValue, seenValues } from './seen-values.ts';

/**
 * Returns `undefined` for a part that did not fail. The text contains claims, so it is not safe to
 * show without escaping.
 */
export const failureText = (
  compilation: Compilation,
  { path, outcome }: PreviewStep,
  claims: ClaimSet,
): string | undefined => {
  if (outcome.kind !== 'failed') return undefined;
  if (outcome.cause === 'false') {
    return `false: ${readValues(compilation, path, claims) ?? outcome.short}`;
  }
  const held = requiredClaim(compilation, path, claims);
  return held === undefined ? outcome.short : `false: ${held}`;
};

/** Returns `undefined` if the rule reads no values that can be shown. */
const readValues = (
  compilation: Compilation,
  path: string,
  claims: ClaimSet,
): string | undefined => {
  const at = `${path}.expression`;
  const compiled = compilation.expressions.get(at)?.compilation;
  const seen = compiled === undefined ? undefined : seenValues(compilation, at, claims);
  if (compiled === undefined || seen === undefined) return undefined;
  const { tree, parsed } = compiled.checked;
  const values = new Map<string, string>();
  for (const node of variableReads(tree, variables)) {
    const value = seen.get(node.id);
    const text = parsed.text.slice(node.span.start, node.span.end).replaceAll(/\s+/g, ' ');
    if (value !== undefined && values.size < maxValues) values.set(text, wordsFor(node, value));
  }
  if (values.size === 0) return undefined;
  return Array.from(values, ([text, words]) => `${text} ${words}`).join(', ');
};

const variables: ReadonlySet<string> = new Set(['claims', 'user']);

/** The most values that are shown. */
const maxValues = 3;

const wordsFor = (node: CelNode, value: SeenValue): string => {
  if (value.kind === 'error') return absent;
  if (node.kind === 'select' && node.testOnly) return value.value === true ? 'is present' : absent;
  return valueWords(value.value);
};

const absent = 'is absent';

const valueWords = (value: unknown): string =>
  value === undefined ? absent : `is ${displayJson(value)}`;

/** Explains a rule with `claim` and `requiredValue`; returns `undefined` for every other part. */
const requiredClaim = (
  { configuration }: Compilation,
  path: string,
  claims: ClaimSet,
): string | undefined => {
  const [, entry = '', rule = ''] =
    /^jwt\[(\d+)\]\.claimValidationRules\[(\d+)\]$/.exec(path) ?? [];
  const claim = configuration?.jwt[Number(entry)]?.claimValidationRules[Number(rule)]?.claim?.value;
  if (rule === '' || claim === undefined) return undefined;
  return `${claim} ${valueWords(ownClaim(claims, claim))}`;
};
