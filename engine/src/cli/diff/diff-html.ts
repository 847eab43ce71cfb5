/**
 * Formats the comparison of two configurations as one HTML file without scripts, links and requests. Names, claims and
 * file names are untrusted: all of them are escaped, and the content policy of the file allows nothing but its style.
 */
import { formatCount } from '../../formats/counted.ts';
import {
  type AccessChangeKind,
  type AccessVerdict,
  type AccessWitness,
  accessChangeKinds,
  type FoundAccessChange,
} from '../../simulate/access/access-result.ts';
import {
  causeLine,
  type SourcesOfSides,
  undecidedLine,
} from '../../simulate/access/access-text.ts';
import { type AccessChange, lockOutOf } from '../../simulate/difference/diff.ts';
import {
  proofLimits,
  questions,
  settingSentence,
  verdictSentence,
} from '../../simulate/difference/verdict-sentences.ts';
import { type HeadingLevel, headingBelow, table } from '../html/elements.ts';
import { htmlPage } from '../html/page.ts';
import { block, code, list, text, userHtml } from '../html/untrusted-text.ts';
import { type DiffReport, summarySentences } from './diff-report.ts';

export const diffHtml = (report: DiffReport): string => {
  const title = 'Access difference';
  return htmlPage({ title, body: `<h1>${title}</h1>\n${diffSections(report, 2)}` });
};

/** Returns what was found and proved, and the examples. */
export const diffSections = (report: DiffReport, level: HeadingLevel): string => {
  const { names, comparison, samples, corpora, sources } = report;
  const lockOut = lockOutOf(samples);
  const changed = [...samples, ...corpora.flatMap(({ examples }) => examples)].filter(
    ({ kind }) => kind !== 'same',
  );
  return [
    `<p>From ${code(names.before)} to ${code(names.after)}</p>`,
    ...(lockOut === undefined ? [] : [`<p class="found"><strong>${text(lockOut)}</strong></p>`]),
    ...summarySentences(report).map((one) => `<p><strong>${text(one)}</strong></p>`),
    `<h${level}>Verdicts</h${level}>`,
    '<ul class="verdicts">',
    ...accessChangeKinds.map((kind) => verdictItem(kind, comparison.verdicts[kind])),
    '</ul>',
    ...accessChangeKinds.flatMap((kind) =>
      verdictSection(kind, comparison.verdicts[kind], { sources, level }),
    ),
    ...(changed.length === 0
      ? []
      : [`<h${level}>Changed samples and claim sets</h${level}>`, samplesTable(changed)]),
    ...settingsSection(report, level),
    `<p class="note">${text(proofLimits)} The requests were evaluated ${formatCount(comparison.evaluations)} times.</p>`,
  ].join('\n');
};

const verdictItem = (kind: AccessChangeKind, verdict: AccessVerdict): string =>
  `<li class="${verdict.kind}"><strong>${verdict.kind}</strong>: ${text(verdictSentence(kind, verdict))}</li>`;

interface SectionOptions {
  readonly sources: SourcesOfSides;
  readonly level: HeadingLevel;
}

const verdictSection = (
  kind: AccessChangeKind,
  verdict: AccessVerdict,
  { sources, level }: SectionOptions,
): readonly string[] => {
  if (verdict.kind === 'proved') return [];
  if (verdict.kind === 'undecided')
    return [
      `<h${level}>Why it is undecided ${text(questions[kind])}</h${level}>`,
      list(
        verdict.reasons.map((one) => undecidedLine(one, sources)),
        code,
      ),
    ];
  return [
    `<h${level}>Access ${kind}</h${level}>`,
    ...verdict.changes.flatMap((change, index) =>
      changeBlocks(change, `Access ${kind}, example ${index + 1}`, {
        sources,
        level: headingBelow(level),
      }),
    ),
  ];
};

const changeBlocks = (
  { witness, before, after, cause }: FoundAccessChange,
  name: string,
  { sources, level }: SectionOptions,
): readonly string[] => [
  `<h${level}>${name}: ${witnessTitle(witness)}</h${level}>`,
  ...('request' in witness ? [] : [block(JSON.stringify(witness.claims, undefined, 2))]),
  table({
    caption: 'Decisions before and after',
    hidesCaption: true,
    columns: ['Side', 'Decision'],
    rows: [
      ['Before', userHtml(before)],
      ['After', userHtml(after)],
    ],
  }),
  list(
    cause.map((one) => causeLine(one, sources)),
    (line) => `by ${code(line)}`,
  ),
];

const witnessTitle = (witness: AccessWitness): string =>
  'request' in witness
    ? `a request for ${code(witness.request.path)} without a credential`
    : `a token of ${code(witness.issuer)}`;

const samplesTable = (changes: readonly AccessChange[]): string =>
  table({
    caption: 'Changed samples and claim sets',
    hidesCaption: true,
    columns: ['Change', 'Before', 'After', 'Details'],
    rows: changes.map(({ kind, before, after, details }) => [
      `<span class="kind">${kind}</span>`,
      text(before),
      text(after),
      details.map(text).join('<br>'),
    ]),
  });

const settingsSection = (
  { comparison: { settings } }: DiffReport,
  level: HeadingLevel,
): readonly string[] =>
  settings.length === 0
    ? []
    : [
        `<h${level}>Settings that changed</h${level}>`,
        '<p>They decide about trust and not about claims, so the verdicts do not cover them.</p>',
        list(settings.map(settingSentence), code),
      ];
