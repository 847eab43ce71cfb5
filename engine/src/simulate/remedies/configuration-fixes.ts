/**
 * Changes of a configuration after which rejected claims get further: another audience is accepted,
 * or a missing claim is no longer an error. Each change was compiled and tried with the claims. It
 * is applied by a person only, since it may admit other tokens, too.
 */
import type { Compilation } from '../../compile/compile.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import { type Span, touches } from '../../source/span.ts';
import { preview } from '../preview/preview.ts';
import { audienceFixes } from './audience-fixes.ts';
import type { ConfigurationFix } from './configuration-fix.ts';
import { missingClaimFix } from './missing-claim-fix.ts';

/** Each change is compiled, which takes too long for longer texts. */
const longestTried = 256 * 1024;

/**
 * Returns the changes of fields that touch the range, in file order. `now` is in milliseconds since
 * 1970.
 */
export const configurationFixes = (
  compilation: Compilation,
  claims: ClaimSet,
  { range, now }: { readonly range: Span; readonly now: number },
): readonly ConfigurationFix[] => {
  const { entries } = preview(compilation, claims);
  const [entry] = entries;
  const { source, failure } = compilation.document;
  // The errors of an entry are to be fixed first.
  if (entry?.decision === undefined || failure !== undefined) return [];
  if (source.text.length > longestTried) return [];
  const isInRange = (field: Span): boolean =>
    touches(field, range.start) || touches(field, range.end) || touches(range, field.start);
  return [
    ...audienceFixes(compilation, claims, { entry: entry.index, isInRange, now }),
    ...entry.parts.flatMap((part) => {
      const field = compilation.origins.get(part.path);
      if (field === undefined || !isInRange(field)) return [];
      return missingClaimFix(compilation, claims, part) ?? [];
    }),
  ];
};
