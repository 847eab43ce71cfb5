/** An answer with the fields that every answer has. */
import type { HandlerResponse } from './handler-response.ts';
import { warningHeaders } from './warnings.ts';

/** What goes out on the connection. */
export interface SentResponse extends HandlerResponse {
  /** End the connection after this answer. */
  readonly close: boolean;
}

/** Puts the audit id, warnings and how long it may be kept around an answer. */
export const completeResponse = (
  response: HandlerResponse,
  { auditId, warnings }: { readonly auditId: string; readonly warnings: readonly string[] },
  close: boolean,
): SentResponse => {
  const headers: (readonly [string, string])[] = hasCacheControl(response) ? [] : [noCache];
  if (auditId !== '') headers.push(['Audit-Id', auditId]);
  if (warnings.length > 0) {
    headers.push(...warningHeaders(warnings).map((value) => ['Warning', value] as const));
  }
  headers.push(...response.headers);
  return { ...response, headers, close };
};

const noCache = ['Cache-Control', 'no-cache, private'] as const;

/** The keys of an issuer may be kept for a while; nothing else may. */
const hasCacheControl = ({ headers }: HandlerResponse): boolean =>
  headers.some(([name]) => name === 'Cache-Control');

/** One line of plain text, and the connection is over. */
export const plainErrorResponse = (status: number, text: string): SentResponse => ({
  status,
  headers: [['Content-Type', 'text/plain; charset=utf-8']],
  body: `${status} ${text}`,
  close: true,
});
