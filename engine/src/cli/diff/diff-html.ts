/**
 * Formats the comparison of two configurations as one HTML file without scripts, links and requests. Names, claims and
 * file names are untrusted: all of them are escaped, and the content policy of the file allows nothing but its style.
 */
import { xmlText } from '../../compile/svg-text.ts';
import type { UserInfo } from '../../model/user-info.ts';
import {
  type AccessChangeKind,
  type AccessVerdict,
  type AccessWitness,
  accessChangeKinds,
  type FoundAccessChange,
} from '../../simulate/access/access-result.ts';
import { type AccessChange, lockOutOf } from '../../simulate/difference/diff.ts';
import { causeLine, type SourcesOfSides, undecidedLine } from '../access-text.ts';
import { htmlPage } from '../html-page.ts';
import { type DiffReport, formatCount, summarySentences } from './diff-report.ts';
import { proofLimits, proofs, questions, settingSentence } from './verdict-sentences.ts';

export const diffHtml = (report: DiffReport): string => {
  const { names, comparison, samples, corpora, sources } = report;
  const lockOut = lockOutOf(samples);
  const changed = [...samples, ...corpora.flatMap(({ examples }) => examples)].filter(
    ({ kind }) => kind !== 'same',
  );
  const body = [
    `<h1>Access difference</h1>`,
    `<p>From ${code(names.before)} to ${code(names.after)}</p>`,
    ...(lockOut === undefined ? [] : [`<p class="found"><strong>${text(lockOut)}</strong></p>`]),
    ...summarySentences(report).map((one) => `<p><strong>${text(one)}</strong></p>`),
    '<h2>Verdicts</h2>',
    '<ul class="verdicts">',
    ...accessChangeKinds.map((kind) => verdictItem(kind, comparison.verdicts[kind])),
    '</ul>',
    ...accessChangeKinds.flatMap((kind) =>
      verdictSection(kind, comparison.verdicts[kind], sources),
    ),
    ...(changed.length === 0 ? [] : ['<h2>Samples and claim sets</h2>', samplesTable(changed)]),
    ...settingsSection(report),
    `<p class="note">${text(proofLimits)} The requests were evaluated ${formatCount(comparison.evaluations)} times.</p>`,
  ].join('\n');
  return htmlPage({ title: 'Access difference', style, body });
};

const style = `:root { color-scheme: light dark; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; background: #fff; color: #1f2328; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.6rem; }
h2 { font-size: 1.25rem; margin-top: 2rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 0.5rem; }
code, pre { font: 0.875rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { background: #f3f4f6; padding: 0.75rem; border-radius: 6px; white-space: pre-wrap; margin: 0 0 0.75rem; }
.kind { white-space: nowrap; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; font-weight: 600; padding-bottom: 0.25rem; }
th, td { border: 1px solid #d0d7de; padding: 0.4rem 0.6rem; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
.verdicts { list-style: none; padding: 0; }
.verdicts li { border-left: 4px solid; padding: 0.25rem 0.75rem; margin: 0.5rem 0; }
.found { color: #a40e26; }
.proved { color: #116329; }
.undecided { color: #7d4e00; }
.note { font-size: 0.875rem; margin-top: 2rem; }
@media (prefers-color-scheme: dark) {
  body { background: #0d1117; color: #e6edf3; }
  pre { background: #161b22; }
  th, td { border-color: #3d444d; }
  .found { color: #ff9492; }
  .proved { color: #56d364; }
  .undecided { color: #e3b341; }
}`;

const found: Readonly<Record<AccessChangeKind, string>> = {
  gained: 'someone gains access',
  lost: 'someone loses access',
  changed: 'someone gets another identity',
};

const verdictItem = (kind: AccessChangeKind, verdict: AccessVerdict): string => {
  const sentences = { found: found[kind], proved: proofs[kind], undecided: questions[kind] };
  const tried =
    verdict.kind === 'undecided' ? ` (${formatCount(verdict.tried)} requests were tried)` : '';
  return `<li class="${verdict.kind}"><strong>${verdict.kind}</strong>: ${text(sentences[verdict.kind] + tried)}</li>`;
};

const verdictSection = (
  kind: AccessChangeKind,
  verdict: AccessVerdict,
  sources: SourcesOfSides,
): readonly string[] => {
  if (verdict.kind === 'proved') return [];
  if (verdict.kind === 'undecided') {
    const reasons = verdict.reasons.map((one) => `<li>${code(undecidedLine(one, sources))}</li>`);
    return [
      `<h2>Why it is undecided ${text(questions[kind])}</h2>`,
      `<ul>${reasons.join('')}</ul>`,
    ];
  }
  return [
    `<h2>Access ${kind}</h2>`,
    ...verdict.changes.flatMap((change, index) => changeBlocks(change, index + 1, sources)),
  ];
};

const changeBlocks = (
  { witness, before, after, cause }: FoundAccessChange,
  number: number,
  sources: SourcesOfSides,
): readonly string[] => [
  `<h3>Example ${number}: ${witnessTitle(witness)}</h3>`,
  ...('request' in witness
    ? []
    : [`<pre>${text(JSON.stringify(witness.claims, undefined, 2))}</pre>`]),
  '<table>',
  '<caption>Decisions</caption>',
  '<tr><th scope="col">Before</th><th scope="col">After</th></tr>',
  `<tr><td>${userHtml(before)}</td><td>${userHtml(after)}</td></tr>`,
  '</table>',
  `<ul>${cause.map((one) => `<li>by ${code(causeLine(one, sources))}</li>`).join('')}</ul>`,
];

const witnessTitle = (witness: AccessWitness): string =>
  'request' in witness
    ? `a request for ${code(witness.request.path)} without a credential`
    : `a token of ${code(witness.issuer)}`;

const userHtml = (user: UserInfo | null): string => {
  if (user === null) return 'rejected';
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['Username', [user.username]],
    ...(user.uid === '' ? [] : [['UID', [user.uid]] as const]),
    ['Groups', user.groups],
    ...[...user.extra].map(([key, values]) => [`Extra ${key}`, values] as const),
  ];
  return rows
    .map(([name, values]) => `${text(name)}: ${values.map(code).join(', ') || '(none)'}`)
    .join('<br>');
};

const samplesTable = (changes: readonly AccessChange[]): string =>
  [
    '<table>',
    '<tr><th scope="col" class="kind">Change</th><th scope="col">Before</th><th scope="col">After</th><th scope="col">Details</th></tr>',
    ...changes.map(
      ({ kind, before, after, details }) =>
        `<tr><td class="kind">${kind}</td><td>${text(before)}</td><td>${text(after)}</td><td>${details.map(text).join('<br>')}</td></tr>`,
    ),
    '</table>',
  ].join('\n');

const settingsSection = ({ comparison: { settings } }: DiffReport): readonly string[] =>
  settings.length === 0
    ? []
    : [
        '<h2>Settings that changed</h2>',
        '<p>They decide about trust and not about claims, so the verdicts do not cover them.</p>',
        `<ul>${settings.map((one) => `<li>${code(settingSentence(one))}</li>`).join('')}</ul>`,
      ];

const text = (untrusted: string): string => xmlText(untrusted);

const code = (untrusted: string): string => `<code>${text(untrusted)}</code>`;
