/**
 * Writes events as lines of JSON or text. Lines are buffered while one is being written, so a slow
 * reader does not delay requests; beyond a limit they are dropped and counted.
 */
import { type DestinationStream, type LoggerOptions, pino } from 'pino';
import type { Log, LogLevel } from '../ports/log.ts';
import { escapeJsonLine } from '../source/unprintable.ts';
import { lineWriter } from './line-writer.ts';
import { formatTextLine } from './text-line.ts';

/**
 * The format of log lines: JSON objects, or text as klog writes it.
 *
 * @example
 * ```ts
 * const format: LogFormat = 'text';
 * ```
 */
export type LogFormat = 'json' | 'text';

/**
 * Options that select which lines are written, and where.
 *
 * @example
 * ```ts
 * const options: LogOptions = { level: 'warn' };
 * ```
 */
export interface LogOptions {
  readonly level?: LogLevel | 'silent';
  /** Defaults to JSON. */
  readonly format?: LogFormat;
  /** A file descriptor or a stream; defaults to standard error. */
  readonly destination?: number | DestinationStream;
  /** Maximum number of characters that are buffered for a slow reader. */
  readonly maxBufferedCharacters?: number;
  /** Called for each dropped line. */
  readonly onDropped?: () => void;
}

/**
 * The log port, which writes lines and buffers them for a slow reader.
 *
 * @example
 * ```ts
 * const log: NodeLog = nodeLog();
 * log.event('info', 'started', {});
 * log.flush();
 * ```
 */
export interface NodeLog extends Log {
  /** Writes the buffered lines. */
  flush(): void;
  /** Writes lines that the log of another process formatted. */
  forward(lines: string): void;
}

const standardError = 2;
/** Default for the characters that are buffered for a slow reader. */
const maxBufferedCharacters = 16 * 1024 * 1024;
const maxDepth = 6;
/** Maximum number of stack frames of an unexpected error, whatever `--stack-trace-limit` says. */
const maxStackFrames = 10;
/** Maximum number of characters of an error message, and of each frame. */
const maxErrorCharacters = 1024;
const redacted = '[redacted]';

/**
 * Returns a log of structured events for operators; fields that look like a credential are
 * redacted.
 *
 * @example
 * ```ts
 * const ports = nodePorts({ log: nodeLog({ level: 'warn' }) });
 * ```
 */
export const nodeLog = (options: LogOptions = {}): NodeLog => {
  const { stream, flush } = openStream(options);
  const write = (line: string): void => stream.write(escapeJsonLine(line));
  const { level: least = 'info' } = options;
  const forward = (lines: string): void => stream.write(lines);
  const event = options.format === 'text' ? textEvents(write, least) : jsonEvents(write, least);
  return { event, flush, forward };
};

type Write = (line: string) => void;

const jsonEvents = (write: Write, least: LogLevel | 'silent'): Log['event'] => {
  const logger = pino(loggerOptions(least), { write });
  return (level, message, fields) => {
    if (!logger.isLevelEnabled(level)) return;
    if (fields === undefined) logger[level](withoutTokens(message));
    else logger[level](withoutSecrets(fields, 0), withoutTokens(message));
  };
};

const textEvents = (write: Write, least: LogLevel | 'silent'): Log['event'] => {
  const { pid } = process;
  return (level, message, fields) => {
    if (ranks[level] < ranks[least]) return;
    write(
      formatTextLine({
        level,
        message: withoutTokens(message),
        fields: withoutSecrets(fields, 0),
        time: new Date(),
        pid,
      }),
    );
  };
};

const ranks = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 } as const;

const openStream = ({
  destination: to = standardError,
  onDropped = () => {},
  maxBufferedCharacters: limit = maxBufferedCharacters,
}: LogOptions) => {
  if (typeof to !== 'number') return { stream: to, flush: () => {} };
  const writer = lineWriter(to, { maxBufferedCharacters: limit, onDropped });
  process.once('exit', writer.flush);
  return { stream: writer, flush: writer.flush };
};

const loggerOptions = (level: LogLevel | 'silent'): LoggerOptions => ({
  level,
  base: null,
  messageKey: 'message',
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  formatters: { level: (label) => ({ level: label }) },
});

/** Returns an unexpected error with its stack, without the secrets that its message may quote. */
const errorData = (error: Error, depth: number): unknown => ({
  name: error.name,
  message: shortened(withoutTokens(error.message)),
  stack: framesOf(error).map((frame) => shortened(withoutTokens(frame))),
  ...(error.cause === undefined ? {} : { cause: withoutSecrets(error.cause, depth + 1) }),
});

/**
 * Returns the stack frames. The message precedes them and may contain lines that look like a frame.
 */
const framesOf = ({ stack = '', name, message }: Error): readonly string[] => {
  const header = `${name}: ${message}`;
  const frames = stack.startsWith(header) ? stack.slice(header.length) : stack;
  return frames
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))
    .slice(0, maxStackFrames);
};

const shortened = (text: string): string =>
  text.length <= maxErrorCharacters ? text : `${text.slice(0, maxErrorCharacters)}…`;

/** Names of fields that could contain a credential by mistake. */
const secretNames = /^(?:authorization|cookie|password|secret|token|private_?key|access_?token)$/i;

/**
 * Matches a JWT anywhere in a text: at least three parts of base64url, the first of which is a JSON
 * object.
 */
const isToken = (run: string): boolean => run.indexOf('.') !== run.lastIndexOf('.');

const withoutTokens = (text: string): string =>
  // Each run of such characters is matched once, whatever it contains, so this is linear.
  text.replaceAll(/eyJ[\w-]*(?:\.[\w-]*)*/g, (run) => (isToken(run) ? redacted : run));

const withoutSecrets = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return withoutTokens(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return '[nested]';
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, depth + 1));
  if (value instanceof Error) return errorData(value, depth);
  if ('toJSON' in value && typeof value.toJSON === 'function') return value.toJSON();
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, item]) => [
      String(name),
      secretNames.test(String(name)) ? redacted : withoutSecrets(item, depth + 1),
    ]),
  );
};
