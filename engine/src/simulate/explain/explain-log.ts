/**
 * Explains log lines: what they say, and which lines of the given configuration file they are about.
 */
import type { Compilation } from '../../compile/compile.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Span } from '../../source/span.ts';
import {
  explainBareCertificateError,
  explainMessage,
  type MessageExplanation,
  startsMessage,
} from './explain-message.ts';
import { messagesBehindPrefix, messagesOf } from './log-line.ts';
import { logRecords } from './log-records.ts';
import { placesOf } from './message-places.ts';

export interface ExplainedPlace {
  /** The path `jwt[0].claimMappings.username`; empty for places without one. */
  readonly path: string;
  readonly span: Span;
}

export interface ExplainedMessage {
  readonly explanation: MessageExplanation;
  /**
   * The places in the configuration; empty without a configuration, or if it does not contain the
   * cause.
   */
  readonly places: readonly ExplainedPlace[];
  /** Our compiler's diagnostics of the same cause, with their fixes. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The explanation of pasted log lines, message by message. */
export interface ExplainedLog {
  /** The known messages, each once. */
  readonly messages: readonly ExplainedMessage[];
  /** Other parts of the lines. */
  readonly unknown: readonly string[];
}

/**
 * Explains a log line, or several. `compilation` is of the server's configuration file, if it is
 * known.
 */
export const explainLog = (pasted: string, compilation: Compilation | undefined): ExplainedLog => {
  const { explanations, unknown } = recognize(pasted);
  return { messages: explanations.map((one) => explainedIn(one, compilation)), unknown };
};

interface Recognized {
  readonly explanations: readonly MessageExplanation[];
  readonly unknown: readonly string[];
}

/** The maximum number of log records that are explained. */
const maxRecords = 200;

const recognize = (pasted: string): Recognized => {
  const records = logRecords(pasted).slice(0, maxRecords);
  const separate = records.map(recognizeRecord);
  const unknown = separate.flatMap((one) => one.unknown);
  const whole = records.length === 1 || unknown.length === 0 ? undefined : recognizeWhole(records);
  if (whole !== undefined) return whole;
  const distinct = new Map<string, MessageExplanation>();
  for (const one of separate.flatMap(({ explanations }) => explanations)) {
    const key = distinction(one);
    if (!distinct.has(key)) distinct.set(key, one);
  }
  return { explanations: [...distinct.values()], unknown: [...new Set(unknown)] };
};

/** Messages with the same meaning are one, unless they may be about different parts of the file. */
const distinction = ({ kind, subject, meaning, message }: MessageExplanation): string =>
  subject === 'none' ? `${kind}: ${meaning}` : message;

/**
 * Recognizes a message with a value of several lines, and one that a terminal wrapped. Returns
 * `undefined` if the text contains anything else.
 */
const recognizeWhole = (records: readonly string[]): Recognized | undefined => {
  if (records.slice(1).some((record) => otherLine.test(record))) return undefined;
  for (const separator of ['\n', '', ' ']) {
    const whole = recognizeRecord(records.join(separator));
    if (whole.explanations.length > 0 && whole.unknown.length === 0) return whole;
  }
  return undefined;
};

/** The start of a log line, or of the output of a program, which continues no other. */
const otherLine = /^(?:[IWEF]\d{4} \d\d:|\{"|[Ee]rror(?:: | from server))/;

/** Recognizes a record, or its first line if the lines below it are not part of the message. */
const recognizeRecord = (record: string): Recognized => {
  const all = recognizeText(record);
  const end = record.indexOf('\n');
  if (all.unknown.length === 0 || end === -1) return all;
  const first = recognizeText(record.slice(0, end));
  return first.explanations.length > 0 && first.unknown.length === 0 ? first : all;
};

const recognizeText = (record: string): Recognized => {
  const explanations: MessageExplanation[] = [];
  const unknown: string[] = [];
  const texts = messagesOf(record, startsMessage);
  // Only a line of a request shows that a bare certificate error is about the client.
  const isAlone = texts.length === 1 && !/authenticat/i.test(record);
  const explain = isAlone ? explainAlone : explainMessage;
  for (const text of texts) {
    const found = explainPrefixed(text, explain);
    if (found.length === 0) unknown.push(text);
    else explanations.push(...found);
  }
  // "invalid bearer token" says nothing if there is also an error that gives the reason.
  const telling = explanations.filter(({ kind }) => kind !== 'no-authenticator-took-token');
  return { explanations: telling.length > 0 ? telling : explanations, unknown };
};

const explainAlone: typeof explainMessage = (text) =>
  explainBareCertificateError(text) ?? explainMessage(text);

/** Explains a text, or the messages that it contains behind the prefix of an unknown program. */
const explainPrefixed = (
  text: string,
  explain: typeof explainMessage,
): readonly MessageExplanation[] => {
  const whole = explain(text);
  if (whole !== undefined) return [whole];
  for (const rest of messagesBehindPrefix(text, startsMessage)) {
    const texts = messagesOf(rest, startsMessage);
    const found = texts.map(texts.length === 1 ? explain : explainMessage);
    const known = found.filter((one) => one !== undefined);
    if (known.length > 0 && known.length === found.length) return known;
  }
  return [];
};

const explainedIn = (
  explanation: MessageExplanation,
  compilation: Compilation | undefined,
): ExplainedMessage => {
  if (compilation === undefined) return { explanation, places: [], diagnostics: [] };
  const diagnostics = sameCause(explanation, compilation);
  const { configuration, origins } = compilation;
  const places =
    diagnostics.length > 0
      ? diagnostics.map(({ span, server }) => ({ path: server?.field ?? '', span }))
      : configuration === undefined
        ? []
        : placesOf(explanation, { configuration, origins });
  return { explanation, places, diagnostics };
};

/** Returns the diagnostics that report the same text as the message. */
const sameCause = (
  { message, subject }: MessageExplanation,
  { diagnostics, report }: Compilation,
): readonly Diagnostic[] => {
  if (subject !== 'field' && subject !== 'file' && subject !== 'anonymous') return [];
  const exact = diagnostics.filter(
    (one) => one.server?.message === message || one.message === message,
  );
  if (exact.length > 0) return exact;
  const { decodeError } = report;
  if (decodeError === undefined || !sameText(decodeError, message)) return [];
  return diagnostics.filter(({ severity, source }) => severity === 'error' && source === 'server');
};

/**
 * Compares two messages; the scheme in a registration error differs between builds of Go programs.
 */
const sameText = (a: string, b: string): boolean => withoutScheme(a) === withoutScheme(b);

const withoutScheme = (text: string): string => {
  const scheme = text.indexOf(inScheme);
  const isNamed = scheme >= 0 && text.length > scheme + inScheme.length && text.endsWith('"');
  return isNamed ? text.slice(0, scheme) : text;
};

const inScheme = ' in scheme "';
