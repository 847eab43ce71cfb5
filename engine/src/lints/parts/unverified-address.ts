/** The question whether an entry accepts a token with an unverified address. */
import type { EvidenceQuestion } from '../../diagnostics/evidence.ts';

export const unverifiedAddress = (entry: number): EvidenceQuestion => ({
  kind: 'accepted',
  entry,
  tokens: [{ claims: { email_verified: false } }],
});
