/** Generates docs/flags.md from the table from which `authgraph serve` parses its flags. */
import type { FlagRow } from '../../engine/src/flags/flag.ts';
import { serveFlags } from '../../engine/src/server/flags/serve-flags.ts';

const opening = `# Flags of \`authgraph serve\`

Names, types, defaults and messages are those of kube-apiserver where it has the flag. Values follow
\`=\` or a space; a boolean needs \`=\`; lists are repeated or separated by commas. Contradictory flags
are reported at once, before a port opens. \`authgraph serve --help\` shows the same table.

This page is generated from \`engine/src/server/flags/serve-flags.ts\` by \`npm run -s docs\`.
`;

/** Returns the page as Markdown, one section per group. */
export const flagsPage = (): string => {
  const groups = [...new Set(serveFlags.map(({ group }) => group))];
  return [opening, ...groups.map(sectionOf)].join('\n');
};

const sectionOf = (group: string): string =>
  [
    `## ${group}\n`,
    '| flag | type | default | meaning |',
    '|---|---|---|---|',
    ...serveFlags.filter((row) => row.group === group).map(rowOf),
    '',
  ].join('\n');

const rowOf = ({ name, type, choices, default: standard, doc }: FlagRow): string => {
  const named = choices?.filter((choice) => choice !== '') ?? [];
  const values = named.length === 0 ? '' : ` One of ${named.map(code).join(', ')}.`;
  const cells = [code(`--${name}`), type, standard === '' ? '' : code(standard), `${doc}${values}`];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
};

const code = (text: string): string => `\`${text}\``;
