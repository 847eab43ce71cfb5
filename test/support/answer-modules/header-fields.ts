/** Header fields of the recorded cases: texts there, one character a byte in the product. */
import { textOfLatin1 } from '../../../engine/src/formats/byte-text.ts';
import { encodeUtf8 } from '../../../engine/src/formats/utf8.ts';
import type { HeaderList } from '../../../engine/src/model/header-list.ts';

export type HeaderPairs = readonly (readonly [name: string, value: string])[];

export const headerListOf = (pairs: HeaderPairs = []): HeaderList =>
  pairs.map(([name, value]) => ({ name, value: String.fromCharCode(...encodeUtf8(value)) }));

/** Canonical names, sorted by them; fields of one name stay in their order. */
export const headerPairs = (headers: HeaderList): HeaderPairs =>
  headers
    .map(({ name, value }) => [canonical(name), textOfLatin1(value)] as const)
    .toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));

const canonical = (name: string): string =>
  name.toLowerCase().replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
