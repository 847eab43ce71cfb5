/**
 * Finds the pattern that explains a message of authenticators other than `jwt`, of flags, of
 * permissions or of clients.
 */
import { accountPatterns } from './account-patterns.ts';
import { bearerTokenPatterns } from './bearer-token-patterns.ts';
import { certificatePatterns } from './certificate-patterns.ts';
import { clientPatterns } from './client-patterns.ts';
import { flagPatterns } from './flag-patterns.ts';
import { firstMatch } from './match-message.ts';
import type { StagePattern } from './module-pattern.ts';
import { permissionPatterns } from './permission-patterns.ts';
import { requestPatterns } from './request-patterns.ts';
import { webhookPatterns } from './webhook-patterns.ts';

/** All patterns; the first match counts. */
export const stagePatterns: readonly StagePattern[] = [
  ...certificatePatterns,
  ...accountPatterns,
  ...bearerTokenPatterns,
  ...webhookPatterns,
  ...flagPatterns,
  ...permissionPatterns,
  ...requestPatterns,
  ...clientPatterns,
];

/** Returns `undefined` for other texts. Only the beginning of a very long message is matched. */
export const matchStage = (message: string) =>
  firstMatch(message.slice(0, maxStageMessage), stagePatterns);

/**
 * The longest text that is matched: only a denied grant, which lists its rules, is that long, and
 * patterns with several gaps take quadratic time.
 */
export const maxStageMessage = 16_384;
