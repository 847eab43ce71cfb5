/** What may not stand in a line about a decision: tokens, and texts of strangers without end. */

/** Longest reason in a line: an issuer's broken key set would stand there whole. */
const maxReasonLength = 1024;

/** Hides what looks like a token, and cuts what is long. */
export const mask = (text: string): string => {
  const masked = text.replace(/eyJ[\w-]*\.[\w-]*(?:\.[\w-]*)*/g, '[redacted]');
  return masked.length <= maxReasonLength ? masked : `${masked.slice(0, maxReasonLength)}…`;
};
