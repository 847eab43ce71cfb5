/** The log of `serve`: its format, the line that reports readiness, and code frames in text form. */

import { diagnosticFields } from '../diagnostics/log-fields.ts';
import { toPrintable } from '../diagnostics/printable.ts';
import { type FileReport, renderText } from '../diagnostics/render.ts';
import { type LogFormat, type NodeLog, nodeLog } from '../node/log.ts';
import type { Log } from '../ports/log.ts';
import type { ReloadEvent } from '../server/configuration/reload.ts';
import type { ServingOptions } from '../server/configuration/serving.ts';
import type { ServeOptions } from '../server/flags/options.ts';
import { wantsColor } from './color.ts';
import type { Io, Stream } from './io.ts';

/** Returns the format of the log: that of the flag, or text on a terminal and JSON otherwise. */
export const logFormatOf = ({ loggingFormat }: ServeOptions, io: Io): LogFormat =>
  loggingFormat ?? (io.stderr.isTerminal ? 'text' : 'json');

/** Returns a log that writes all events to a standard stream, whatever `--log-level` says. */
export const streamLog = (stream: Stream, format: LogFormat): Log =>
  nodeLog({ format, level: 'debug', destination: { write: (line) => stream.write(line) } });

/** Returns a log without the diagnostics of events, which `printFrames` shows in text form. */
export const withoutDiagnostics = <OneLog extends Log>(log: OneLog): OneLog => ({
  ...log,
  event(level, message, { diagnostics, ...fields } = {}) {
    log.event(level, message, fields);
  },
});

/** The log and the standard streams of `serve`, with the options that determine their format. */
export interface ServeOutput {
  readonly options: ServeOptions;
  readonly format: LogFormat;
  readonly io: Io;
  readonly log: Log & Pick<NodeLog, 'flush'>;
}

/** Prints the code frames of diagnostics; in JSON form the event of the log contains them. */
const printFrames = (report: FileReport, { options, format, io }: ServeOutput): void => {
  if (format === 'json') return;
  const color = wantsColor(options.color, io.stderr, io);
  io.stderr.write(renderText([report], { color, width: io.stderr.columns }));
};

/** Reports the advice about the configuration at startup. */
export const reportAdvice = (report: FileReport, output: ServeOutput): void => {
  if (report.diagnostics.length === 0) return;
  printFrames(report, output);
  if (output.format === 'text') return;
  const hasWarning = report.diagnostics.some(({ severity }) => severity === 'warning');
  const message = 'authentication config loaded, with advice';
  output.log.event(hasWarning ? 'warn' : 'info', message, diagnosticFields(report));
};

/** Prints the code frames of a reload. The log has an event for each reload. */
export const reportReload = (event: ReloadEvent, output: ServeOutput): void => {
  if (event.kind === 'refused' || event.kind === 'reloaded') printFrames(event, output);
};

/** Facts about a server that accepts requests. */
interface Readiness {
  readonly configuration: ServingOptions['configuration'];
  readonly url: string;
  readonly issuers: number;
  /** Absent for a server of one process. */
  readonly workers?: number;
}

/**
 * Reports that the server accepts requests, at any log level: on standard output, in the format of
 * the log, or in the log if standard output is the decision log.
 */
export const reportReady = (
  { configuration, url, issuers, workers }: Readiness,
  { options, format, io, log }: ServeOutput,
): void => {
  // Earlier lines come first if both streams go to the same place.
  log.flush();
  const isFile = configuration.kind === 'file';
  const ofWorkers = workers === undefined ? '' : `, ${workers} workers`;
  const counted = `${issuers} ${issuers === 1 ? 'issuer' : 'issuers'}${ofWorkers}`;
  const what = isFile ? configuration.path : 'the authenticators of its flags';
  const message = `authgraph serves ${what} on ${url} (${counted})`;
  const isDecisionLog = options.decisionLog === '-';
  if (format === 'text' && !isDecisionLog) {
    io.stdout.write(`${toPrintable(message)}\n`);
    return;
  }
  const fields = {
    ...(isFile ? { file: configuration.path } : {}),
    url,
    issuers,
    ...(workers === undefined ? {} : { workers }),
  };
  streamLog(isDecisionLog ? io.stderr : io.stdout, format).event('info', message, fields);
};
