/** Drops advice that follows from an error of the same field: the error has to be fixed first. */
import { emailVerified } from '../../config/rules/email-verified.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';

/** Returns the advice about mappings and rules without errors, and about all other fields. */
export const withoutAdviceOnErrors = (
  advice: readonly Diagnostic[],
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] => {
  const broken = new Set<string>();
  for (const { code, severity, path = '' } of diagnostics) {
    const part = partOf(path);
    // The rule about email_verified is about several fields: advice may explain why it is broken.
    if (severity === 'error' && part !== undefined && code !== emailVerified.code) broken.add(part);
  }
  if (broken.size === 0) return advice;
  return advice.filter(({ source, severity, path = '' }) => {
    if (source !== 'lint' || severity === 'error') return true;
    const part = partOf(path);
    return part === undefined || !broken.has(part);
  });
};

/** Returns the mapping or the rule that a field belongs to: its fields depend on each other. */
const partOf = (path: string): string | undefined => dependentFields.exec(path)?.[0];

const dependentFields =
  /^jwt\[\d+\]\.(?:claimMappings\.(?:username|groups|uid|extra\[\d+\])|(?:claim|user)ValidationRules\[\d+\])(?=$|\.)/;
