/** Adds the header fields that every response has. */
import type { HandlerResponse } from './handler-response.ts';
import { warningHeaders } from './warnings.ts';

/** A response as it is sent on the connection. */
export interface OutgoingResponse extends HandlerResponse {
  /** True if the connection is to be closed after this response. */
  readonly close: boolean;
}

/** Adds Audit-Id, Warning and Cache-Control fields to a response. */
export const completeResponse = (
  response: HandlerResponse,
  { auditId, warnings }: { readonly auditId: string; readonly warnings: readonly string[] },
  close: boolean,
): OutgoingResponse => {
  const headers: (readonly [string, string])[] = hasCacheControl(response) ? [] : [noCache];
  if (auditId !== '') headers.push(['Audit-Id', auditId]);
  if (warnings.length > 0) {
    headers.push(...warningHeaders(warnings).map((value) => ['Warning', value] as const));
  }
  headers.push(...response.headers);
  return { ...response, headers, close };
};

const noCache = ['Cache-Control', 'no-cache, private'] as const;

/** True for responses that set Cache-Control themselves, such as the keys of an issuer. */
const hasCacheControl = ({ headers }: HandlerResponse): boolean =>
  headers.some(([name]) => name === 'Cache-Control');

/** Creates a one-line plain-text error after which the connection is closed. */
export const plainErrorResponse = (status: number, text: string): OutgoingResponse => ({
  status,
  headers: [['Content-Type', 'text/plain; charset=utf-8']],
  body: `${status} ${text}`,
  close: true,
});
