/**
 * Explains a log line: what it says, and which lines of the given configuration file it is about.
 */
import type { Compilation } from '../../compile/compile.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Span } from '../../source/span.ts';
import { explainMessage, type MessageExplanation, startsMessage } from './explain-message.ts';
import { messagesOf } from './log-line.ts';
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

/** The explanation of a server's log line, message by message. */
export interface ExplainedLog {
  readonly messages: readonly ExplainedMessage[];
  /** Parts of the line that are not authentication messages of the server. */
  readonly unknown: readonly string[];
}

/** Explains a log line. `compilation` is of the server's configuration file, if it is known. */
export const explainLog = (line: string, compilation: Compilation | undefined): ExplainedLog => {
  const messages: ExplainedMessage[] = [];
  const unknown: string[] = [];
  for (const text of messagesOf(line, startsMessage)) {
    const explanation = explainMessage(text);
    if (explanation === undefined) unknown.push(text);
    else messages.push(explainedIn(explanation, compilation));
  }
  // "invalid bearer token" says nothing if there is also an error that gives the reason.
  const telling = messages.filter(
    ({ explanation }) => explanation.kind !== 'no-authenticator-took-token',
  );
  return { messages: telling.length > 0 ? telling : messages, unknown };
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
