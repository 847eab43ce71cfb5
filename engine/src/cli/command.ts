/** The interface of commands and their common functions. */

import { toPrintable } from '../diagnostics/printable.ts';
import type { FlagProblem, FlagValues } from '../flags/flag.ts';
import { type FlagForm, flagRow } from '../flags/flag-form.ts';
import { parseFlags } from '../flags/parse-flags.ts';
import { nearestName } from '../flags/suggest.ts';
import { newestRelease, oldestRelease, releaseName, releases } from '../model/release.ts';
import { redactArgument, redactSecrets } from '../source/redact-secrets.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import type { CommandDescription } from './help.ts';
import type { Io } from './io.ts';
import { asTyped } from './program-name.ts';

export interface Command extends CommandDescription {
  /** Runs the command with the arguments after its name. */
  readonly run: (args: readonly string[], io: Io) => Promise<ExitCode>;
}

export interface CommandArguments {
  readonly values: FlagValues;
  readonly operands: readonly string[];
  /** Ends the command with errors in its arguments, or a single one, and where to find help. */
  readonly misuse: (problems: string | readonly FlagProblem[]) => never;
}

interface CommandForm extends Omit<CommandDescription, 'flags' | 'operandCount'> {
  /** The flags of this command alone. */
  readonly flags: readonly FlagForm[];
  /** The least and the most number of operands; none if absent. */
  readonly operands?: readonly [number, number];
  /** The error if there are too few. */
  readonly missing?: string;
  /** Whether the output may replace an operand: it is the new content of the file, or the operand is no file. */
  readonly mayReplaceOperand?: boolean;
  /**
   * Returns whether the command reads a YAML or JSON file in a folder that the user names, by its path there; it
   * reads no folder if absent. Without operands, it reads the current folder.
   */
  readonly readsBelow?: (path: string) => boolean;
  readonly run: (read: CommandArguments, io: Io) => Promise<ExitCode>;
}

/** Creates a command that prints its help, and errors in its arguments, by itself. */
export const defineCommand = ({
  operands: [least, most] = [0, 0],
  missing = '',
  mayReplaceOperand = false,
  readsBelow = () => false,
  run,
  ...form
}: CommandForm): Command => {
  const flags = [...form.flags, colorFlag].map(flagRow);
  const description = { ...form, flags, operandCount: most };
  const runWith = async (args: readonly string[], io: Io): Promise<ExitCode> => {
    const { values, operands, help, helpTopic, problems } = parseFlags(flags, args);
    if (help) return printCommandHelp(description, helpTopic, io);
    const misuse: CommandArguments['misuse'] = (wrong) => endMisused(description, wrong, io);
    if (problems.length > 0) return misuse(problems);
    if (operands.length < least) return misuse(missing);
    if (operands.length > most)
      return misuse(`unexpected argument ${JSON.stringify(redactArgument(operands[most] ?? ''))}`);
    if (!mayReplaceOperand && flags.some(({ name }) => name === 'out')) {
      const { outputMisuse } = await import('./output-file.ts');
      const problem = outputMisuse(flags, { values, operands }, readsBelow);
      if (problem !== undefined) return misuse(problem);
    }
    return run({ values, operands, misuse }, io);
  };
  return { ...description, run: (args, io) => untilEnd(runWith(args, io)) };
};

/** Prints the help of a command, or the part that `--help=TOPIC` selects. */
export const printCommandHelp = async (
  command: CommandDescription,
  topic: string,
  io: Io,
): Promise<ExitCode> => {
  const { commandHelp, helpTopics, topicHelp } = await import('./help.ts');
  const text = topic === '' ? commandHelp(command) : topicHelp(command, topic);
  if (text === undefined) {
    const message = `no flag of ${command.name} belongs to ${JSON.stringify(redactArgument(topic))}`;
    const topics = helpTopics(command);
    const near = nearestName(topic, [...topics, ...wordsOfFlags(command)]);
    const help =
      near === undefined
        ? `Topics: ${topics.join(', ')}, or a word in the name of a flag.`
        : `Did you mean --help=${near}?`;
    return endMisused(command, [{ message, help }], io);
  }
  io.stdout.write(asTyped(text, io));
  return exitCodes.ok;
};

/** Returns the words in the names of flags, each of which is a topic. */
const wordsOfFlags = ({ flags }: CommandDescription): readonly string[] => [
  ...new Set(flags.flatMap(({ name }) => name.split('-'))),
];

/** Returns the error about a name that is not one of the known ones. */
export const unknownName = (what: string, typed: string, names: readonly string[]): FlagProblem => {
  const near = nearestName(typed, names);
  return {
    message: `unknown ${what} ${JSON.stringify(redactArgument(typed))}`,
    help: near === undefined ? `Available: ${names.join(', ')}.` : `Did you mean ${near}?`,
  };
};

