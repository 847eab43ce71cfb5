/**
 * Changes of a configuration that fix one reason for which it rejects given claims: they accept
 * another audience, or give an expression a value for a missing claim. Each change was compiled and
 * tried with the claims. It is applied by a person only, since it may admit other tokens, too.
 */
import type { Compilation } from '../../compile/compile.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import { type Span, touches } from '../../source/span.ts';
import { preview } from '../preview/preview.ts';
import { audienceFixes } from './audience-fixes.ts';
import type { ConfigurationFix } from './configuration-fix.ts';
import { missingClaimFix, missingKey } from './missing-claim-fix.ts';

/** Each change is compiled, which takes too long for longer texts. */
const longestTried = 256 * 1024;

interface FixRequest {
  /** Index of the authenticator that is changed. */
  readonly entry: number;
  readonly range: Span;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Returns the changes of fields of one authenticator that touch the range, in file order. */
export const configurationFixes = (
  compilation: Compilation,
  claims: ClaimSet,
  { entry: index, range, now }: FixRequest,
): readonly ConfigurationFix[] => {
  const entry = preview(compilation, claims).entries.find((one) => one.index === index);
  const { source, failure } = compilation.document;
  // The errors of an entry are to be fixed first.
  if (entry?.decision === undefined || failure !== undefined) return [];
  if (source.text.length > longestTried) return [];
  const isInRange = (field: Span): boolean =>
    touches(field, range.start) || touches(field, range.end) || touches(range, field.start);
  const missing = entry.parts.map(({ outcome }) => missingKey(outcome));
  // If several parts need the same claim, the change of one of them does not help.
  const isOnlyOne = (key: string | undefined): boolean =>
    missing.indexOf(key) === missing.lastIndexOf(key);
  return [
    ...audienceFixes(compilation, claims, { entry: index, isInRange, now }),
    ...entry.parts.flatMap((part) => {
      if (!isOnlyOne(missingKey(part.outcome))) return [];
      const field = compilation.origins.get(part.path);
      if (field === undefined || !isInRange(field)) return [];
      return missingClaimFix(compilation, claims, part) ?? [];
    }),
  ];
};
