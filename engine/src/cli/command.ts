/** The shape of a command, and what every command does first and last. */

import { toPrintable } from '../diagnostics/printable.ts';
import type { FlagProblem, FlagRow, FlagValues } from '../flags/flag.ts';
import { parseFlags } from '../flags/parse-flags.ts';
import { newestRelease, oldestRelease, releaseName } from '../model/release.ts';
import { redactArgument, redactSecrets } from '../source/redact-secrets.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';

export interface Command {
  readonly name: string;
  /** What follows the name in the usage line: `[flags] FILE…`. */
  readonly usage: string;
  /** Two or three sentences under the usage line. */
  readonly about: string;
  readonly flags: readonly FlagRow[];
  readonly examples: readonly { readonly line: string; readonly does: string }[];
  /** Gets the arguments behind its name. */
  readonly run: (args: readonly string[], io: Io) => Promise<ExitCode>;
}

export interface CommandArguments {
  readonly values: FlagValues;
  readonly operands: readonly string[];
}

/** Flags that every command has. */
export const commonFlags: readonly FlagRow[] = [
  {
    name: 'color',
    group: 'General',
    type: 'string',
    choices: ['auto', 'always', 'never'],
    default: 'auto',
    doc: 'Colours: on a terminal only, always, or never. NO_COLOR in the environment means never.',
  },
];

/** What `loadGraph` reads. */
export const configFlag: FlagRow = {
  name: 'config',
  shorthand: 'c',
  group: 'Input',
  type: 'string',
  placeholder: 'FILE',
  default: '',
  doc: 'Configuration file, or artefact made by `authgraph compile`.',
};

/** Text for people, or JSON; a command that prints more has more choices. */
export const outputFlag: FlagRow = {
  name: 'output',
  shorthand: 'o',
  group: 'Output',
  type: 'string',
  choices: ['text', 'json'],
  default: 'text',
  doc: 'How to print.',
};

/** For every command that compiles. */
export const targetVersionFlag: FlagRow = {
  name: 'target-version',
  group: 'Compiler',
  type: 'string',
  default: releaseName(newestRelease),
  placeholder: `${releaseName(oldestRelease)}…${releaseName(newestRelease)}`,
  doc: 'Release of the API server whose behaviour is followed.',
};

/** Misuse of a command that cannot do without `configFlag`. */
export const noConfiguration = 'name a configuration with --config FILE';

/** Misuse of a command with several files to read: standard input ends once. */
export const oneStandardInput = 'only one file can be standard input';

/**
 * Reads the arguments of a command. Prints help or problems itself; a number is then the exit code.
 */
export const readArguments = async (
  command: Command,
  args: readonly string[],
  io: Io,
  limits: { readonly operands: readonly [number, number]; readonly missing: string },
): Promise<CommandArguments | ExitCode> => {
  const { values, operands, help, problems } = parseFlags(command.flags, args);
  if (help) {
    const { commandHelp } = await import('./help.ts');
    io.stdout.write(commandHelp(command));
    return exitCodes.ok;
  }
  const [least, most] = limits.operands;
  if (problems.length > 0) return reportMisuse(command, problems, io);
  if (operands.length < least)
    return reportMisuse(command, [{ message: limits.missing, help: '' }], io);
  if (operands.length > most)
    return reportMisuse(
      command,
      [
        {
          message: `unexpected argument ${JSON.stringify(redactArgument(operands[most] ?? ''))}`,
          help: '',
        },
      ],
      io,
    );
  return { values, operands };
};

/** Prints what is wrong with the arguments and where help is. */
export const reportMisuse = (
  command: Pick<Command, 'name' | 'usage'>,
  problems: readonly FlagProblem[],
  io: Io,
): ExitCode => {
  for (const { message, help } of problems) {
    io.stderr.write(`error: ${printableText(message)}\n`);
    if (help !== '') io.stderr.write(`  ${printableText(help)}\n`);
  }
  io.stderr.write(`usage: authgraph ${command.name} ${command.usage}\n`);
  io.stderr.write(`See: authgraph ${command.name} --help\n`);
  return exitCodes.failed;
};

/** Prints why a command could not do its work. */
export const fail = (io: Io, reason: string, help = ''): ExitCode => {
  io.stderr.write(`error: ${printableText(reason)}\n`);
  if (help !== '') io.stderr.write(`  ${printableText(help)}\n`);
  return exitCodes.failed;
};

/** These texts quote what users, files and servers wrote, colors included; line ends are ours. */
const printableText = (text: string): string => toPrintable(redactSecrets(text));
