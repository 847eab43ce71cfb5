/** Reports why `serve` does not start: all problems of flags, files and the port in one run. */
import { diagnosticFields } from '../diagnostics/log-fields.ts';
import { renderText } from '../diagnostics/render.ts';
import type { FlagProblem } from '../flags/flag.ts';
import type { LogFormat } from '../node/log.ts';
import type { LoadProblem } from '../server/configuration/serving.ts';
import type { ServeOptions } from '../server/flags/options.ts';
import { wantsColor } from './color.ts';
import { type Command, CommandEnd, endMisused, printError } from './command.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import { streamLog } from './serve-log.ts';
import type { ServedConfiguration } from './served-configuration.ts';

type Configuration = Extract<ServedConfiguration, { kind: 'configuration' }>;

/** The startup errors. */
export interface StartErrors {
  /** Contradictory flags, which are reported with the usage line. */
  readonly flags: readonly FlagProblem[];
  readonly others: readonly FlagProblem[];
  readonly loading: readonly LoadProblem[];
}

export interface StartErrorContext {
  readonly command: Command;
  readonly configuration: Configuration;
  readonly options: ServeOptions;
  readonly io: Io;
}

/**
 * Reports the errors as text, as every command does, or as one log event each if
 * `--logging-format=json` is set. Returns the exit code.
 */
export const reportStartErrors = async (
  { flags, others, loading }: StartErrors,
  { command, configuration, options, io }: StartErrorContext,
): Promise<ExitCode> => {
  const { loadErrorText } = await import('./load-error-text.ts');
  const textOf = (problem: LoadProblem): string => {
    switch (problem.kind) {
      case 'unusable':
        return problem.error;
      case 'unreadable':
        return `${loadPrefix(configuration)}${problem.reason}`;
      case 'refused':
        return loadErrorText(problem, configuration);
    }
  };
  const flagProblemOf = (problem: LoadProblem): StartProblem => ({
    message: textOf(problem),
    help: problem.kind === 'unusable' ? (problem.help ?? '') : '',
    ...(problem.kind === 'refused' ? { refused: problem } : {}),
  });
  const reported: readonly StartProblem[] = [...flags, ...others, ...loading.map(flagProblemOf)];
  // Several flags may name the same file.
  const problems = [...new Map(reported.map((problem) => [problem.message, problem])).values()];
  const refused = problems.flatMap((problem) => problem.refused ?? []);
  const code = refused.length === reported.length ? exitCodes.problems : exitCodes.failed;
  if (options.loggingFormat === 'json') {
    for (const problem of problems) logFailure(problem, io);
    return code;
  }
  const text = { color: wantsColor(options.color, io.stderr, io), width: io.stderr.columns };
  for (const problem of refused) io.stderr.write(renderText([problem], text));
  if (flags.length > 0) return endMisused(command, problems, io);
  for (const { message, help } of problems) printError(io, message, help);
  return code;
};

type Refusal = Extract<LoadProblem, { kind: 'refused' }>;

interface StartProblem extends FlagProblem {
  /** Present for a configuration file with errors. */
  readonly refused?: Refusal;
}

/** Logs a problem as kube-apiserver logs the error with which it ends. */
const logFailure = ({ message, help, refused }: StartProblem, io: Io): void =>
  streamLog(io.stderr, 'json').event('error', 'command failed', {
    err: message,
    ...(help === '' ? {} : { help }),
    ...(refused === undefined ? {} : diagnosticFields(refused)),
  });

/** Ends the command with the reason why a checked start failed. */
export const failStart = (
  reason: string,
  { format, io }: { readonly format: LogFormat | undefined; readonly io: Io },
): never => {
  if (format === 'json') logFailure({ message: reason, help: '' }, io);
  else printError(io, reason);
  throw new CommandEnd(exitCodes.failed);
};

export const problemOf = (message: string | undefined): readonly FlagProblem[] =>
  message === undefined ? [] : [{ message, help: '' }];

const loadPrefix = ({ source }: Configuration): string =>
  source.kind === 'file'
    ? `failed to load authentication configuration from file ${JSON.stringify(source.path)}: `
    : '';
