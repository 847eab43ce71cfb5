/** An answer with the fields that every answer has. */
import type { Answer } from './answer.ts';
import { warningHeaders } from './warnings.ts';

/** What goes out on the connection. */
export interface Reply extends Answer {
  /** End the connection after this answer. */
  readonly close: boolean;
}

/** Puts the audit id, warnings and how long it may be kept around an answer. */
export const finish = (
  answer: Answer,
  { auditId, warnings }: { readonly auditId: string; readonly warnings: readonly string[] },
  close: boolean,
): Reply => {
  const headers: (readonly [string, string])[] = saysItsAge(answer) ? [] : [notKept];
  if (auditId !== '') headers.push(['Audit-Id', auditId]);
  if (warnings.length > 0) {
    headers.push(...warningHeaders(warnings).map((value) => ['Warning', value] as const));
  }
  headers.push(...answer.headers);
  return { ...answer, headers, close };
};

const notKept = ['Cache-Control', 'no-cache, private'] as const;

/** The keys of an issuer may be kept for a while; nothing else may. */
const saysItsAge = ({ headers }: Answer): boolean =>
  headers.some(([name]) => name === 'Cache-Control');

/** One line of plain text, and the connection is over. */
export const plainRefusal = (status: number, text: string): Reply => ({
  status,
  headers: [['Content-Type', 'text/plain; charset=utf-8']],
  body: `${status} ${text}`,
  close: true,
});
