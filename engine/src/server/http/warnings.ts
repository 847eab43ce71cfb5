/** Warning header values: each text once, truncated together to the length that clients accept. */

const totalLimit = 4 * 1024;
const itemLimit = 256;

/**
 * Returns values such as `299 - "unknown field \"x\""`; texts with control characters cannot be
 * sent and are omitted.
 */
export const warningHeaders = (warnings: readonly string[]): readonly string[] => {
  const distinct = [...new Set(warnings)].filter((text) => text !== '' && !/\p{Cc}/u.test(text));
  const total = distinct.reduce((sum, text) => sum + [...text].length, 0);
  const shown = total <= totalLimit ? distinct : truncate(distinct);
  return shown.map((text) => utf8AsLatin1(`299 - "${text.replace(/["\\]/g, '\\$&')}"`));
};

/** Encodes a header value as bytes: one character for each byte of the UTF-8 text. */
const utf8AsLatin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

const truncate = (warnings: readonly string[]): readonly string[] => {
  const items: string[] = [];
  let sum = 0;
  for (const text of warnings) {
    if (sum >= totalLimit) break;
    const item = [...text].slice(0, itemLimit).join('');
    sum += [...item].length;
    items.push(item);
  }
  return items;
};
