/** Answers as text: the YAML that a client would read, with the way there in its comments. */
import type { WhoamiReport, WhoamiRow } from '@authgraph/language-server/protocol';
import { outcomeSigns } from '../messages/whoami.ts';
import { fileNameOf } from '../results.ts';

/** Of one row, unlike that of another configuration of the file. */
export const resultName = ({
  sample,
  configuration: { index, title },
}: Pick<WhoamiRow, 'sample' | 'configuration'>): string => {
  const which = title === undefined ? '' : ` ${index + 1} ${fileNameOf(title)}`;
  return `whoami ${fileNameOf(sample.name)}${which}.yaml`;
};

/** A document for each row, or why there is none. */
export const reportText = ({ rows, problem }: WhoamiReport): string =>
  [...rows.map(rowText), ...(problem === undefined ? [] : [comment([problem])])].join('---\n');

export const rowText = (row: WhoamiRow): string =>
  [comment([headlineOf(row)]), row.yaml, comment(detailsOf(row))].join('');

const headlineOf = ({ configuration: { title }, headline }: WhoamiRow): string =>
  title === undefined ? headline : `${title}: ${headline}`;

const detailsOf = (row: WhoamiRow): readonly string[] => [
  ...section('Refused', row.code === undefined ? [] : [`${row.code} ${row.message}${at(row)}`]),
  ...section('Acting as somebody else', actingLines(row)),
  ...section('Why', row.steps.flatMap(stepLines)),
  ...section(
    'Why not',
    row.whyNot.map(({ text }) => `accepted ${text}`),
  ),
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

/** As the page has it. */
const at = ({ place }: Pick<WhoamiRow, 'place'>): string =>
  place === undefined ? '' : ` (L${place.range.start.line + 1})`;

/** Foreign text has lines of its own, which must not end the comment. */
const comment = (lines: readonly string[]): string =>
  lines.map((line) => `# ${line.replace(/[\s\u0085]+/g, oneLine)}\n`).join('');

/** White space with a line end becomes one space. */
const oneLine = (run: string): string => (/[\r\n\u0085\u2028\u2029]/.test(run) ? ' ' : run);
