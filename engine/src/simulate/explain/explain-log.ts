/**
 * What people ask with a line of a log in hand: what does it say, and which lines of this file does
 * it speak of?
 */
import type { Compilation } from '../../compile/compile.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Span } from '../../source/span.ts';
import { explainMessage, type MessageExplanation, startsMessage } from './explain-message.ts';
import { messagesOf } from './log-line.ts';
import { placesOf } from './message-places.ts';

export interface ExplainedPlace {
  /** `jwt[0].claimMappings.username`; empty for places that have none. */
  readonly path: string;
  readonly span: Span;
}

export interface ExplainedMessage {
  readonly explanation: MessageExplanation;
  /** Empty without a configuration, or where it does not hold the cause. */
  readonly places: readonly ExplainedPlace[];
  /** What our compiler says about the same cause, with its mend. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What a line of a server's log says, message by message. */
export interface ExplainedLog {
  readonly messages: readonly ExplainedMessage[];
  /** Parts of the line that are not the server's words about authentication. */
  readonly unknown: readonly string[];
}

/** `compilation`: of the file that the server runs with, when there is one. */
export const explainLog = (line: string, compilation: Compilation | undefined): ExplainedLog => {
  const messages: ExplainedMessage[] = [];
  const unknown: string[] = [];
  for (const text of messagesOf(line, startsMessage)) {
    const explanation = explainMessage(text);
    if (explanation === undefined) unknown.push(text);
    else messages.push(explainedIn(explanation, compilation));
  }
  // Beside the error that says why, "invalid bearer token" says nothing.
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
  const { configuration } = compilation;
  const places =
    diagnostics.length > 0
      ? diagnostics.map(({ span, server }) => ({ path: server?.field ?? '', span }))
      : configuration === undefined
        ? []
        : placesOf(explanation, configuration);
  return { explanation, places, diagnostics };
};

/** Diagnostics that stand for the very text of the message. */
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

/** The scheme of a registration error is a place in somebody's program and differs between builds. */
const sameText = (a: string, b: string): boolean => withoutScheme(a) === withoutScheme(b);

const withoutScheme = (text: string): string => {
  const scheme = text.indexOf(inScheme);
  const isNamed = scheme >= 0 && text.length > scheme + inScheme.length && text.endsWith('"');
  return isNamed ? text.slice(0, scheme) : text;
};

const inScheme = ' in scheme "';
