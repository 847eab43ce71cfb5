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
}

/** The flags of every command. */
export const commonFlags: readonly FlagRow[] = [
  {
    name: 'color',
    group: 'General',
    type: 'string',
    choices: ['auto', 'always', 'never'],
    default: 'auto',
    doc: 'When to use color: auto (on a terminal), always or never. NO_COLOR in the environment means never.',
  },
];

/** The flag whose file `loadGraph` reads. */
export const configFlag: FlagRow = {
  name: 'config',
  shorthand: 'c',
  group: 'Input',
  type: 'string',
  placeholder: 'FILE',
  default: '',
  doc: 'Configuration file, or artifact written by `authgraph compile`.',
};

/** Output as text or JSON; some commands have more choices. */
export const outputFlag: FlagRow = {
  name: 'output',
  shorthand: 'o',
  group: 'Output',
  type: 'string',
  choices: ['text', 'json'],
  default: 'text',
  doc: 'Output format.',
};

/** The flag of every command that compiles. */
export const targetVersionFlag: FlagRow = {
  name: 'target-version',
  group: 'Compiler',
  type: 'string',
  default: releaseName(newestRelease),
  placeholder: `${releaseName(oldestRelease)}…${releaseName(newestRelease)}`,
  doc: 'Release of kube-apiserver to emulate.',
};

/** The error of a command that requires `configFlag`. */
export const noConfiguration = 'specify a configuration with --config FILE';

/** The error if two files are standard input. */
export const oneStandardInput = 'only one file can be standard input';

/**
 * Reads the arguments of a command. It prints help or errors itself and then returns the exit code.
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
  if (operands.length < least) return reportMisuse(command, limits.missing, io);
  if (operands.length > most)
    return reportMisuse(
      command,
      `unexpected argument ${JSON.stringify(redactArgument(operands[most] ?? ''))}`,
      io,
    );
  return { values, operands };
};

/** Prints errors in the arguments, or a single one, and where to find help. */
export const reportMisuse = (
  command: Pick<Command, 'name' | 'usage'>,
  problems: string | readonly FlagProblem[],
  io: Io,
): ExitCode => {
  if (typeof problems === 'string') fail(io, problems);
  else for (const { message, help } of problems) fail(io, message, help);
  io.stderr.write(`usage: authgraph ${command.name} ${command.usage}\n`);
  io.stderr.write(`See: authgraph ${command.name} --help\n`);
  return exitCodes.failed;
};

/** Prints why a command failed. */
export const fail = (io: Io, reason: string, help = ''): ExitCode => {
  io.stderr.write(`error: ${printableText(reason)}\n`);
  if (help !== '') io.stderr.write(`  ${printableText(help)}\n`);
  return exitCodes.failed;
};

/** Escapes control characters and redacts secrets: messages quote users, files and servers. */
const printableText = (text: string): string => toPrintable(redactSecrets(text));
