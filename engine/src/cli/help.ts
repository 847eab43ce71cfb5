/** Formats the help texts of commands and flags. */
import type { FlagRow } from '../flags/flag.ts';
import { exitCodeHelp } from './exit-codes.ts';

/** What the help of a command, its manual page and shell completion show. */
export interface CommandDescription {
  readonly name: string;
  /** The usage line after the name: `[flags] FILE…`. */
  readonly usage: string;
  /** Two or three sentences below the usage line. */
  readonly about: string;
  readonly flags: readonly FlagRow[];
  readonly examples: readonly { readonly line: string; readonly does: string }[];
  /** Names of the flags that `--help` shows, if all of them are too many. */
  readonly essentialFlags?: readonly string[];
  /** The most number of operands; none if absent. */
  readonly operandCount?: number;
  /** The operands that shell completion offers; paths if absent. */
  readonly operandNames?: () => Promise<readonly string[]>;
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
    ...commands.map(({ name, summary }) => `  ${name.padEnd(longestName(commands))} ${summary}`),
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

const longestName = (commands: readonly { readonly name: string }[]): number =>
  Math.max(...commands.map(({ name }) => name.length));

/** Returns the output of `authgraph COMMAND --help`: all flags, or the essential ones. */
export const commandHelp = (command: CommandDescription): string => {
  const { flags, essentialFlags } = command;
  if (essentialFlags === undefined) return helpOf(command, flags, []);
  const shown = flags.filter(({ name }) => essentialFlags.includes(name));
  return helpOf(command, shown, otherFlagLines(command, shown.length));
};

/**
 * Returns the output of `authgraph COMMAND --help=TOPIC`: all flags, those of a group, or those whose
 * name contains a word. Returns `undefined` if there are none.
 */
export const topicHelp = (command: CommandDescription, topic: string): string | undefined => {
  const { flags } = command;
  if (topic === 'all') return helpOf(command, flags, []);
  const isInGroup = ({ group }: FlagRow): boolean => groupName(group).startsWith(topic);
  const hasWord = ({ name }: FlagRow): boolean => `-${name}-`.includes(`-${topic}-`);
  const found = flags.filter(flags.some(isInGroup) ? isInGroup : hasWord);
  return found.length === 0 ? undefined : `${groupLines(found).slice(1).join('\n')}\n`;
};

/** Returns the topics of a command: its groups, and `all`. */
export const helpTopics = ({ flags }: CommandDescription): readonly string[] => [
  ...headingsOf(flags).map(groupName),
  'all',
];

/** Returns the headings of flags, in order. */
export const headingsOf = (flags: readonly FlagRow[]): readonly string[] => [
  ...new Set(flags.map(({ group }) => group)),
];

/** Returns the name of a group in `--help=GROUP`: `oidc` for `OIDC (instead of a file)`. */
const groupName = (heading: string): string =>
  heading.replace(/ \(.*/, '').toLowerCase().replaceAll(' ', '-');

const helpOf = (
  command: CommandDescription,
  flags: readonly FlagRow[],
  more: readonly string[],
): string =>
  [
    `usage: authgraph ${command.name} ${command.usage}`,
    '',
    ...wrap(command.about, 0),
    ...groupLines(flags),
    ...more,
    '',
    'examples:',
    ...command.examples.flatMap(({ line, does }) => [`  ${line}`, `      ${does}`]),
    '',
    ...exitCodeLines(),
    '',
  ].join('\n');

const groupLines = (flags: readonly FlagRow[]): readonly string[] =>
  headingsOf(flags).flatMap((heading) => [
    '',
    `${heading}:`,
    ...flags.filter(({ group }) => group === heading).flatMap(flagLines),
  ]);

const otherFlagLines = ({ name, flags }: CommandDescription, shown: number): readonly string[] => {
  const groups = headingsOf(flags).map((heading) => ({
    name: groupName(heading),
    size: flags.filter(({ group }) => group === heading).length,
  }));
  const longest = longestName(groups);
  return [
    '',
    `These are ${shown} of ${flags.length} flags. For the others:`,
    `  authgraph ${name} --help=all`,
    `  authgraph ${name} --help=WORD    flags whose name contains a word, such as tls`,
    `  authgraph ${name} --help=GROUP   the flags of a group:`,
    ...groups.map((group) => `    ${group.name.padEnd(longest)}  ${group.size}`),
  ];
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
  const indent = row.shorthand === undefined ? '    ' : '';
  return [`  ${indent}${flagTitle(row)}`, ...wrap(flagText(row), 10)];
};

/** Returns the names of a flag with its value: `-o, --output text|json`. */
export const flagTitle = (row: FlagRow): string => {
  const names = [
    ...(row.shorthand === undefined ? [] : [`-${row.shorthand}`]),
    ...(row.alias === undefined ? [] : [`--${row.alias}`]),
    `--${row.name}`,
  ].join(', ');
  const choices = row.choices?.filter((choice) => choice !== '');
  const value = row.placeholder ?? choices?.join('|') ?? typeNames.get(row.type) ?? '';
  return row.type === 'bool' ? names : `${names} ${value}`;
};

/** Returns what a flag does, with its default. */
export const flagText = ({ doc, default: standard }: FlagRow): string =>
  ['', '[]', 'false'].includes(standard) ? doc : `${doc} (default ${standard})`;

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
