/**
 * The body of a TokenReview as clients write it, compact and with nothing but a token and perhaps
 * audiences, read in one go. Everything else is read member by member in `read-object.ts`, and so is
 * every body about which there is something to say.
 */
import { servedVersion } from '../api-groups.ts';
import type { Field } from './decode-object.ts';

/** The fields of a TokenReview of the group, as `decodeObject` gives them; `undefined` for any other body. */
export const quickTokenReview = (
  bytes: Uint8Array,
  group: string,
): ReadonlyMap<string, Field> | undefined => {
  if (bytes.length > longestQuickBody) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const found = ordinary.exec(text)?.groups;
  if (found === undefined) return undefined;
  const { first, second, token = '', audiences } = found;
  const apiVersion = first ?? second ?? '';
  if (apiVersion !== `${group}/${servedVersion}`) return undefined;
  const spec = new Map<string, Field>([['token', token]]);
  if (audiences !== undefined) spec.set('audiences', audiences.slice(1, -1).split('","'));
  return new Map<string, Field>([
    ['kind', 'TokenReview'],
    ['apiVersion', apiVersion],
    ['spec', spec],
  ]);
};

const longestQuickBody = 64 * 1024;

/** Every character stands for itself; Go clients write what is not set of metadata and status too. */
const ordinary = new RegExp(
  '^\\{(?:"kind":"TokenReview","apiVersion":"(?<first>[a-z0-9./]+)"|"apiVersion":"(?<second>[a-z0-9./]+)","kind":"TokenReview")' +
    ',(?:"metadata":\\{(?:"creationTimestamp":null)?\\},)?' +
    '"spec":\\{"token":"(?<token>[\\w.~+/=-]+)"(?:,"audiences":\\[(?<audiences>"[ -!#-\\[\\]-~]*"(?:,"[ -!#-\\[\\]-~]*")*)\\])?\\}' +
    '(?:,"status":\\{(?:"user":\\{\\})?\\})?\\}\\n?$',
);
