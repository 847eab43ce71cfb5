/** The interface of commands and their common functions. */

import { toPrintable } from '../diagnostics/printable.ts';
import type { FlagProblem, FlagRow, FlagValues } from '../flags/flag.ts';
import { parseFlags } from '../flags/parse-flags.ts';
import { newestRelease, oldestRelease, releaseName } from '../model/release.ts';
import { redactArgument, redactSecrets } from '../source/redact-secrets.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import type { CommandDescription } from './help.ts';
import type { Io } from './io.ts';

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

/** A flag that is a string unless it says otherwise; its default is its first choice, or empty. */
export type FlagForm = Omit<FlagRow, 'type' | 'default'> &
  Partial<Pick<FlagRow, 'type' | 'default'>>;

interface CommandForm extends Omit<CommandDescription, 'flags'> {
  /** The flags of this command alone. */
  readonly flags: readonly FlagForm[];
  /** The least and the most number of operands; none if absent. */
  readonly operands?: readonly [number, number];
  /** The error if there are too few. */
  readonly missing?: string;
  readonly run: (read: CommandArguments, io: Io) => Promise<ExitCode>;
}

/** Creates a command that prints its help, and errors in its arguments, by itself. */
export const defineCommand = ({
  operands: [least, most] = [0, 0],
  missing = '',
  run,
  ...form
}: CommandForm): Command => {
  const description = { ...form, flags: [...form.flags, colorFlag].map(flagRow) };
  const runWith = async (args: readonly string[], io: Io): Promise<ExitCode> => {
    const { values, operands, help, problems } = parseFlags(description.flags, args);
    if (help) {
      const { commandHelp } = await import('./help.ts');
      io.stdout.write(commandHelp(description));
      return exitCodes.ok;
    }
    const misuse: CommandArguments['misuse'] = (wrong) => endMisused(description, wrong, io);
    if (problems.length > 0) return misuse(problems);
    if (operands.length < least) return misuse(missing);
    if (operands.length > most)
      return misuse(`unexpected argument ${JSON.stringify(redactArgument(operands[most] ?? ''))}`);
    return run({ values, operands, misuse }, io);
  };
  return { ...description, run: (args, io) => untilEnd(runWith(args, io)) };
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

const flagRow = (form: FlagForm): FlagRow => {
  const { type = 'string', choices } = form;
  return { type, default: choices?.[0] ?? emptyValues.get(type) ?? '', ...form };
};

const emptyValues: ReadonlyMap<FlagRow['type'], string> = new Map([
  ['bool', 'false'],
  ['stringArray', '[]'],
]);

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

/** Output as text or JSON; some commands have more choices. */
export const outputFlag: FlagForm = {
  name: 'output',
  shorthand: 'o',
  group: 'Output',
  choices: ['text', 'json'],
  doc: 'Output format.',
};

/** The flag of every command that compiles. */
export const targetVersionFlag: FlagForm = {
  name: 'target-version',
  group: 'Compiler',
  default: releaseName(newestRelease),
  placeholder: `${releaseName(oldestRelease)}…${releaseName(newestRelease)}`,
  doc: 'Release of kube-apiserver to emulate.',
};

/** The error of a command that requires `configFlag`. */
export const noConfiguration = 'specify a configuration with --config FILE';

/** The error if two files are standard input. */
export const oneStandardInput = 'only one file can be standard input';

/** Ends a command with errors in its arguments, or a single one, and where to find help. */
export const endMisused = (
  command: Pick<Command, 'name' | 'usage'>,
  problems: string | readonly FlagProblem[],
  io: Io,
): never => {
  if (typeof problems === 'string') printError(io, problems);
  else for (const { message, help } of problems) printError(io, message, help);
  io.stderr.write(`usage: authgraph ${command.name} ${command.usage}\n`);
  io.stderr.write(`See: authgraph ${command.name} --help\n`);
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
