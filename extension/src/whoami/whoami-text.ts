/** Whoami results as text: the YAML that a client would receive, with the steps in comments. */
import type { WhoamiReport, WhoamiRow } from '@authgraph/language-server/protocol';
import { outcomeSigns } from '../messages/whoami.ts';
import { fileNameOf } from '../results.ts';

/** Returns a name that differs between the configurations of a file. */
export const resultName = ({
  sample,
  configuration: { index, title },
}: Pick<WhoamiRow, 'sample' | 'configuration'>): string => {
  const which = title === undefined ? '' : ` ${index + 1} ${fileNameOf(title)}`;
  return `whoami ${fileNameOf(sample.name)}${which}.yaml`;
};

/** Returns one YAML document per row, and the problem if there is one. */
export const reportText = ({ rows, problem, loadFailures = [] }: WhoamiReport): string => {
  const failures = comment(loadFailures.map(({ text }) => text));
  const parts = [...rows.map(rowText), ...(problem === undefined ? [] : [comment([problem])])];
  return `${failures}${parts.join('---\n')}`;
};

export const rowText = (row: WhoamiRow): string =>
  [comment([headlineOf(row)]), row.yaml, comment(detailsOf(row))].join('');

const headlineOf = ({ configuration: { title }, headline }: WhoamiRow): string =>
  title === undefined ? headline : `${title}: ${headline}`;

const detailsOf = (row: WhoamiRow): readonly string[] => [
  ...section('Rejected', row.code === undefined ? [] : [`${row.code} ${row.message}${at(row)}`]),
  ...section('Impersonation', actingLines(row)),
  ...section('Steps', row.steps.flatMap(stepLines)),
  ...section('Would be accepted', [
    ...(row.acceptedWhenSaved ? ['by the saved file, without the unsaved edits'] : []),
    ...row.whyNot.map(({ text }) => text),
  ]),
  ...section('Closest accepted sample', row.closest === undefined ? [] : [row.closest]),
];

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];

const actingLines = ({ acting }: WhoamiRow): readonly string[] =>
  (acting?.questions ?? []).map(({ text, allowed, reason }) =>
    [allowed ? '✓' : '✗', text, reason].filter((word) => word !== '').join(' '),
  );

const stepLines = (step: WhoamiRow['steps'][number]): readonly string[] => {
  const detail = step.detail === undefined ? '' : `: ${step.detail}`;
  const value = step.value === undefined ? '' : ` → ${step.value}`;
  return [
    `${outcomeSigns[step.outcome]} ${step.what}${detail}${value}${at(step)}`,
    ...step.values.map((seen) => `    ${seen.expression} → ${seen.value}`),
  ];
};

/** Formats a line number as on the page. */
const at = ({ place }: Pick<WhoamiRow, 'place'>): string =>
  place === undefined ? '' : ` (L${place.range.start.line + 1})`;

/** Untrusted text may contain line breaks, which must not end the comment. */
const comment = (lines: readonly string[]): string =>
  lines.map((line) => `# ${line.replace(/[\s\u0085]+/g, oneLine)}\n`).join('');

/** Replaces whitespace that contains a line break by one space. */
const oneLine = (run: string): string => (/[\r\n\u0085\u2028\u2029]/.test(run) ? ' ' : run);
