/** What was found out about a signature, as it is shown beside claims. */
import { signatureFitsNoKey, type WhoamiRow } from '@authgraph/language-server/protocol';
import type { ShownStep } from '../messages/whoami.ts';

/** For a title: whether it was checked, and not with what. */
export const signatureInBrief = (signature: string | undefined): string =>
  signature === undefined
    ? 'signature not checked'
    : signature.replace(/^(signature (?:checked|not checked|does not fit)).*$/s, '$1');

export const fitsNoKey = (signature: string | undefined): boolean =>
  signature?.startsWith(signatureFitsNoKey) === true;

/** What a server says of the token, which it checks before the claims; `undefined` where they decide. */
export const refusalOfSignature = (signature: string | undefined): string | undefined =>
  signature !== undefined && fitsNoKey(signature)
    ? `A server would refuse this token: its ${signature}.`
    : undefined;

/** The row as a server would answer: a signature that fits no key refuses, whatever the claims are. */
export const answeredRow = (row: WhoamiRow, signature: string | undefined): WhoamiRow => {
  const refusal = refusalOfSignature(signature);
  if (refusal === undefined) return row;
  const { acting: _, ...rest } = row;
  return {
    ...rest,
    verdict: 'rejected',
    headline: `${row.sample.name} refused: ${signatureInBrief(signature)}`,
    yaml: `# ${refusal}\n# Its claims alone would give:\n${row.yaml}`,
    // No change of the claims mends a signature.
    whyNot: [],
  };
};

/** The step of a preview that says that claims have no signature, with what the token's was. */
export const withSignature = (step: ShownStep, signature: string | undefined): ShownStep => {
  if (signature === undefined || step.what !== 'signature' || step.outcome !== 'skipped') {
    return step;
  }
  return { ...step, outcome: outcomeOf(signature), detail: signature.replace(/^signature /, '') };
};

const outcomeOf = (signature: string): ShownStep['outcome'] => {
  if (signature.startsWith('signature checked')) return 'passed';
  return fitsNoKey(signature) ? 'failed' : 'skipped';
};

/** A path or an address as it can stand in a message: nothing in it is markup, or turns how the rest reads. */
export const shownPlainly = (text: string): string => text.replace(/[^\p{L}\p{N}@._+/:-]+/gu, '-');
