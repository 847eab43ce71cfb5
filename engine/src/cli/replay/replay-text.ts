/** Formats what `authgraph replay` found as text. */
import { toPrintable } from '../../diagnostics/printable.ts';
import { formatCount } from '../../formats/counted.ts';
import type { Paint } from '../color.ts';
import { groupLine, type ReplayReport, summarySentences } from './replay-report.ts';
import type { ReplayGroup } from './replay-result.ts';

export const replayText = (report: ReplayReport, paint: Paint): string => {
  const groups = report.result.groups.flatMap((group) => [...groupLines(group, report, paint), '']);
  return `${[...groups, ...summarySentences(report).map(toPrintable)].join('\n')}\n`;
};

const marks = {
  gained: ['+', 'green'],
  lost: ['-', 'red'],
  changed: ['~', 'yellow'],
  undecided: ['?', 'yellow'],
} as const;

const groupLines = (group: ReplayGroup, report: ReplayReport, paint: Paint): readonly string[] => {
  const [mark, color] = marks[group.kind];
  const more = group.count - group.examples.length;
  return [
    `${paint(color, `${mark} ${group.kind}`)}  ${formatCount(group.count)}  ${toPrintable(groupLine(group, report))}`,
    ...group.examples.flatMap(({ file, line, change }) =>
      change === undefined
        ? [`    ${toPrintable(`${file}:${line}`)}`]
        : [
            `    ${toPrintable(change.after)}`,
            paint('dim', `      before: ${toPrintable(change.before)}`),
            ...change.details.map((detail) => `      ${toPrintable(detail)}`),
          ],
    ),
    ...(more > 0 ? [paint('dim', `    … and ${formatCount(more)} more`)] : []),
  ];
};
