/** The sentences about verdicts, in all output formats. */
import { counted, formatCount } from '../../formats/counted.ts';
import { collapseWhitespace } from '../../formats/trim.ts';
import {
  type AccessChangeKind,
  type AccessComparison,
  type AccessVerdict,
  accessChangeKinds,
  type SettingDifference,
} from '../access/access-result.ts';
import { gainsFullControl } from './diff.ts';

/** The sentence for an example of each kind. */
const found: Readonly<Record<AccessChangeKind, string>> = {
  gained: 'someone gains access',
  lost: 'someone loses access',
  changed: 'someone gets another identity',
};

/** The sentence for a proof of each kind. */
export const proofs: Readonly<Record<AccessChangeKind, string>> = {
  gained: 'no one gains access',
  lost: 'no one loses access',
  changed: 'no one who keeps access gets another identity',
};

/** What is undecided. */
export const questions: Readonly<Record<AccessChangeKind, string>> = {
  gained: 'whether anyone gains access',
  lost: 'whether anyone loses access',
  changed: 'whether anyone gets another identity',
};

/** Returns the verdict in one sentence, such as `no one gains access`. */
export const verdictSentence = (kind: AccessChangeKind, verdict: AccessVerdict): string => {
  const sentences = { found: found[kind], proved: proofs[kind], undecided: questions[kind] };
  const tried =
    verdict.kind === 'undecided' ? ` (${formatCount(verdict.tried)} requests were tried)` : '';
  return sentences[verdict.kind] + tried;
};

/**
 * Returns a sentence about full control of the cluster, if the change gives it: to `known` samples or claim sets, else
 * to a token.
 */
export const fullControlSentences = (
  verdicts: AccessComparison['verdicts'],
  { known, noun }: { readonly known: number; readonly noun: string },
): readonly string[] => {
  if (known > 0) {
    return [`${counted(known, noun)} ${known === 1 ? 'gains' : 'gain'} system:masters`];
  }
  const isPossible = accessChangeKinds.some((kind) => {
    const verdict = verdicts[kind];
    return (
      verdict.kind === 'found' &&
      verdict.changes.some(({ before, after }) => gainsFullControl(before, after))
    );
  });
  return isPossible ? ['a token can gain system:masters'] : [];
};

/** What every proof assumes. */
export const proofLimits =
  'A proof covers tokens within the limits of size and cost, without distributed claims. Keys, trust and other authenticators are compared as settings.';

/** Returns a setting with its values; it decides about trust and not about claims, so there is no verdict. */
export const settingSentence = ({ setting, issuer, before, after }: SettingDifference): string =>
  `${setting}${issuer === undefined ? '' : ` of ${issuer}`}: ${shown(before)} → ${shown(after)}`;

/** The most characters of a setting, which may be a list of certificates. */
const maxShown = 80;

const shown = (value: string | undefined): string => {
  if (value === undefined) return '(none)';
  const oneLine = collapseWhitespace(value);
  return oneLine.length > maxShown ? `${oneLine.slice(0, maxShown)}…` : oneLine;
};
