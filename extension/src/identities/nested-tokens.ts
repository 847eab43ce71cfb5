/**
 * Finds tokens nested in claims, as some issuers do. Hostnames have a similar form and are not
 * tokens.
 */

/** Replaces a nested token. */
export const tokenPlaceholder = 'token-left-out';

export const tokensIn = (text: string): readonly string[] =>
  (text.match(candidates) ?? []).filter(isToken);

export const withoutTokens = (text: string): string =>
  text.replace(candidates, (candidate) => (isToken(candidate) ? tokenPlaceholder : candidate));

/** Matches three parts, or the five of an encrypted token. */
const candidates = /(?<![\w-])[\w-]{8,}\.[\w-]{2,}\.[\w-]*(?:\.[\w-]+){0,2}/g;

/** Returns whether the first part decodes to a JSON object. */
const isToken = (candidate: string): boolean => {
  const header = candidate.slice(0, candidate.indexOf('.'));
  try {
    return /^\s*\{[\s\S]*\}\s*$/.test(atob(header.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    // Every Base64-encoded JSON object starts like this.
    return /^(?:ey|ew)/.test(header);
  }
};
