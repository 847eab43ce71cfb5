/** The commands as shell completion needs them: names, flags, and what values and operands can be. */
import type { FlagRow } from '../../flags/flag.ts';
import type { CommandDescription } from '../help.ts';

/** What can be completed: names, paths, or nothing. */
export type Completion =
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'files' | 'folders' | 'nothing' };

export interface CompletedFlag {
  /** Names without dashes: the name, and its second name. */
  readonly names: readonly string[];
  readonly letter: string | undefined;
  /** The first sentence of the help. */
  readonly summary: string;
  /** `undefined` for a flag that needs no value. */
  readonly value: (Completion & { readonly title: string }) | undefined;
  readonly isRepeatable: boolean;
}

export interface CompletedCommand {
  /** One word, or two such as `auth whoami`. */
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly CompletedFlag[];
  readonly operands: Completion;
}

/** Returns a command as completion needs it. */
export const completedCommand = async (
  summary: string,
  { name, flags, operandNames, operandCount }: CommandDescription,
): Promise<CompletedCommand> => ({
  name,
  summary,
  flags: [...flags.map(completedFlag), helpFlag],
  operands:
    operandNames === undefined
      ? { kind: operandCount === undefined || operandCount === 0 ? 'nothing' : 'files' }
      : { kind: 'names', names: await operandNames() },
});

/** Returns `help`, which is followed by the name of a command. */
export const helpCommand = (commands: readonly CompletedCommand[]): CompletedCommand => ({
  name: 'help',
  summary: 'print the help of a command',
  flags: [],
  operands: { kind: 'names', names: firstWords(commands) },
});

/** Returns the first words of all commands. */
export const firstWords = (commands: readonly CompletedCommand[]): readonly string[] => [
  ...new Set(commands.map(({ name }) => name.split(' ')[0] ?? '')),
];

/** Returns the words that start a command of two words, with the words that follow them. */
export const secondWords = (
  commands: readonly CompletedCommand[],
): ReadonlyMap<string, readonly string[]> => {
  const seconds = new Map<string, readonly string[]>();
  for (const { name } of commands) {
    const [first = '', second] = name.split(' ');
    if (second !== undefined) seconds.set(first, [...(seconds.get(first) ?? []), second]);
  }
  return seconds;
};

const completedFlag = (row: FlagRow): CompletedFlag => ({
  names: row.alias === undefined ? [row.name] : [row.name, row.alias],
  letter: row.shorthand,
  summary: firstSentence(row.doc),
  value: row.type === 'bool' ? undefined : flagValue(row),
  isRepeatable: ['stringArray', 'stringSlice', 'mapStringString'].includes(row.type),
});

const helpFlag: CompletedFlag = {
  names: ['help'],
  letter: 'h',
  summary: 'Print help',
  value: undefined,
  isRepeatable: false,
};

const flagValue = ({
  choices,
  suggestions,
  placeholder,
  type,
}: FlagRow): CompletedFlag['value'] => {
  const title = placeholder ?? 'VALUE';
  const names = (choices ?? suggestions)?.filter((choice) => choice !== '');
  if (names !== undefined) return { kind: 'names', names, title };
  if (placeholder?.endsWith('FILE') === true) return { kind: 'files', title };
  if (placeholder === 'DIR') return { kind: 'folders', title };
  return { kind: 'nothing', title: placeholder ?? type };
};

const firstSentence = (text: string): string => {
  const [sentence = ''] = text.split(/[.:;](?: |$)/, 1);
  return sentence.length <= maxSummary
    ? sentence
    : `${sentence.slice(0, maxSummary - 1).trimEnd()}…`;
};

/** Lists of flags stay readable on a terminal of 120 columns. */
const maxSummary = 72;
