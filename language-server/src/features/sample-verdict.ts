/**
 * What a configuration makes of a sample, the signature of its token included: lenses, whoami, the graph
 * and the preview of a change say the same.
 */
import type { Decision } from '@authgraph/engine';
import {
  type Compilation,
  oneLine,
  preview,
  previewHeadline,
  toPrintable,
  type SamplePreview,
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
  /** `jane → oidc:jane · 3 groups`, or why not; one line. */
  readonly headline: string;
  /** Present where the signature refuses, in words: `signature does not fit keys.jwks.json`. */
  readonly signature?: string;
}

/** A token that no authenticator takes is asked for no key, and with errors nobody knows. */
export const verdictOn = (
  compilation: Compilation,
  { name, claims, signature }: Pick<Sample, 'name' | 'claims' | 'signature'>,
): SampleVerdict => {
  const seen = preview(compilation, claims);
  const { decision, entries } = seen;
  if (decision === undefined || entries.length === 0 || !isSignatureMismatch(signature)) {
    return { decision, entries, headline: previewHeadline(name, seen) };
  }
  const headline = `${oneLine(name)} refused: ${signatureMismatch}`;
  return { decision: rejectedBySignature, entries, headline, signature: toPrintable(signature) };
};

/** The row of a sample that is decided. */
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

/** Claims carry no signature, which their preview says; here with what is known of the token's. */
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