/** Thrown to end a command early, after it has printed why. */
export class CommandEnd extends Error {
  readonly code: ExitCode;

  constructor(code: ExitCode) {
    super(`the command ends with ${code}`);
    this.code = code;
  }
}

/** Returns the exit code of a command, which may end early. */
export const untilEnd = (run: Promise<ExitCode>): Promise<ExitCode> =>
  run.catch((cause: unknown) => {
    if (cause instanceof CommandEnd) return cause.code;
    throw cause;
  });

/** Returns a flag for a text that is empty if the flag is not set. */
export const stringFlag = (
  group: string,
  name: string,
  placeholder: string,
  doc: string,
): FlagForm => ({ name, group, placeholder, doc });

/** The flag of every command. */
const colorFlag: FlagForm = {
  name: 'color',
  group: 'General',
  choices: ['auto', 'always', 'never'],
  doc: 'When to use color: auto (on a terminal), always or never. NO_COLOR in the environment means never.',
};

/** The flag whose file `loadGraph` reads. */
export const configFlag: FlagForm = {
  name: 'config',
  shorthand: 'c',
  group: 'Input',
  placeholder: 'FILE',
  doc: 'Configuration file, or artifact written by `authgraph compile`.',
};

/** The output format of every command; some have more choices than text and JSON. */
export const outputFlag: FlagForm = {
  name: 'output',
  shorthand: 'o',
  group: 'Output',
  choices: ['text', 'json'],
  doc: 'Output format.',
};

/** The file that a command writes. */
export const outFlag: FlagForm = {
  name: 'out',
  group: 'Output',
  placeholder: 'FILE',
  default: '-',
  doc: 'Output file, which is replaced if it exists; - for standard output.',
};

/**
 * Writes a result to the file of `outFlag`, or prints it. Unlike a document, which keeps every byte, a
 * printed result has no control characters.
 */
export const writeResult = async (text: string, { values }: CommandArguments, io: Io) => {
  const path = values.string('out');
  if (path === '-') return io.stdout.write(text);
  const failure = await io.writeText(path, text);
  if (failure !== undefined) fail(io, failure.reason);
};

/** Replaces existing files. */
export const forceFlag: FlagForm = {
  name: 'force',
  group: 'Output',
  type: 'bool',
  doc: 'Overwrite existing files.',
};

/** The only source of a token: other users of a machine can read command lines. */
export const tokenFileFlag: FlagForm = {
  name: 'token-file',
  group: 'Input',
  placeholder: 'FILE',
  doc: 'File with a token; - reads standard input.',
};

/** The flag of every command that compiles. */
export const targetVersionFlag: FlagForm = {
  name: 'target-version',
  group: 'Compiler',
  default: releaseName(newestRelease),
  placeholder: `${releaseName(oldestRelease)}…${releaseName(newestRelease)}`,
  suggestions: releases.map(releaseName),
  doc: 'Release of kube-apiserver to emulate.',
};

const noConfiguration = 'specify a configuration file, or - for standard input';

/**
 * Returns the file of a command that reads one configuration: its operand, or the value of
 * `configFlag`.
 */
export const configurationPath = ({ values, operands, misuse }: CommandArguments): string => {
  const [operand] = operands;
  const named = values.string('config');
  if (operand === undefined) return named === '' ? misuse(noConfiguration) : named;
  return named === ''
    ? operand
    : misuse('specify the configuration as FILE or with --config, not both');
};

/** The error if two files are standard input. */
export const oneStandardInput = 'only one file can be standard input';

/** Ends a command with errors in its arguments, or a single one, and where to find help. */
export const endMisused = (
  command: Pick<CommandDescription, 'name' | 'usage'>,
  problems: string | readonly FlagProblem[],
  io: Io,
): never => {
  if (typeof problems === 'string') printError(io, problems);
  else for (const { message, help } of problems) printError(io, message, help);
  io.stderr.write(asTyped(`usage: authgraph ${command.name} ${command.usage}\n`, io));
  io.stderr.write(asTyped(`See: authgraph ${command.name} --help\n`, io));
  throw new CommandEnd(exitCodes.failed);
};

/** Ends a command with the reason why it failed. */
export const fail = (io: Io, reason: string, help = ''): never => {
  printError(io, reason, help);
  throw new CommandEnd(exitCodes.failed);
};

export const printError = (io: Io, reason: string, help = ''): void => {
  io.stderr.write(`error: ${printableText(reason)}\n`);
  if (help !== '') io.stderr.write(`  ${printableText(help)}\n`);
};

/** Escapes control characters and redacts secrets: messages quote users, files and servers. */
const printableText = (text: string): string => toPrintable(redactSecrets(text));
