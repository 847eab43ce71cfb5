/** Formats the comparison of two configurations: examples of changed access, proofs, and what is undecided. */
import { toPrintable } from '../diagnostics/printable.ts';
import type { UserInfo } from '../model/user-info.ts';
import {
  type AccessChangeKind,
  type AccessComparison,
  type AccessVerdict,
  accessChangeKinds,
  type FoundAccessChange,
  type SettingDifference,
} from '../simulate/access/access-result.ts';
import { causeData, undecidedData, userData } from './access-data.ts';
import { causeLine, type SourcesOfSides, undecidedLine, witnessLine } from './access-text.ts';
import type { Paint } from './color.ts';
import { userLines } from './whoami-text.ts';

const marks = { gained: ['+', 'green'], lost: ['-', 'red'], changed: ['~', 'yellow'] } as const;

/** What a proof of each kind says. */
const proofs: Readonly<Record<AccessChangeKind, string>> = {
  gained: 'no one gains access',
  lost: 'no one loses access',
  changed: 'no one who keeps access gets another identity',
};

/** What is undecided. */
const questions: Readonly<Record<AccessChangeKind, string>> = {
  gained: 'whether anyone gains access',
  lost: 'whether anyone loses access',
  changed: 'whether anyone gets another identity',
};

export const comparisonText = (
  { verdicts, settings }: AccessComparison,
  { sources, paint }: { readonly sources: SourcesOfSides; readonly paint: Paint },
): string => {
  const lines = [
    ...accessChangeKinds.flatMap((kind) => verdictLines(kind, verdicts[kind], { sources, paint })),
    ...settings.flatMap(settingLines),
  ];
  return `${lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd()}\n`;
};

const verdictLines = (
  kind: AccessChangeKind,
  verdict: AccessVerdict,
  { sources, paint }: { readonly sources: SourcesOfSides; readonly paint: Paint },
): readonly string[] => {
  switch (verdict.kind) {
    case 'found':
      return verdict.changes.flatMap((change) => changeLines(change, { sources, paint }));
    case 'proved':
      return [paint('green', `proved: ${proofs[kind]}`)];
    case 'undecided':
      return [
        paint('yellow', `undecided: ${questions[kind]}; ${verdict.tried} requests were tried`),
        ...verdict.reasons.map((reason) => `  no proof: ${undecidedLine(reason, sources)}`),
      ];
  }
};

const changeLines = (
  { kind, witness, before, after, cause }: FoundAccessChange,
  { sources, paint }: { readonly sources: SourcesOfSides; readonly paint: Paint },
): readonly string[] => {
  const [mark, color] = marks[kind];
  return [
    paint(color, `${mark} access ${kind}: ${witnessLine(witness)}`),
    ...(kind === 'changed' ? changedUserLines(before, after) : userLinesOf(before ?? after)),
    ...cause.map((one) => paint('dim', `  by ${causeLine(one, sources)}`)),
    '',
  ];
};

const userLinesOf = (user: UserInfo | null): readonly string[] =>
  user === null ? [] : userLines(user);

const changedUserLines = (before: UserInfo | null, after: UserInfo | null): readonly string[] => [
  '  before:',
  ...userLinesOf(before).map((line) => `  ${line}`),
  '  after:',
  ...userLinesOf(after).map((line) => `  ${line}`),
];

/** Settings decide about trust and not about claims, so they are reported without a verdict. */
const settingLines = ({ setting, issuer, before, after }: SettingDifference): readonly string[] => [
  toPrintable(
    `changed setting: ${setting}${issuer === undefined ? '' : ` of ${issuer}`}: ${shown(before)} → ${shown(after)}`,
  ),
];

/** The most characters of a setting, which may be a list of certificates. */
const maxShown = 80;

const shown = (value: string | undefined): string => {
  if (value === undefined) return '(none)';
  const oneLine = value.replaceAll(/\s+/g, ' ');
  return oneLine.length > maxShown ? `${oneLine.slice(0, maxShown)}…` : oneLine;
};

/** Returns the members `changes`, `proved`, `undecided` and `settings` of the JSON output. */
export const comparisonData = (
  { verdicts, settings, evaluations }: AccessComparison,
  sources: SourcesOfSides,
): object => ({
  changes: accessChangeKinds.flatMap((kind) => {
    const verdict = verdicts[kind];
    if (verdict.kind !== 'found') return [];
    return verdict.changes.map(({ witness, before, after, cause }) => ({
      kind,
      witness,
      before: userData(before),
      after: userData(after),
      cause: cause.map((one) => causeData(one, sources)),
    }));
  }),
  proved: accessChangeKinds.filter((kind) => verdicts[kind].kind === 'proved'),
  undecided: accessChangeKinds.flatMap((kind) => {
    const verdict = verdicts[kind];
    if (verdict.kind !== 'undecided') return [];
    return verdict.reasons.map((reason) => ({ kind, ...undecidedData(reason, sources) }));
  }),
  settings,
  evaluations,
});
