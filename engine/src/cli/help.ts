/** Formats the help texts of commands and flags. */
import type { FlagRow } from '../flags/flag.ts';
import { exitCodeHelp } from './exit-codes.ts';

/** What the help of a command shows. */
export interface CommandDescription {
  readonly name: string;
  /** The usage line after the name: `[flags] FILE…`. */
  readonly usage: string;
  /** Two or three sentences below the usage line. */
  readonly about: string;
  readonly flags: readonly FlagRow[];
  readonly examples: readonly { readonly line: string; readonly does: string }[];
}

const width = 96;

/** Returns the output of `authgraph --help`. */
export const programHelp = (
  commands: readonly { readonly name: string; readonly summary: string }[],
): string =>
  [
    'authgraph: authenticate requests like kube-apiserver.',
    '',
    'usage: authgraph COMMAND [flags] [arguments]',
    '',
    'commands:',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(13)} ${summary}`),
    '',
    'examples:',
    '  authgraph demo                                  a server with its own issuer, to try things',
    '  authgraph check auth.yaml                       every problem in a file, with locations',
    '  authgraph whoami --config auth.yaml --claims c.json --explain',
    '                                                  which user these claims map to, and why',
    '  authgraph explain "oidc: email not verified"    what a log line means',
    '',
    ...exitCodeLines(),
    '',
    'Use "authgraph COMMAND --help" for more information about a command.',
    '',
  ].join('\n');

/** Returns the output of `authgraph COMMAND --help`. */
export const commandHelp = (command: CommandDescription): string => {
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
  ['stringArray', 'STRING'],
  ['mapStringString', 'KEY=VALUE'],
  ['colonSeparatedMultimapStringString', 'NAME=BOOL,…'],
  ['int', 'NUMBER'],
  ['float64', 'NUMBER'],
  ['ip', 'IP'],
  ['duration', 'DURATION'],
  ['string', 'STRING'],
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
