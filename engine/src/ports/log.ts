/** The port for structured log events. They never contain secrets. */

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface Log {
  event(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void;
}
