/** Formats the comparison of two configurations for a terminal: examples, proofs, and what is undecided. */
import { toPrintable } from '../../diagnostics/printable.ts';
import { formatCount } from '../../formats/counted.ts';
import type { UserInfo } from '../../model/user-info.ts';
import {
  type AccessChangeKind,
  type AccessVerdict,
  accessChangeKinds,
  type FoundAccessChange,
} from '../../simulate/access/access-result.ts';
import {
  causeLine,
  type SourcesOfSides,
  undecidedLine,
  witnessLine,
} from '../../simulate/access/access-text.ts';
import { type AccessChange, lockOutOf } from '../../simulate/difference/diff.ts';
import { proofs, questions, settingSentence } from '../../simulate/difference/verdict-sentences.ts';
import { userLines } from '../../simulate/whoami/user-lines.ts';
import { escapeUnprintable } from '../../source/unprintable.ts';
import type { Paint } from '../color.ts';
import { type CorpusReport, type DiffReport, summarySentences } from './diff-report.ts';

export const diffText = (report: DiffReport, paint: Paint): string => {
  const { comparison, samples, corpora, sources } = report;
  const { verdicts, settings } = comparison;
  const lockOut = lockOutOf(samples);
  const summary = summarySentences(report);
  const sections = [
    samples.flatMap((change) => sampleLines(change, paint)),
    ...corpora.map((corpus) => corpusLines(corpus, paint)),
    [
      ...accessChangeKinds.flatMap((kind) =>
        verdictLines(kind, verdicts[kind], { sources, paint }),
      ),
      ...settings.map((one) => toPrintable(`changed setting: ${settingSentence(one)}`)),
    ],
    [...(lockOut === undefined ? [] : [paint('red', lockOut)]), ...summary.map(escapeUnprintable)],
  ];
  return sections
    .map((lines) =>
      lines
        .map((line) => line.trimEnd())
        .join('\n')
        .trimEnd(),
    )
    .filter((section) => section !== '')
    .map((section) => `${section}\n`)
    .join('\n');
};

const marks = { gained: ['+', 'green'], lost: ['-', 'red'], changed: ['~', 'yellow'] } as const;

interface TextOptions {
  readonly sources: SourcesOfSides;
  readonly paint: Paint;
}

const sampleLines = (
  { kind, before, after, details }: AccessChange,
  paint: Paint,
): readonly string[] => {
  if (kind === 'same') return [];
  const [mark, color] = marks[kind];
  return [
    `${paint(color, `${mark} ${kind}`)}  ${toPrintable(after)}`,
    paint('dim', `    before: ${toPrintable(before)}`),
    ...details.map((detail) => `    ${toPrintable(detail)}`),
  ];
};

const corpusLines = ({ result, examples }: CorpusReport, paint: Paint): readonly string[] => {
  const total = Object.values(result.counts).reduce((sum, count) => sum + count, 0);
  const more = total - examples.length;
  return [
    ...examples.flatMap((change) => sampleLines(change, paint)),
    ...(more > 0 ? [`… and ${formatCount(more)} more`] : []),
  ];
};

const verdictLines = (
  kind: AccessChangeKind,
  verdict: AccessVerdict,
  { sources, paint }: TextOptions,
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
  { sources, paint }: TextOptions,
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
