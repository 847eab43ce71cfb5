/**
 * Formats the comparison of two configurations as Markdown for a pull request. Names, claims and file names are
 * untrusted: all of them are in code spans and code blocks, where nothing is interpreted.
 */

import { code, codeBlock, sentence } from '../../diagnostics/markdown-text.ts';
import type { UserInfo } from '../../model/user-info.ts';
import {
  type AccessChangeKind,
  type AccessComparison,
  type AccessVerdict,
  accessChangeKinds,
  type FoundAccessChange,
} from '../access/access-result.ts';
import {
  causeLine,
  type SourcesOfSides,
  undecidedLine,
  witnessLine,
} from '../access/access-text.ts';
import { userLines } from '../whoami/user-lines.ts';
import { type AccessChange, lockOutOf } from './diff.ts';
import { proofLimits, questions, settingSentence, verdictSentence } from './verdict-sentences.ts';

/** A comparison of two configurations. */
export interface MarkdownReport {
  /** The names of the two configurations. */
  readonly names: { readonly before: string; readonly after: string };
  readonly sources: SourcesOfSides;
  readonly comparison: AccessComparison;
  readonly samples: readonly AccessChange[];
  /** Changes of other claim sets. */
  readonly examples: readonly AccessChange[];
  /** Sentences about the samples and the claim sets. */
  readonly summary: readonly string[];
  /** The kinds of changes that fail a pull request; the report marks others as warnings. */
  readonly failOn: readonly AccessChangeKind[];
}

/** Returns the report, which starts with a heading and the summary. */
export const markdownReport = (report: MarkdownReport): string => {
  const { names, comparison, samples, examples, summary, sources, failOn } = report;
  const lockOut = lockOutOf(samples);
  const changed = [...samples, ...examples].filter(({ kind }) => kind !== 'same').slice(0, maxRows);
  const blocks = [
    `### Access difference: ${code(names.before)} → ${code(names.after)}`,
    bulletList([
      ...(lockOut === undefined ? [] : [`**${lockOut}**`]),
      ...summary.map((one) => `**${sentence(one)}**`),
      ...accessChangeKinds.map((kind) => {
        const verdict = comparison.verdicts[kind];
        return verdictItem(kind, verdict, failOn.includes(kind) ? '❌' : '⚠️');
      }),
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

const verdictItem = (kind: AccessChangeKind, verdict: AccessVerdict, found: string): string => {
  const icons = { found, proved: '✅', undecided: '❔' };
  return `${icons[verdict.kind]} ${verdict.kind}: ${verdictSentence(kind, verdict)}`;
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
