/**
 * Events as JSON lines. Lines gather while one is being written, so a slow reader costs no request
 * anything; past a bound they are dropped and counted.
 */
import { type DestinationStream, type LoggerOptions, pino } from 'pino';
import type { Log, LogLevel } from '../ports/log.ts';
import { lineWriter } from './line-writer.ts';

/** Which lines are written, and where to. */
export interface LogOptions {
  readonly level?: LogLevel | 'silent';
  /** A file descriptor, or whatever takes text; the standard error output where absent. */
  readonly destination?: number | DestinationStream;
  /** Called for each line that was dropped. */
  readonly onDropped?: () => void;
}

/** The log port, over lines of JSON that may be held for a slow reader. */
export interface NodeLog extends Log {
  /** Writes out what is still held. */
  flush(): void;
}

const standardError = 2;
/** Lines held for a reader that does not keep up. */
const maxHeldCharacters = 16 * 1024 * 1024;
const maxDepth = 6;
const redacted = '[redacted]';

/** Structured events for operators; fields that look like a credential are blanked. */
export const nodeLog = (options: LogOptions = {}): NodeLog => {
  const { stream, flush } = openStream(options);
  const logger = pino(loggerOptions(options.level ?? 'info'), stream);
  return {
    event(level, message, fields) {
      if (!logger.isLevelEnabled(level)) return;
      if (fields === undefined) logger[level](withoutTokens(message));
      else logger[level](withoutSecrets(fields, 0), withoutTokens(message));
    },
    flush,
  };
};

const openStream = ({ destination: to = standardError, onDropped = () => {} }: LogOptions) => {
  if (typeof to !== 'number') return { stream: to, flush: () => {} };
  const writer = lineWriter(to, { maxHeldCharacters, onDropped });
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

/** Names under which a caller could hand over a credential by mistake. */
const secretNames = /^(?:authorization|cookie|password|secret|token|private_?key|access_?token)$/i;

/** Three parts of base64url, the first an object: a JWT, wherever it stands. */
const tokens = /eyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g;

const withoutTokens = (text: string): string =>
  text.includes('eyJ') ? text.replaceAll(tokens, redacted) : text;

const withoutSecrets = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return withoutTokens(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return '[nested]';
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, depth + 1));
  if (value instanceof Error) return { message: withoutTokens(value.message) };
  if ('toJSON' in value && typeof value.toJSON === 'function') return value.toJSON();
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, item]) => [
      String(name),
      secretNames.test(String(name)) ? redacted : withoutSecrets(item, depth + 1),
    ]),
  );
};
