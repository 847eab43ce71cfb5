/** Reports suppressions that have expired, or that suppress nothing. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { diagnosticOf } from '../diagnostics/rule.ts';
import { expiredSuppression, unusedSuppression } from './findings.ts';
import type { Suppression } from './settings.ts';

/** Returns the suppressions that no longer apply; `now` is in milliseconds since 1970. */
export const expiredSuppressions = (
  suppressions: readonly Suppression[],
  now: number,
): readonly Diagnostic[] =>
  suppressions.flatMap(({ code, entry, expiresAt }) =>
    expiresAt === undefined || now < expiresAt
      ? []
      : [
          diagnosticOf(expiredSuppression, entry.span, {
            path: entry.path,
            code,
            // `expiresAt` is the start of the next day.
            date: new Date(expiresAt - 1).toISOString().slice(0, 10),
          }),
        ],
  );

/** Returns the suppressions that apply and are not in `used`. */
export const unusedSuppressions = (
  suppressions: readonly Suppression[],
  used: ReadonlySet<Suppression>,
  now: number,
): readonly Diagnostic[] =>
  suppressions.flatMap((suppression) => {
    const { code, entry, expiresAt } = suppression;
    const isExpired = expiresAt !== undefined && now >= expiresAt;
    if (isExpired || used.has(suppression)) return [];
    return [diagnosticOf(unusedSuppression, entry.span, { path: entry.path, code })];
  });
