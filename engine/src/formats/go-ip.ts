/** Parses IP addresses like Go's `net/netip`, with its errors. */

type Quote = (text: string) => string;

/** An address of 4 or 16 bytes with its zone, which is empty if there is none, or Go's error. */
export type ParsedIp =
  | { readonly bytes: readonly number[]; readonly zone: string }
  | { readonly problem: string };

/** Parses like `netip.ParseAddr`; `quote` quotes strings in errors like the calling Go code. */
export const parseIp = (text: string, quote: Quote): ParsedIp => {
  const parsed = read(text);
  if ('bytes' in parsed) return parsed;
  const { message, at = '' } = parsed;
  const place = at === '' ? '' : ` (at ${quote(at)})`;
  return { problem: `ParseAddr(${quote(text)}): ${message}${place}` };
};

/** Returns why the string cannot be in brackets in a URL, or `undefined` for an IPv6 address. */
export const ipv6Problem = (text: string, quote: Quote): string | undefined => {
  const parsed = parseIp(text, quote);
  if ('problem' in parsed) return `invalid host: ${parsed.problem}`;
  return parsed.bytes.length === 4 ? 'invalid IP-literal' : undefined;
};

/** Checks for an IPv4 or IPv6 address; an IPv6 address may have a zone only if `zone` is set. */
export const isIpAddress = (text: string, { zone }: { readonly zone: boolean }): boolean =>
  (zone || !text.includes('%')) && 'bytes' in read(text);

/** Checks for an IPv4 address in an IPv6 address: `::ffff:10.0.0.1`. */
export const isIpv4Mapped = (bytes: ArrayLike<number>): boolean =>
  bytes.length === 16 &&
  Array.from(bytes)
    .slice(0, 12)
    .every((byte, index) => byte === (index < 10 ? 0 : 0xff));

/**
 * Formats an address of 4 or 16 bytes as RFC 5952 requires: the longest run of two or more zero
 * groups becomes `::`.
 */
export const formatIp = (bytes: ArrayLike<number>): string => {
  if (bytes.length === 4) return Array.from(bytes).join('.');
  const groups = Array.from(
    { length: 8 },
    (_, index) => ((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0),
  );
  let longestRun = { start: -1, length: 1 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (start + length < 8 && groups[start + length] === 0) length++;
    if (length > longestRun.length) longestRun = { start, length };
  }
  const formatGroups = (part: readonly number[]): string =>
    part.map((group) => group.toString(16)).join(':');
  if (longestRun.start < 0) return formatGroups(groups);
  return `${formatGroups(groups.slice(0, longestRun.start))}::${formatGroups(groups.slice(longestRun.start + longestRun.length))}`;
};

type Address = Extract<ParsedIp, { readonly bytes: unknown }>;

interface Problem {
  readonly message: string;
  readonly at?: string;
}

const read = (text: string): Address | Problem => {
  const firstSeparator = /[.:%]/.exec(text)?.[0];
  if (firstSeparator === undefined) return { message: 'unable to parse IP' };
  if (firstSeparator === '%') return { message: 'missing IPv6 address' };
  return firstSeparator === '.' ? addressOf(readIpv4(text), '') : readIpv6(text);
};

const addressOf = (bytes: readonly number[] | Problem, zone: string): Address | Problem =>
  'message' in bytes ? bytes : { bytes, zone };

const readIpv4 = (text: string): readonly number[] | Problem => {
  const fields: number[] = [];
  let value = 0;
  let digits = 0;
  for (let index = 0; index < text.length; index += 1) {
    const letter = text.charAt(index);
    if (letter >= '0' && letter <= '9') {
      if (digits === 1 && value === 0) return { message: 'IPv4 field has octet with leading zero' };
      value = value * 10 + Number(letter);
      digits += 1;
      if (value > 255) return { message: 'IPv4 field has value >255' };
      continue;
    }
    const at = text.slice(index);
    if (letter !== '.') return { message: 'unexpected character', at };
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

const readIpv6 = (text: string): Address | Problem => {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') return { message: 'zone must be a non-empty string' };
  return addressOf(readGroups(percent < 0 ? text : text.slice(0, percent)), zone);
};

/**
 * Parses groups of up to four digits between colons, with `::` once for zeros and possibly an IPv4
 * address for the last two groups.
 */
const readGroups = (text: string): readonly number[] | Problem => {
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
      const embedded = readEmbedded(rest, bytes.length, ellipsis);
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

const readEmbedded = (
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
  return readIpv4(rest);
};
