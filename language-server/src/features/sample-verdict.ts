/**
 * The verdict of a configuration on a sample, including the token's signature. Lenses, whoami, the
 * graph and the change preview share it.
 */
import type { Decision } from '@authgraph/engine';
import {
  type Compilation,
  oneLine,
  preview,
  previewHeadline,
  type SamplePreview,
  toPrintable,
  unfitSignature,
} from '@authgraph/engine/language';
import {
  isSignatureMismatch,
  type StepRow,
  signatureMismatch,
  type VerdictRow,
} from '../protocol.ts';
import type { Sample } from '../samples.ts';

export interface SampleVerdict extends Pick<SamplePreview, 'decision' | 'entries'> {
  /** One line, such as `jane → oidc:jane · 3 groups` or the reason for a rejection. */
  readonly headline: string;
  /** Present if the signature is invalid, such as `signature does not match keys.jwks.json`. */
  readonly signature?: string;
}

/**
 * Returns the verdict. The signature is ignored if no authenticator accepts the issuer or an error
 * leaves the sample undecided.
 */
export const verdictOn = (
  compilation: Compilation,
  { name, claims, signature }: Pick<Sample, 'name' | 'claims' | 'signature'>,
): SampleVerdict => {
  const seen = preview(compilation, claims);
  const { decision, entries } = seen;
  if (decision === undefined || entries.length === 0 || !isSignatureMismatch(signature)) {
    return { decision, entries, headline: previewHeadline(name, seen) };
  }
  const headline = `${oneLine(name)} rejected: ${signatureMismatch}`;
  return { decision: rejectedBySignature, entries, headline, signature: toPrintable(signature) };
};

/** Returns the row of a decided sample. */
export const verdictRow = (
  { sample: { id, name }, configuration }: Pick<VerdictRow, 'sample' | 'configuration'>,
  { decision, headline, entries }: SampleVerdict & { readonly decision: Decision },
): VerdictRow => {
  const [first] = entries;
  return {
    sample: { id, name },
    configuration,
    verdict: decision.kind,
    headline,
    ...(first === undefined ? {} : { authenticator: first.index }),
  };
};

const rejectedBySignature: Decision = { kind: 'rejected', by: 'jwt', reason: unfitSignature };

/**
 * Returns the step with the result of the signature check. A step alone reports that claims carry
 * no signature.
 */
export const withSignature = (step: StepRow, { signature }: Pick<Sample, 'signature'>): StepRow =>
  signature === undefined || step.what !== 'signature' || step.outcome !== 'skipped'
    ? step
    : {
        ...step,
        outcome: outcomeOf(signature),
        detail: toPrintable(signature.replace(/^signature /, '')),
      };

const outcomeOf = (signature: string): StepRow['outcome'] => {
  if (signature.startsWith('signature checked')) return 'passed';
  return isSignatureMismatch(signature) ? 'failed' : 'skipped';
};
