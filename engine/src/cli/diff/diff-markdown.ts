/**
 * Formats the comparison of two configurations as Markdown for a pull request. Names, claims and file names are
 * untrusted: all of them are in code spans and code blocks, where nothing is interpreted.
 */
import { toPrintable } from '../../diagnostics/printable.ts';
import type { UserInfo } from '../../model/user-info.ts';
import {
  type AccessChangeKind,
  type AccessVerdict,
  accessChangeKinds,
  type FoundAccessChange,
} from '../../simulate/access/access-result.ts';
import { lockOutOf } from '../../simulate/difference/diff.ts';
import { escapeUnprintable } from '../../source/unprintable.ts';
import { causeLine, type SourcesOfSides, undecidedLine, witnessLine } from '../access-text.ts';
import { userLines } from '../whoami-text.ts';
import { type DiffReport, summarySentences } from './diff-report.ts';
import { proofLimits, proofs, questions, settingSentence } from './verdict-sentences.ts';

export const diffMarkdown = (report: DiffReport): string => {
  const { names, comparison, samples, corpora, sources } = report;
  const lockOut = lockOutOf(samples);
  const changed = [...samples, ...corpora.flatMap(({ examples }) => examples)]
    .filter(({ kind }) => kind !== 'same')
    .slice(0, maxRows);
  const blocks = [
    `### Access difference: ${code(names.before)} → ${code(names.after)}`,
    bulletList([
      ...(lockOut === undefined ? [] : [`**${lockOut}**`]),
      ...summarySentences(report).map((sentence) => `**${plain(sentence)}**`),
      ...accessChangeKinds.map((kind) => verdictItem(kind, comparison.verdicts[kind])),
    ]),
    ...(changed.length === 0
      ? []
      : [
          codeBlock(
            changed.flatMap(({ kind, before, after, details }) => [
              `${kind}: ${before}`,
              `  now: ${after}`,
              ...details.map((detail) => `  ${detail}`),
            ]),
          ),
        ]),
    ...accessChangeKinds.flatMap((kind) => verdictBlocks(kind, comparison.verdicts[kind], sources)),
    ...(comparison.settings.length === 0
      ? []
      : [
          '**Settings that changed** (not covered by the verdicts)',
          bulletList(comparison.settings.map((one) => code(settingSentence(one)))),
        ]),
    `<sub>${proofLimits}</sub>`,
  ];
  return `${blocks.join('\n\n')}\n`;
};

/** A comment that is too long is rejected by GitHub. */
const maxRows = 40;

const icons = { found: '❌', proved: '✅', undecided: '❔' } as const;

const found: Readonly<Record<AccessChangeKind, string>> = {
  gained: 'someone gains access',
  lost: 'someone loses access',
  changed: 'someone gets another identity',
};

const verdictItem = (kind: AccessChangeKind, verdict: AccessVerdict): string => {
  switch (verdict.kind) {
    case 'found':
      return `${icons.found} found: ${found[kind]}`;
    case 'proved':
      return `${icons.proved} proved: ${proofs[kind]}`;
    case 'undecided':
      return `${icons.undecided} undecided: ${questions[kind]} (${verdict.tried} requests were tried)`;
  }
};

const verdictBlocks = (
  kind: AccessChangeKind,
  verdict: AccessVerdict,
  sources: SourcesOfSides,
): readonly string[] => {
  if (verdict.kind === 'proved') return [];
  if (verdict.kind === 'found') {
    return verdict.changes.flatMap((change) => changeBlocks(change, sources));
  }
  const reasons = verdict.reasons.map((reason) => code(undecidedLine(reason, sources)));
  return [`**Why it is undecided ${questions[kind]}**`, bulletList(reasons)];
};

const changeBlocks = (
  { kind, witness, before, after, cause }: FoundAccessChange,
  sources: SourcesOfSides,
): readonly string[] => [
  `**Access ${kind}**`,
  codeBlock([
    witnessLine(witness),
    ...decisionLines('before', before),
    ...decisionLines('after', after),
  ]),
  bulletList(cause.map((one) => `by ${code(causeLine(one, sources))}`)),
];

const decisionLines = (side: string, user: UserInfo | null): readonly string[] =>
  user === null ? [`${side}: rejected`] : [`${side}:`, ...userLines(user)];

const bulletList = (items: readonly string[]): string =>
  items.map((item) => `- ${item}`).join('\n');

/** Returns a code span that the text cannot end. */
export const code = (text: string): string => {
  const shown = toPrintable(text).replaceAll(/\s+/g, ' ');
  const fence = '`'.repeat(longestBackticks(shown) + 1);
  const space = /^`|`$/.test(shown) ? ' ' : '';
  return `${fence}${space}${shown}${space}${fence}`;
};

export const codeBlock = (lines: readonly string[]): string => {
  const text = lines.map((line) => toPrintable(line).trimEnd()).join('\n');
  const fence = '`'.repeat(Math.max(3, longestBackticks(text) + 1));
  return `${fence}text\n${text}\n${fence}`;
};

const longestBackticks = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);

/** Escapes what Markdown and HTML interpret; a summary contains only file names of others. */
export const plain = (text: string): string =>
  escapeUnprintable(text).replaceAll(/[\\`*_[\]<>&|@#~!]/g, '\\$&');
