/** Converts the headers of recorded cases, which are strings, to one character per byte. */
import { decodeLatin1 } from '../../../engine/src/formats/byte-string.ts';
import { encodeUtf8 } from '../../../engine/src/formats/utf8.ts';
import type { HeaderList } from '../../../engine/src/model/header-list.ts';

export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** Returns the bytes of the string as on the wire. */
export const wireText = (text: string): string => String.fromCharCode(...encodeUtf8(text));

export const headerListOf = (pairs: HeaderPairs | null = []): HeaderList =>
  (pairs ?? []).map(([name, value]) => ({ name: wireText(name), value: wireText(value) }));

/** Sorts headers by their canonical names; values of one name keep their order. */
export const headerPairs = (headers: HeaderList): HeaderPairs =>
  headers
    .map(({ name, value }) => [canonicalName(decodeLatin1(name)), decodeLatin1(value)] as const)
    .toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));

/** Invalid names stay unchanged. */
export const canonicalName = (name: string): string =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(name)
    ? name.toLowerCase().replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase())
    : name;

/** Replaces invalid UTF-8 in an answer with U+FFFD, as in the recorded answers. */
export const asWritten = (answer: object): object => JSON.parse(encodeJson(answer)) as object;

const encodeJson = (value: unknown): string => {
  if (typeof value === 'string') return JSON.stringify(value.toWellFormed());
  if (Array.isArray(value)) return `[${value.map(encodeJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${encodeJson(name)}:${encodeJson(member)}`).join()}}`;
};
