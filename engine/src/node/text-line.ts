/**
 * Formats log events as klog does, the log of kube-apiserver in text form: a header with severity,
 * time and process, the quoted message, and fields as `name="value"`.
 */
import { goQuote } from '../formats/go-quote.ts';
import type { LogLevel } from '../ports/log.ts';

/** klog has no severity for debug messages, which it logs as information. */
const severities: Readonly<Record<LogLevel, string>> = {
  debug: 'I',
  info: 'I',
  warn: 'W',
  error: 'E',
};

export interface TextEvent {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: unknown;
  readonly time: Date;
  readonly pid: number;
}

/** Formats one event as a line, such as `I0131 12:00:01.000000    4711 authgraph] "started" port=1`. */
export const formatTextLine = ({ level, message, fields, time, pid }: TextEvent): string => {
  const header = `${severities[level]}${stampOf(time)} ${String(pid).padStart(7)} authgraph]`;
  const pairs = typeof fields === 'object' && fields !== null ? Object.entries(fields) : [];
  const values = pairs
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${valueText(value)}`)
    .join('');
  return `${header} ${goQuote(message)}${values}\n`;
};

/** Formats the local time as month, day and time with microseconds. */
const stampOf = (time: Date): string => {
  const two = (value: number): string => String(value).padStart(2, '0');
  const date = two(time.getMonth() + 1) + two(time.getDate());
  const seconds = `${two(time.getSeconds())}.${String(time.getMilliseconds()).padStart(3, '0')}000`;
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())}:${seconds}`;
};

/** Strings are quoted, and lists and objects are printed as JSON. */
const valueText = (value: unknown): string =>
  typeof value === 'string' ? goQuote(value) : (JSON.stringify(value) ?? 'null');
