/** IP addresses and CIDR ranges, parsed and printed as Go's `netip` does. */
import { sameBytes } from '../../formats/bytes.ts';
import { formatIp, isIpv4Mapped, parseIp as readIp } from '../../formats/go-ip.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { CelError, CelObject, type CelResult, type CelValue, noSuchOverload } from './value.ts';

/** An IPv4 or IPv6 address. */
export class CelIp extends CelObject {
  /** Four or sixteen bytes. */
  readonly bytes: readonly number[];
  constructor(bytes: readonly number[]) {
    super();
    this.bytes = bytes;
  }
  get typeName(): string {
    return 'net.IP';
  }
  override get size(): number {
    return this.bytes.length;
  }
  override equals(other: CelValue): CelResult {
    return other instanceof CelIp ? sameBytes(this.bytes, other.bytes) : noSuchOverload;
  }
  override toString(): string {
    return formatIp(this.bytes);
  }
}

/** A CIDR range: an address and the length of its prefix. */
export class CelCidr extends CelObject {
  readonly address: CelIp;
  readonly bits: number;
  constructor(address: CelIp, bits: number) {
    super();
    this.address = address;
    this.bits = bits;
  }
  get typeName(): string {
    return 'net.CIDR';
  }
  override get size(): number {
    return Math.ceil(this.bits / 8);
  }
  override equals(other: CelValue): CelResult {
    if (!(other instanceof CelCidr)) return noSuchOverload;
    return this.bits === other.bits && sameBytes(this.address.bytes, other.address.bytes);
  }
  override toString(): string {
    return `${this.address}/${this.bits}`;
  }
}

/** Parses an IP address. Zones and IPv4-mapped IPv6 addresses are errors. */
export const parseIp = (text: string): CelIp | CelError => {
  const parsed = readIp(text, goQuote);
  if ('problem' in parsed) {
    return new CelError(
      `IP Address ${goQuote(text)} parse error during conversion from string: ${parsed.problem}`,
    );
  }
  if (parsed.zone !== '') {
    return new CelError(`IP address ${goQuote(text)} with zone value is not allowed`);
  }
  return isIpv4Mapped(parsed.bytes) ? ipv4MappedError(text) : new CelIp(parsed.bytes);
};

/** Parses a range in CIDR notation. */
export const parseCidr = (text: string): CelCidr | CelError => {
  const parsed = parsePrefix(text);
  if (typeof parsed === 'string') {
    return new CelError(
      `network address parse error during conversion from string: netip.ParsePrefix(${goQuote(text)}): ${parsed}`,
    );
  }
  return isIpv4Mapped(parsed.address.bytes) ? ipv4MappedError(text) : parsed;
};

/** Checks whether two addresses have the same first bits. */
export const sharesPrefix = (a: CelIp, b: CelIp, bits: number): boolean =>
  a.bytes.length === b.bytes.length &&
  sameBytes(maskBytes(a.bytes, bits), maskBytes(b.bytes, bits));

/** Returns the bytes with all bits after the prefix set to zero. */
export const maskBytes = (bytes: readonly number[], bits: number): readonly number[] =>
  bytes.map((byte, index) => {
    const prefixBits = Math.min(8, Math.max(0, bits - index * 8));
    return byte & (0xff00 >> prefixBits) & 0xff;
  });

/** Parses a range, or returns Go's reason why it is not one. */
const parsePrefix = (text: string): CelCidr | string => {
  const slash = text.lastIndexOf('/');
  if (slash < 0) return "no '/'";
  const parsed = readIp(text.slice(0, slash), goQuote);
  if ('problem' in parsed) return parsed.problem;
  if (parsed.zone !== '') return 'IPv6 zones cannot be present in a prefix';
  const bits = text.slice(slash + 1);
  if (!/^(?:[0-9]|[1-9][0-9]+)$/.test(bits)) return `bad bits after slash: ${goQuote(bits)}`;
  const count = Number(bits);
  if (!Number.isSafeInteger(count) && BigInt(bits) > 2n ** 63n - 1n) {
    return `bad bits after slash: ${goQuote(bits)}`;
  }
  return count > parsed.bytes.length * 8
    ? 'prefix length out of range'
    : new CelCidr(new CelIp(parsed.bytes), count);
};

const ipv4MappedError = (text: string): CelError =>
  new CelError(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
