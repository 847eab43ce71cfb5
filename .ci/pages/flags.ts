/** Generates docs/flags.md from the table from which `authgraph serve` parses its flags. */
import type { FlagRow } from '../../engine/src/flags/flag.ts';
import { missingFlags, replacementOf } from '../../engine/src/server/flags/missing-flags.ts';
import { serveFlags } from '../../engine/src/server/flags/serve-flags.ts';

const opening = `# Flags of \`authgraph serve\`

After reading this page you can choose the flags of \`authgraph serve\`. Names, types, defaults and messages are those of
kube-apiserver where it has the flag. Values follow \`=\` or a space; a boolean needs \`=\`; lists are repeated or
separated by commas. Contradictory flags are reported at once, before a port opens. \`authgraph serve --help=all\` shows the same table.

This page is generated from \`engine/src/server/flags/serve-flags.ts\` by \`npm run -s docs\`.
`;

/** Returns the page as Markdown, one section per group. */
export const flagsPage = (): string => {
  const groups = [...new Set(serveFlags.map(({ group }) => group))];
  return [opening, ...groups.map(sectionOf), missing()].join('\n');
};

const missing = (): string => {
  const named = missingFlags.map((flag) => ({ flag, use: replacementOf(flag) ?? '' }));
  const uses = [...new Set(named.map(({ use }) => use))].toSorted();
  const rows = uses.map((use) => {
    const flags = named.filter((one) => one.use === use).map(({ flag }) => flag);
    const cell = use === '' ? 'nothing' : use.includes('`') ? use : code(use);
    return `| ${flags.map((flag) => code(flag.length === 1 ? `-${flag}` : `--${flag}`)).join(', ')} | ${cell} |`;
  });
  return [
    '## Flags of kube-apiserver that `serve` does not have\n',
    'They are reported as unknown. Remove them when you copy the command line of kube-apiserver.\n',
    '| flags | use instead |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n');
};

const sectionOf = (group: string): string =>
  [
    `## ${group}\n`,
    '| flag | type | default | meaning |',
    '|---|---|---|---|',
    ...serveFlags.filter((row) => row.group === group).map(rowOf),
    '',
  ].join('\n');

const rowOf = ({
  name,
  alias,
  shorthand,
  type,
  choices,
  default: standard,
  doc,
}: FlagRow): string => {
  const named = choices?.filter((choice) => choice !== '') ?? [];
  const values = named.length === 0 ? '' : ` One of ${named.map(code).join(', ')}.`;
  const names = [`--${name}`, alias && `--${alias}`, shorthand && `-${shorthand}`];
  const cells = [
    names
      .filter((text) => text !== undefined)
      .map(code)
      .join(', '),
    type,
    standard === '' ? '' : code(standard),
    `${doc}${values}`,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
};

const code = (text: string): string => `\`${text}\``;
