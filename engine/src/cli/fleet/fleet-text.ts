/** Formats the fleet for a terminal and as Markdown. */

import { code } from '../../diagnostics/markdown-text.ts';
import { serverIdLabel } from '../../model/metric-catalog.ts';
import { escapeUnprintable } from '../../source/unprintable.ts';
import type { Paint } from '../color.ts';
import type { FailureConditions, FleetReport, FleetServer } from './fleet-report.ts';
import { type Cell, fleetSummary, fleetTable, serverCell } from './fleet-table.ts';

const colors = { plain: undefined, ok: 'green', warning: 'yellow', bad: 'red' } as const;

export const fleetText = (
  report: FleetReport,
  conditions: FailureConditions,
  paint: Paint,
): string => {
  const { headings, rows } = fleetTable(report, conditions);
  const servers = (report.servers ?? []).map((one): readonly Cell[] => [
    { text: serverName(one), level: 'plain' },
    serverCell(one),
  ]);
  const tables = [
    linesOf(
      [headings.map((text) => ({ text: text.toUpperCase(), level: 'plain' })), ...rows],
      paint,
    ),
    ...(servers.length === 0
      ? []
      : [
          linesOf(
            [['SERVER', 'CONFIGURATION'].map((text) => ({ text, level: 'plain' })), ...servers],
            paint,
          ),
        ]),
  ];
  return tables.map((lines) => `${lines.join('\n')}\n`).join('\n');
};

/** Aligns the columns of a table. */
const linesOf = (rows: readonly (readonly Cell[])[], paint: Paint): readonly string[] => {
  const shown = rows.map((row) =>
    row.map(({ text, level }) => ({ text: escapeUnprintable(text), level })),
  );
  const widths = (shown[0] ?? []).map((_, column) =>
    shown.reduce((widest, row) => Math.max(widest, row[column]?.text.length ?? 0), 0),
  );
  return shown.map((row) =>
    row
      .map(({ text, level }, column) => {
        const color = colors[level];
        const isLast = row.slice(column + 1).every((cell) => cell.text === '');
        const padding = isLast ? '' : ' '.repeat((widths[column] ?? 0) - text.length + 2);
        return (color === undefined ? text : paint(color, text)) + padding;
      })
      .join('')
      .trimEnd(),
  );
};

const icons = { plain: '', ok: '✅ ', warning: '⚠️ ', bad: '❌ ' } as const;

/** Names of files and labels are untrusted: all of them are in code spans. */
export const fleetMarkdown = (report: FleetReport, conditions: FailureConditions): string => {
  const { headings, rows } = fleetTable(report, conditions);
  const cellText = ({ text, level }: Cell): string => `${icons[level]}${text}`;
  const blocks = [
    `### Fleet: ${fleetSummary(report, conditions)}`,
    markdownTable(
      headings,
      rows.map(([name, ...cells]) => [code(name?.text ?? ''), ...cells.map(cellText)]),
    ),
    ...(report.servers === undefined
      ? []
      : [
          markdownTable(
            ['server', 'configuration'],
            report.servers.map((server) => {
              const { text, level } = serverCell(server);
              return [code(serverName(server)), icons[level] + code(text)];
            }),
          ),
        ]),
    ...(report.failures.length === 0
      ? []
      : [report.failures.map((reason) => `- ❌ ${code(reason)}`).join('\n')]),
    ...(report.base === undefined
      ? []
      : [
          `<sub>Access since ${code(report.base)}: examples of tokens that gain or lose access or get another identity; ? is undecided.</sub>`,
        ]),
  ];
  return `${blocks.join('\n\n')}\n`;
};

const markdownTable = (headings: readonly string[], rows: readonly (readonly string[])[]): string =>
  [headings, headings.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');

/** Returns how a server is named: by the labels of Prometheus, or by its source. */
const serverName = ({ source, labels }: FleetServer): string => {
  const own = [...labels].filter(([name]) => name !== serverIdLabel && !isHidden(name));
  const shown = own.map(([name, value]) => `${name}=${value}`).join(' ');
  return shown === '' ? source : `${source} ${shown}`;
};

/** Labels that are the same for all servers of a job. */
const isHidden = (name: string): boolean => name.startsWith('__') || name === 'job';
