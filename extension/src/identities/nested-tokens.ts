/** Tokens that stand in claims, as some issuers nest them. Names of hosts have the same form, and are none. */

/** What stands in their place. */
export const tokenPlaceholder = 'token-left-out';

export const tokensIn = (text: string): readonly string[] =>
  (text.match(candidates) ?? []).filter(isToken);

export const withoutTokens = (text: string): string =>
  text.replace(candidates, (found) => (isToken(found) ? tokenPlaceholder : found));

/** Three parts, or the five of an encrypted one. */
const candidates = /(?<![\w-])[\w-]{8,}\.[\w-]{2,}\.[\w-]*(?:\.[\w-]+){0,2}/g;

/** The first part is a JSON object. */
const isToken = (found: string): boolean => {
  const header = found.slice(0, found.indexOf('.'));
  try {
    return /^\s*\{[\s\S]*\}\s*$/.test(atob(header.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    // So begins every JSON object.
    return /^(?:ey|ew)/.test(header);
  }
};
