/** Formats what `authgraph replay` found as Markdown; everything untrusted is in code. */

import { code, codeBlock, sentence } from '../../diagnostics/markdown-text.ts';
import { toPrintable } from '../../diagnostics/printable.ts';
import { formatCount } from '../../formats/counted.ts';
import { groupLine, type ReplayReport, summarySentences } from './replay-report.ts';

export const replayMarkdown = (report: ReplayReport): string => {
  const shown = report.result.groups.slice(0, maxGroups);
  const hidden = report.result.groups.length - shown.length;
  const blocks = [
    '### Replay of recorded decisions',
    summarySentences(report)
      .map((one) => `- **${sentence(one)}**`)
      .join('\n'),
    ...shown.flatMap((group) => [
      `**${group.kind}: ${formatCount(group.count)}** ${code(groupLine(group, report))}`,
      codeBlock(
        group.examples.flatMap(({ file, line, change }) =>
          change === undefined
            ? [`${file}:${line}`]
            : [
                toPrintable(change.after),
                `  before: ${toPrintable(change.before)}`,
                ...change.details.map((detail) => `  ${toPrintable(detail)}`),
              ],
        ),
      ),
    ]),
    ...(hidden > 0 ? [`… and ${formatCount(hidden)} more causes`] : []),
  ];
  return `${blocks.join('\n\n')}\n`;
};

/** A comment that is too long is rejected by GitHub. */
const maxGroups = 20;
