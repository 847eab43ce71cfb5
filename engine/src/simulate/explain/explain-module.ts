/** Messages of the authenticators beside `jwt`, of flags and of permissions -> the row that explains one. */
import { accountPatterns } from './account-patterns.ts';
import { certificatePatterns } from './certificate-patterns.ts';
import { flagPatterns } from './flag-patterns.ts';
import type { StagePattern } from './module-pattern.ts';
import { permissionPatterns } from './permission-patterns.ts';
import { requestPatterns } from './request-patterns.ts';
import { tokenPatterns } from './token-patterns.ts';
import { webhookPatterns } from './webhook-patterns.ts';

/** The first that fits counts. */
export const stagePatterns: readonly StagePattern[] = [
  ...certificatePatterns,
  ...accountPatterns,
  ...tokenPatterns,
  ...webhookPatterns,
  ...flagPatterns,
  ...permissionPatterns,
  ...requestPatterns,
];

export interface StageMatch {
  readonly row: StagePattern;
  readonly match: RegExpExecArray;
}

/** `undefined` for other texts. Of a very long one, its beginning counts. */
export const matchStage = (message: string): StageMatch | undefined => {
  const text = message.slice(0, maxStageMessage);
  for (const row of stagePatterns) {
    const match = row.pattern.exec(text);
    if (match !== null) return { row, match };
  }
  return undefined;
};

/** A denied grant lists its rules; no other message is as long. Patterns with several gaps are quadratic in the length. */
export const maxStageMessage = 16_384;
