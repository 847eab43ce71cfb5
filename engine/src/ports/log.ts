/** Structured events for operators. No secret ever goes in. */

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface Log {
  event(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void;
}
