/**
 * The body of a TokenReview as clients write it, compact and with nothing but a token and perhaps
 * audiences, read in one go. Everything else is read member by member in `read-object.ts`, and so is
 * every body about which there is something to say.
 */
import { servedVersion } from '../api-groups.ts';

/** What such a body says. */
export interface QuickReview {
  /** Every character of it stands for itself, in JSON too. */
  readonly token: string;
  readonly tokenBytes: Uint8Array;
  /** Empty where none are named. */
  readonly audiences: readonly string[];
}

/** `undefined` for any other body. */
export const quickTokenReview = (bytes: Uint8Array, group: string): QuickReview | undefined => {
  if (bytes.length > longestQuickBody) return undefined;
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = buffer.toString('latin1');
  const start = tokenStart(text, `${group}/${servedVersion}`);
  const end = text.indexOf('"', start);
  if (start < 0 || end < 0) return undefined;
  const token = text.slice(start, end);
  if (!ordinaryToken.test(token)) return undefined;
  const audiences = audiencesBehind(text.slice(end + 1));
  return audiences && { token, tokenBytes: buffer.subarray(start, end), audiences };
};

const longestQuickBody = 64 * 1024;

/** The place behind what stands in front of the token; negative where something else does. */
const tokenStart = (text: string, apiVersion: string): number => {
  for (const head of headsOf(apiVersion)) if (text.startsWith(head)) return head.length;
  return -1;
};

const knownHeads = new Map<string, readonly string[]>();

/** Go clients write what is not set of the metadata too. Versions are our own: there are few. */
const headsOf = (apiVersion: string): readonly string[] => {
  const known = knownHeads.get(apiVersion);
  if (known !== undefined) return known;
  const kind = '"kind":"TokenReview"';
  const version = `"apiVersion":"${apiVersion}"`;
  const heads = ['', '"metadata":{},', '"metadata":{"creationTimestamp":null},'].flatMap(
    (metadata) =>
      [`${kind},${version}`, `${version},${kind}`].map(
        (names) => `{${names},${metadata}"spec":{"token":"`,
      ),
  );
  knownHeads.set(apiVersion, heads);
  return heads;
};

const ordinaryToken = /^[\w.~+/=-]+$/;

/** The audiences in what follows the quote behind the token; `undefined` where there is more. */
const audiencesBehind = (text: string): readonly string[] | undefined => {
  if (bareEnds.has(text)) return noAudiences;
  const found = ending.exec(text)?.groups?.audiences;
  return found?.slice(1, -1).split('","');
};

const noAudiences: readonly string[] = [];

/** And of the status. */
const ends = ['}}', '},"status":{}}', '},"status":{"user":{}}}'];
const bareEnds: ReadonlySet<string> = new Set(ends.flatMap((end) => [end, `${end}\n`]));

/** Every character stands for itself. */
const ending = new RegExp(
  '^,"audiences":\\[(?<audiences>"[ -!#-\\[\\]-~]*"(?:,"[ -!#-\\[\\]-~]*")*)\\]\\}' +
    '(?:,"status":\\{(?:"user":\\{\\})?\\})?\\}\\n?$',
);
