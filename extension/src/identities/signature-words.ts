/** What was found out about a signature, as it is shown beside claims. */
import type { ShownStep } from '../messages/whoami.ts';

/** For a title: whether it was checked, and not with what. */
export const signatureInBrief = (signature: string | undefined): string =>
  signature === undefined
    ? 'signature not checked'
    : signature.replace(/^(signature (?:checked|not checked|does not fit)).*$/s, '$1');

export const fitsNoKey = (signature: string | undefined): boolean =>
  signature?.startsWith('signature does not fit') === true;

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
