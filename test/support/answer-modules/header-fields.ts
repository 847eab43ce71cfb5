/** Header fields of the recorded cases: texts there, one character a byte in the product. */
import { decodeLatin1 } from '../../../engine/src/formats/byte-string.ts';
import { encodeUtf8 } from '../../../engine/src/formats/utf8.ts';
import type { HeaderList } from '../../../engine/src/model/header-list.ts';

export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** As the bytes of the text come off the wire. */
export const wireText = (text: string): string => String.fromCharCode(...encodeUtf8(text));

export const headerListOf = (pairs: HeaderPairs | null = []): HeaderList =>
  (pairs ?? []).map(([name, value]) => ({ name: wireText(name), value: wireText(value) }));

/** Canonical names, sorted by them; fields of one name stay in their order. */
export const headerPairs = (headers: HeaderList): HeaderPairs =>
  headers
    .map(({ name, value }) => [canonicalName(decodeLatin1(name)), decodeLatin1(value)] as const)
    .toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));

/** What is no name stays as it is. */
export const canonicalName = (name: string): string =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(name)
    ? name.toLowerCase().replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase())
    : name;

/** An answer as the recorded ones were written: what is no text becomes U+FFFD. */
export const asWritten = (answer: object): object => JSON.parse(encodeJson(answer)) as object;

const encodeJson = (value: unknown): string => {
  if (typeof value === 'string') return JSON.stringify(value.toWellFormed());
  if (Array.isArray(value)) return `[${value.map(encodeJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${encodeJson(name)}:${encodeJson(member)}`).join()}}`;
};
