/** The sentences about verdicts, in all output formats. */
import { formatCount } from '../../formats/counted.ts';
import { collapseWhitespace } from '../../formats/trim.ts';
import type {
  AccessChangeKind,
  AccessVerdict,
  SettingDifference,
} from '../access/access-result.ts';

/** The sentence for an example of each kind. */
const found: Readonly<Record<AccessChangeKind, string>> = {
  gained: 'someone gains access',
  lost: 'someone loses access',
  changed: 'someone who keeps access gets another identity',
};

/** The sentence for a proof of each kind. */
export const proofs: Readonly<Record<AccessChangeKind, string>> = {
  gained: 'no one gains access',
  lost: 'no one loses access',
  changed: 'no one who keeps access gets another identity',
};

/** The question that is undecided, for each kind of change. */
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

/** The assumptions of every proof. */
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
