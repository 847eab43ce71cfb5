/**
 * The verdict of a configuration on a sample: the only place that decides one. Lenses, hints,
 * whoami, the graph, the lists of samples and the change preview show it.
 */
import type { Decision } from '@authgraph/engine';
import {
  entryNode,
  oneLine,
  preview,
  previewHeadline,
  type SamplePreview,
  type TokenCheck,
  type TokenProblem,
  tokenProblems,
  tokenRefusal,
  toPrintable,
  unfitSignature,
} from '@authgraph/engine/language';
import {
  isSignatureMismatch,
  type StepRow,
  signatureMismatch,
  type Verdict,
  type VerdictRow,
} from '../protocol.ts';
import type { Sample } from '../samples.ts';
import type { ConfigurationPart } from '../workspace.ts';
import { previewAssumption, undecidedReason } from './load-failure.ts';

type DecidedSample = Pick<Sample, 'name' | 'claims' | 'signature'>;

export interface SampleVerdict extends Pick<SamplePreview, 'entries'> {
  readonly verdict: Verdict;
  /** `undefined` if the verdict is `undecided`. */
  readonly decision: Decision | undefined;
  /** One line, such as `jane → oidc:jane · 3 groups` or the reason for a rejection. */
  readonly headline: string;
  /** Phrases that the headline ends with, for the graph. */
  readonly notes: readonly string[];
  /** The checks that a token with these claims would fail; for a token, the one that rejects it. */
  readonly problems: readonly TokenProblem[];
  /** Present if a token is rejected before its claims are mapped. */
  readonly refusal?: TokenProblem;
}

/**
 * Returns the verdict at a time in milliseconds since 1970. Claims of a token are decided like the
 * token, claims of a file by what they map to.
 */
export const verdictOn = (
  part: ConfigurationPart,
  sample: DecidedSample,
  now: number,
): SampleVerdict => {
  const { compilation } = part;
  const { name, claims } = sample;
  const samplePreview = preview(compilation, claims);
  const { decision, entries } = samplePreview;
  const [first] = entries;
  if (decision === undefined || compilation.configuration === undefined) {
    const headline = `${oneLine(name)}: ${undecidedReason(part, first?.index)}`;
    return {
      verdict: 'undecided',
      decision: undefined,
      entries,
      headline,
      notes: [],
      problems: [],
    };
  }
  const assumption = previewAssumption(compilation);
  const assumed = assumption === undefined ? [] : [assumption];
  const node = first && entryNode(compilation, first.index)?.node;
  const refusal = node && refusalOf(node, sample, now);
  if (refusal !== undefined) {
    const { text, check } = refusal;
    return {
      verdict: 'rejected',
      decision: refusal.decision,
      entries,
      headline: [`${oneLine(name)} rejected: ${text}`, ...assumed].join(' · '),
      notes: assumed,
      problems: [refusal],
      refusal: { text, check },
    };
  }
  const problems = node === undefined || isToken(sample) ? [] : tokenProblems(node, claims, now);
  const isAccepted = decision.kind === 'accepted';
  const notes = [...(isAccepted ? problems.map(({ text }) => text) : []), ...assumed];
  return {
    verdict: isAccepted && notes.length > 0 ? 'acceptedWithNote' : decision.kind,
    decision,
    entries,
    headline: isAccepted
      ? previewHeadline(name, samplePreview, notes)
      : [previewHeadline(name, samplePreview), ...notes].join(' · '),
    notes,
    problems,
  };
};

/** Returns whether the claims are those of a token; only tokens have a finding about a signature. */
const isToken = ({ signature }: DecidedSample): boolean => signature !== undefined;

/** Returns why a token is rejected before its claims are mapped; `undefined` for other claims. */
const refusalOf = (
  node: Parameters<typeof tokenRefusal>[0],
  sample: DecidedSample,
  now: number,
): (TokenProblem & { readonly decision: Decision }) | undefined => {
  if (!isToken(sample)) return undefined;
  const refusal = tokenRefusal(node, sample.claims, now);
  if (refusal !== undefined) return refusal;
  return isSignatureMismatch(sample.signature)
    ? { check: undefined, text: signatureMismatch, decision: rejectedBySignature }
    : undefined;
};

const rejectedBySignature: Decision = { kind: 'rejected', by: 'jwt', reason: unfitSignature };

/** Returns the row of a sample. */
export const verdictRow = (
  { sample: { id, name }, configuration }: Pick<VerdictRow, 'sample' | 'configuration'>,
  { verdict, headline, entries }: SampleVerdict,
): VerdictRow => {
  const [first] = entries;
  return {
    sample: { id, name },
    configuration,
    verdict,
    headline,
    ...(first === undefined ? {} : { authenticator: first.index }),
  };
};

/**
 * Returns a step as the token of a sample passes it. A step alone reports that claims carry no
 * signature, and that audience and times are not enforced.
 */
export const stepOfToken = (
  step: StepRow,
  { signature }: Pick<Sample, 'signature'>,
  { problems, refusal }: Pick<SampleVerdict, 'problems' | 'refusal'>,
): StepRow => {
  const problem = problems.find(({ check }) => check !== undefined && check === checkOf(step));
  if (problem !== undefined) {
    const outcome = problem.check === refusal?.check ? 'failed' : step.outcome;
    return { ...step, outcome, detail: problem.text };
  }
  return signature === undefined || step.what !== 'signature' || step.outcome !== 'skipped'
    ? step
    : {
        ...step,
        outcome: outcomeOf(signature),
        detail: toPrintable(signature.replace(/^signature /, '')),
      };
};

const checkOf = ({ what, outcome }: StepRow): TokenCheck | undefined =>
  outcome === 'note' && (what === 'audience' || what === 'exp' || what === 'nbf')
    ? what
    : undefined;

const outcomeOf = (signature: string): StepRow['outcome'] => {
  if (signature.startsWith('signature checked')) return 'passed';
  return isSignatureMismatch(signature) ? 'failed' : 'skipped';
};
