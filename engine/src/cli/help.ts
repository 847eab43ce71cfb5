/** Help texts, made from the tables of commands and flags. */
import type { FlagRow } from '../flags/flag.ts';
import type { Command } from './command.ts';
import { exitCodeHelp } from './exit-codes.ts';

const width = 96;

/** What `authgraph --help` prints. */
export const programHelp = (
  commands: readonly { readonly name: string; readonly summary: string }[],
): string =>
  [
    'authgraph: decide who a request is, as a cluster API server does.',
    '',
    'usage: authgraph COMMAND [flags] [arguments]',
    '',
    'commands:',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(13)} ${summary}`),
    '',
    'examples:',
    '  authgraph demo                                  a server with its own issuer, to play with',
    '  authgraph check auth.yaml                       every problem of a file, with places',
    '  authgraph whoami --config auth.yaml --claims c.json --explain',
    '                                                  who these claims would be, and why',
    '  authgraph explain "oidc: email not verified"    what a line of the log means',
    '',
    ...exitCodeLines(),
    '',
    'authgraph COMMAND --help tells more about one command.',
    '',
  ].join('\n');

/** What `authgraph COMMAND --help` prints. */
export const commandHelp = (command: Command): string => {
  const groups = [...new Set(command.flags.map(({ group }) => group))];
  return [
    `usage: authgraph ${command.name} ${command.usage}`,
    '',
    ...wrap(command.about, 0),
    ...groups.flatMap((group) => [
      '',
      `${group}:`,
      ...command.flags.filter((row) => row.group === group).flatMap(flagLines),
    ]),
    '',
    'examples:',
    ...command.examples.flatMap(({ line, does }) => [`  ${line}`, `      ${does}`]),
    '',
    ...exitCodeLines(),
    '',
  ].join('\n');
};

const exitCodeLines = (): readonly string[] => [
  'exit status:',
  ...exitCodeHelp.map(([code, meaning]) => `  ${code}  ${meaning}`),
];

const typeNames: ReadonlyMap<string, string> = new Map([
  ['stringSlice', 'LIST'],
  ['stringArray', 'TEXT'],
  ['mapStringString', 'KEY=VALUE'],
  ['colonSeparatedMultimapStringString', 'NAME=BOOL,…'],
  ['int', 'NUMBER'],
  ['float64', 'NUMBER'],
  ['ip', 'IP'],
  ['duration', 'DURATION'],
  ['string', 'TEXT'],
]);

const flagLines = (row: FlagRow): readonly string[] => {
  const letter = row.shorthand === undefined ? '    ' : `-${row.shorthand}, `;
  const choices = row.choices?.filter((choice) => choice !== '');
  const value = row.placeholder ?? choices?.join('|') ?? typeNames.get(row.type) ?? '';
  const title = row.type === 'bool' ? `--${row.name}` : `--${row.name} ${value}`;
  const defaultNote = ['', '[]', 'false'].includes(row.default) ? '' : ` (default ${row.default})`;
  return [`  ${letter}${title}`, ...wrap(`${row.doc}${defaultNote}`, 10)];
};

const wrap = (text: string, indent: number): readonly string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > width) {
      lines.push(' '.repeat(indent) + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, ' '.repeat(indent) + line];
};
