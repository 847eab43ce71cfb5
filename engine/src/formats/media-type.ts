/** Parses a Content-Type header like Go's `mime.ParseMediaType`. */
import { isSpace, trimSpace } from './go-space.ts';

/**
 * Returns `application/json` for `Application/JSON; charset=utf-8`, or `undefined` if Go rejects
 * the header, for example for a malformed parameter.
 */
export const mediaTypeOf = (contentType: string): string | undefined => {
  const cut = contentType.indexOf(';');
  const base = cut < 0 ? contentType : contentType.slice(0, cut);
  const mediaType = trimSpace(base.toLowerCase());
  if (!typeForm.test(mediaType)) return undefined;
  return cut < 0 || readParameters(contentType.slice(cut)) ? mediaType : undefined;
};

const token = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const typeForm = new RegExp(`^${token}(?:/${token})?$`);

const space = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]*';
const name = new RegExp(`;${space}(${token})${space}=${space}`, 'y');
const bareValue = new RegExp(token, 'y');
/** A quoted value, in which a backslash escapes only special characters. */
const quotedValue = /"((?:\\[^\r\n]|[^"\\\r\n])*)"/y;

/** Returns false for a malformed parameter, or for one with two different values. */
const readParameters = (text: string): boolean => {
  const values = new Map<string, string>();
  let at = skipSpace(text, 0);
  while (at < text.length) {
    name.lastIndex = at;
    const match = name.exec(text);
    // A semicolon at the end is accepted.
    if (match === null) return text[at] === ';' && skipSpace(text, at + 1) === text.length;
    const value = readValue(text, name.lastIndex);
    if (value === undefined) return false;
    const key = (match[1] ?? '').toLowerCase();
    const existing = values.get(key);
    if (existing !== undefined && existing !== value.text) return false;
    values.set(key, value.text);
    at = skipSpace(text, value.end);
  }
  return true;
};

/** Returns the index of the first character at or after `from` that is not white space. */
const skipSpace = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
};

const readValue = (
  text: string,
  at: number,
): { readonly text: string; readonly end: number } | undefined => {
  for (const form of [quotedValue, bareValue]) {
    form.lastIndex = at;
    const match = form.exec(text);
    if (match !== null) return { text: match[1] ?? match[0], end: form.lastIndex };
  }
  return undefined;
};
