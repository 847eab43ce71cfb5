/** Finds the name constraint that covers an IP address. */
import { compareBytes } from '../formats/bytes.ts';
import { formatIp, isIpv4Mapped } from '../formats/go-ip.ts';
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
const unmapIpv4 = (address: Uint8Array): Uint8Array =>
  isIpv4Mapped(address) ? address.subarray(12) : address;

const prefixLength = (mask: Uint8Array): number =>
  mask.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);

/** Formats an address: `10.0.0.1`, or IPv6 with its longest run of zeros as `::`. */
export const addressText = (address: Uint8Array): string => formatIp(unmapIpv4(address));
