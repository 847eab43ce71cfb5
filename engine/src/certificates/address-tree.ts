/** Finds the name constraint that covers an IP address. */
import { compareBytes } from '../formats/bytes.ts';
import type { AddressRange } from '../formats/x509/constraints.ts';
import { type FindConstraint, sortedSearch } from './sorted-search.ts';

/** Creates a search over the ranges, IPv4 and IPv6 separately; `undefined` for an empty list. */
export const addressConstraints = (
  ranges: readonly AddressRange[],
): FindConstraint<Uint8Array> | undefined => {
  if (ranges.length === 0) return undefined;
  const bySize = new Map(
    [4, 16].map((size) => [
      size,
      sortedSearch(
        ranges.filter(({ address }) => address.length === size),
        { compare, covers },
      ),
    ]),
  );
  return (address) => {
    // An address equal to the start of a range is found whatever its mask.
    const range = bySize.get(address.length)?.find({ address, mask: noMask });
    return range && `${addressText(range.address)}/${prefixLength(range.mask)}`;
  };
};

const noMask = new Uint8Array();

const compare = (left: AddressRange, right: AddressRange): number => {
  const difference = compareBytes(left.address, right.address);
  if (difference !== 0 || right.mask === noMask) return difference;
  return compareBytes(left.mask, right.mask);
};

/** Returns true if the first and last address of the other range are in the range. */
const covers = (range: AddressRange, other: AddressRange): boolean => {
  const last = other.address.map((byte, at) =>
    other.mask === noMask ? byte : byte | (~(other.mask[at] ?? 0) & 0xff),
  );
  return contains(range, other.address) && contains(range, last);
};

const contains = (range: AddressRange, address: Uint8Array): boolean => {
  const network = unmapIpv4(range.address);
  const inside = unmapIpv4(address);
  const mask = range.mask.subarray(range.mask.length - network.length);
  return (
    network.length === inside.length &&
    inside.every((byte, at) => ((byte ^ (network[at] ?? 0)) & (mask[at] ?? 0)) === 0)
  );
};

/** Returns the IPv4 address of an IPv4-mapped IPv6 address, and any other address unchanged. */
const unmapIpv4 = (address: Uint8Array): Uint8Array => {
  const isMapped =
    address.length === 16 &&
    address.subarray(0, 10).every((byte) => byte === 0) &&
    address[10] === 0xff &&
    address[11] === 0xff;
  return isMapped ? address.subarray(12) : address;
};

const prefixLength = (mask: Uint8Array): number =>
  mask.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);

/** Formats an address: `10.0.0.1`, or IPv6 with its longest run of zeros as `::`. */
export const addressText = (address: Uint8Array): string => {
  const short = unmapIpv4(address);
  if (short.length === 4) return short.join('.');
  const groups = Array.from({ length: 8 }, (_, at) =>
    (((address[2 * at] ?? 0) << 8) | (address[2 * at + 1] ?? 0)).toString(16),
  );
  const runs = [...groups.join(':').matchAll(/(?<![^:])0(?::0)+(?![^:])/g)];
  const longestRun = runs.reduce((best, [run]) => (run.length > best.length ? run : best), '');
  if (longestRun === '') return groups.join(':');
  const [before = '', after = ''] = splitOnce(groups.join(':'), longestRun);
  return `${before.replace(/:$/, '')}::${after.replace(/^:/, '')}`;
};

const splitOnce = (text: string, run: string): readonly [string, string] => {
  const at = `:${text}:`.indexOf(`:${run}:`);
  return [text.slice(0, at), text.slice(at + run.length)];
};
