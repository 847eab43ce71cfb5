/** IP addresses and ranges, read and printed as Go's `netip` does. */
import { sameBytes } from '../formats/bytes.ts';
import { goQuote } from '../formats/go-quote.ts';
import { CelError, CelObject, type CelResult, type CelValue, noSuchOverload } from './value.ts';

/** An IP address of either family. */
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
    return this.bytes.length === 4 ? this.bytes.join('.') : printIpv6(this.bytes);
  }
}

/** An address with the number of bits that a range shares. */
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

/** Text -> address. Zones and IPv4 addresses inside IPv6 are refused. */
export const parseIp = (text: string): CelIp | CelError => {
  const parsed = parseAddress(text);
  if ('problem' in parsed) {
    return new CelError(
      `IP Address ${goQuote(text)} parse error during conversion from string: ${parsed.problem}`,
    );
  }
  if (parsed.zone !== '') {
    return new CelError(`IP address ${goQuote(text)} with zone value is not allowed`);
  }
  return isMapped(parsed.bytes) ? mappedError(text) : new CelIp(parsed.bytes);
};

/** Text -> range. */
export const parseCidr = (text: string): CelCidr | CelError => {
  const parsed = parsePrefix(text);
  if (typeof parsed === 'string') {
    return new CelError(
      `network address parse error during conversion from string: netip.ParsePrefix(${goQuote(text)}): ${parsed}`,
    );
  }
  return isMapped(parsed.address.bytes) ? mappedError(text) : parsed;
};

/** Whether the first bits of two addresses are the same. */
export const sharesPrefix = (a: CelIp, b: CelIp, bits: number): boolean =>
  a.bytes.length === b.bytes.length &&
  sameBytes(maskBytes(a.bytes, bits), maskBytes(b.bytes, bits));

/** The bytes with all bits behind the first few set to zero. */
export const maskBytes = (bytes: readonly number[], bits: number): readonly number[] =>
  bytes.map((byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - index * 8));
    return byte & (0xff00 >> kept) & 0xff;
  });

type ParsedAddress =
  | { readonly bytes: readonly number[]; readonly zone: string }
  | { readonly problem: string };

/** Go's `ParseAddr`, with its messages. */
const parseAddress = (text: string): ParsedAddress => {
  for (const character of text) {
    if (character === '.') return result(text, parseIpv4(text), '');
    if (character === ':') return parseIpv6(text);
    if (character === '%') return failed(text, 'missing IPv6 address');
  }
  return failed(text, 'unable to parse IP');
};

interface Problem {
  readonly message: string;
  readonly at?: string;
}

const failed = (text: string, message: string, at?: string): ParsedAddress => ({
  problem: `ParseAddr(${goQuote(text)}): ${message}${at === undefined || at === '' ? '' : ` (at ${goQuote(at)})`}`,
});

const result = (text: string, bytes: readonly number[] | Problem, zone: string): ParsedAddress =>
  'message' in bytes ? failed(text, bytes.message, bytes.at) : { bytes, zone };

const parseIpv4 = (text: string): readonly number[] | Problem => {
  const fields: number[] = [];
  let value = 0;
  let digits = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (/[0-9]/.test(character)) {
      if (digits === 1 && value === 0) return { message: 'IPv4 field has octet with leading zero' };
      value = value * 10 + Number(character);
      digits++;
      if (value > 255) return { message: 'IPv4 field has value >255' };
      continue;
    }
    const at = text.slice(index);
    if (character !== '.') return { message: 'unexpected character', at };
    if (index === 0 || index === text.length - 1 || text.charAt(index - 1) === '.') {
      return { message: 'IPv4 field must have at least one digit', at };
    }
    if (fields.length === 3) return { message: 'IPv4 address too long' };
    fields.push(value);
    value = 0;
    digits = 0;
  }
  return fields.length < 3 ? { message: 'IPv4 address too short' } : [...fields, value];
};

const parseIpv6 = (text: string): ParsedAddress => {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') return failed(text, 'zone must be a non-empty string');
  return result(text, parseGroups(percent < 0 ? text : text.slice(0, percent)), zone);
};

const parseGroups = (text: string): readonly number[] | Problem => {
  const bytes: number[] = [];
  let ellipsis = text.startsWith('::') ? 0 : -1;
  let rest = ellipsis === 0 ? text.slice(2) : text;
  while (bytes.length < 16 && !(rest === '' && ellipsis === bytes.length)) {
    const [digits = ''] = /^[0-9a-fA-F]*/.exec(rest) ?? [];
    if (digits.length > 4) return { message: 'each group must have 4 or less digits', at: rest };
    if (digits === '') {
      return { message: 'each colon-separated field must have at least one digit', at: rest };
    }
    if (rest.charAt(digits.length) === '.') {
      const embedded = parseEmbedded(rest, bytes.length, ellipsis);
      if ('message' in embedded) return embedded;
      bytes.push(...embedded);
      rest = '';
      break;
    }
    const group = Number.parseInt(digits, 16);
    bytes.push(group >> 8, group & 0xff);
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) return { message: 'unexpected character, want colon', at: rest };
    if (rest.length === 1)
      return { message: 'colon must be followed by more characters', at: rest };
    rest = rest.slice(1);
    if (rest.startsWith(':')) {
      if (ellipsis >= 0) return { message: 'multiple :: in address', at: rest };
      ellipsis = bytes.length;
      rest = rest.slice(1);
      if (rest === '') break;
    }
  }
  if (rest !== '') return { message: 'trailing garbage after address', at: rest };
  if (bytes.length === 16) {
    return ellipsis < 0 ? bytes : { message: 'the :: must expand to at least one field of zeros' };
  }
  if (ellipsis < 0) return { message: 'address string too short' };
  const zeros = new Array<number>(16 - bytes.length).fill(0);
  return [...bytes.slice(0, ellipsis), ...zeros, ...bytes.slice(ellipsis)];
};

const parseEmbedded = (
  rest: string,
  before: number,
  ellipsis: number,
): readonly number[] | Problem => {
  if (ellipsis < 0 && before !== 12) {
    return {
      message: 'embedded IPv4 address must replace the final 2 fields of the address',
      at: rest,
    };
  }
  if (before + 4 > 16) {
    return {
      message: 'too many hex fields to fit an embedded IPv4 at the end of the address',
      at: rest,
    };
  }
  return parseIpv4(rest);
};

/** A range, or why it is none. */
const parsePrefix = (text: string): CelCidr | string => {
  const slash = text.lastIndexOf('/');
  if (slash < 0) return "no '/'";
  const parsed = parseAddress(text.slice(0, slash));
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

const isMapped = (bytes: readonly number[]): boolean =>
  bytes.length === 16 &&
  bytes.slice(0, 10).every((byte) => byte === 0) &&
  bytes[10] === 0xff &&
  bytes[11] === 0xff;

const mappedError = (text: string): CelError =>
  new CelError(`IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);

/** RFC 5952: the longest run of two or more zero groups becomes `::`. */
const printIpv6 = (bytes: readonly number[]): string => {
  const groups = Array.from(
    { length: 8 },
    (_, index) => ((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0),
  );
  let best = { start: -1, length: 1 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (start + length < 8 && groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  const print = (part: readonly number[]): string =>
    part.map((group) => group.toString(16)).join(':');
  if (best.start < 0) return print(groups);
  return `${print(groups.slice(0, best.start))}::${print(groups.slice(best.start + best.length))}`;
};
