/**
 * A fast path for the usual body of a TokenReview: compact JSON with nothing but a token and
 * optional audiences. All other bodies are decoded in `read-object.ts`, including every body with
 * errors or warnings.
 */
import { servedVersion } from '../api-groups.ts';

/** The content of such a body. */
export interface CompactReview {
  /** The token; it contains no character that JSON escapes. */
  readonly token: string;
  readonly tokenBytes: Uint8Array;
  /** The audiences; empty if there are none. */
  readonly audiences: readonly string[];
}

/** Returns `undefined` for any other body. */
export const readCompactTokenReview = (
  bytes: Uint8Array,
  group: string,
): CompactReview | undefined => {
  if (bytes.length > maxFastPathBytes) return undefined;
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = buffer.toString('latin1');
  const start = tokenStart(text, group);
  const end = text.indexOf('"', start);
  if (start < 0 || end < 0) return undefined;
  const token = text.slice(start, end);
  if (!unescapedToken.test(token)) return undefined;
  const audiences = audiencesAfter(text, end + 1);
  return audiences && { token, tokenBytes: buffer.subarray(start, end), audiences };
};

const maxFastPathBytes = 64 * 1024;

/** Returns the offset of the token, or a negative number for an unexpected prefix. */
const tokenStart = (text: string, group: string): number => {
  for (const prefix of prefixesOf(group)) if (text.startsWith(prefix)) return prefix.length;
  return -1;
};

const prefixesByGroup = new Map<string, readonly string[]>();

/**
 * Returns the possible prefixes: Go clients also write the unset creation timestamp. There are few
 * groups, and they are our own.
 */
const prefixesOf = (group: string): readonly string[] => {
  const cached = prefixesByGroup.get(group);
  if (cached !== undefined) return cached;
  const kind = '"kind":"TokenReview"';
  const version = `"apiVersion":"${group}/${servedVersion}"`;
  const prefixes = ['', '"metadata":{},', '"metadata":{"creationTimestamp":null},'].flatMap(
    (metadata) =>
      [`${kind},${version}`, `${version},${kind}`].map(
        (names) => `{${names},${metadata}"spec":{"token":"`,
      ),
  );
  prefixesByGroup.set(group, prefixes);
  return prefixes;
};

const unescapedToken = /^[\w.~+/=-]+$/;

/** Parses the audiences from the offset to the end of the body; returns `undefined` if there is more. */
const audiencesAfter = (text: string, at: number): readonly string[] | undefined => {
  const isEnd = (end: string): boolean => text.length - at === end.length && text.endsWith(end);
  if (endsWithoutAudiences.some(isEnd)) return noAudiences;
  const quotedAudiences = audiencesAndEnd.exec(text.slice(at))?.groups?.audiences;
  return quotedAudiences?.slice(1, -1).split('","');
};

const noAudiences: readonly string[] = [];

/** The end of a body, with an unset status or without one. */
const ends = ['}}', '},"status":{}}', '},"status":{"user":{}}}'];
const endsWithoutAudiences = ends.flatMap((end) => [end, `${end}\n`]);

/** Matches audiences without escaped characters, and the end of the body. */
const audiencesAndEnd = new RegExp(
  '^,"audiences":\\[(?<audiences>"[ -!#-\\[\\]-~]*"(?:,"[ -!#-\\[\\]-~]*")*)\\]\\}' +
    '(?:,"status":\\{(?:"user":\\{\\})?\\})?\\}\\n?$',
);
