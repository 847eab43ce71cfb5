/**
 * The body of a TokenReview as clients write it, compact and with nothing but a token and perhaps
 * audiences, read in one go. Everything else is read member by member in `read-object.ts`, and so is
 * every body about which there is something to say.
 */
import { servedVersion } from '../api-groups.ts';

/** What such a body says. */
export interface CompactReview {
  /** Every character of it stands for itself, in JSON too. */
  readonly token: string;
  readonly tokenBytes: Uint8Array;
  /** Empty where none are named. */
  readonly audiences: readonly string[];
}

/** `undefined` for any other body. */
export const readCompactTokenReview = (
  bytes: Uint8Array,
  group: string,
): CompactReview | undefined => {
  if (bytes.length > maxFastPathBytes) return undefined;
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = buffer.toString('latin1');
  const start = tokenStart(text, `${group}/${servedVersion}`);
  const end = text.indexOf('"', start);
  if (start < 0 || end < 0) return undefined;
  const token = text.slice(start, end);
  if (!unescapedToken.test(token)) return undefined;
  const audiences = audiencesAfter(text.slice(end + 1));
  return audiences && { token, tokenBytes: buffer.subarray(start, end), audiences };
};

const maxFastPathBytes = 64 * 1024;

/** The place behind what stands in front of the token; negative where something else does. */
const tokenStart = (text: string, apiVersion: string): number => {
  for (const prefix of prefixesOf(apiVersion)) if (text.startsWith(prefix)) return prefix.length;
  return -1;
};

const prefixesByVersion = new Map<string, readonly string[]>();

/** Go clients write what is not set of the metadata too. Versions are our own: there are few. */
const prefixesOf = (apiVersion: string): readonly string[] => {
  const cached = prefixesByVersion.get(apiVersion);
  if (cached !== undefined) return cached;
  const kind = '"kind":"TokenReview"';
  const version = `"apiVersion":"${apiVersion}"`;
  const prefixes = ['', '"metadata":{},', '"metadata":{"creationTimestamp":null},'].flatMap(
    (metadata) =>
      [`${kind},${version}`, `${version},${kind}`].map(
        (names) => `{${names},${metadata}"spec":{"token":"`,
      ),
  );
  prefixesByVersion.set(apiVersion, prefixes);
  return prefixes;
};

const unescapedToken = /^[\w.~+/=-]+$/;

/** The audiences in what follows the quote behind the token; `undefined` where there is more. */
const audiencesAfter = (text: string): readonly string[] | undefined => {
  if (endsWithoutAudiences.has(text)) return noAudiences;
  const found = audiencesAndEnd.exec(text)?.groups?.audiences;
  return found?.slice(1, -1).split('","');
};

const noAudiences: readonly string[] = [];

/** And of the status. */
const ends = ['}}', '},"status":{}}', '},"status":{"user":{}}}'];
const endsWithoutAudiences: ReadonlySet<string> = new Set(ends.flatMap((end) => [end, `${end}\n`]));

/** Every character stands for itself. */
const audiencesAndEnd = new RegExp(
  '^,"audiences":\\[(?<audiences>"[ -!#-\\[\\]-~]*"(?:,"[ -!#-\\[\\]-~]*")*)\\]\\}' +
    '(?:,"status":\\{(?:"user":\\{\\})?\\})?\\}\\n?$',
);
