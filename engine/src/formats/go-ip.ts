/** IP addresses in brackets as Go's `net/netip` reads them, for its words of refusal. */

type Quote = (text: string) => string;

/** Why the text can't stand in brackets in a URL; `undefined` for an IPv6 address. */
export const ipv6Problem = (text: string, quote: Quote): string | undefined => {
  const refused = (message: string, at = ''): string =>
    `invalid host: ParseAddr(${quote(text)}): ${message}${at === '' ? '' : ` (at ${quote(at)})`}`;
  const mark = /[.:%]/.exec(text)?.[0];
  if (mark === undefined) return refused('unable to parse IP');
  if (mark === '%') return refused('missing IPv6 address');
  if (mark === '.') {
    const problem = ipv4Problem(text);
    return problem === undefined ? 'invalid IP-literal' : refused(problem.message, problem.at);
  }
  const problem = groupsProblem(text);
  return problem === undefined ? undefined : refused(problem.message, problem.at);
};

/** Is it an address in text, IPv4 or IPv6? Only `zone` lets an IPv6 address have one. */
export const isIpAddress = (text: string, { zone }: { readonly zone: boolean }): boolean => {
  const mark = /[.:%]/.exec(text)?.[0];
  if (mark === '.') return ipv4Problem(text) === undefined;
  if (mark !== ':' || (!zone && text.includes('%'))) return false;
  return groupsProblem(text) === undefined;
};

interface Problem {
  readonly message: string;
  readonly at?: string;
}

const ipv4Problem = (text: string): Problem | undefined => {
  let value = 0;
  let digits = 0;
  let dots = 0;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (letter >= '0' && letter <= '9') {
      if (digits === 1 && value === 0) return { message: 'IPv4 field has octet with leading zero' };
      value = value * 10 + Number(letter);
      digits += 1;
      if (value > 255) return { message: 'IPv4 field has value >255' };
    } else if (letter === '.') {
      if (at === 0 || at === text.length - 1 || text[at - 1] === '.')
        return { message: 'IPv4 field must have at least one digit', at: text.slice(at) };
      if (dots === 3) return { message: 'IPv4 address too long' };
      dots += 1;
      value = 0;
      digits = 0;
    } else return { message: 'unexpected character', at: text.slice(at) };
  }
  return dots < 3 ? { message: 'IPv4 address too short' } : undefined;
};

/** Groups of up to four digits between colons; `::` once for zeros; IPv4 in the last two groups. */
const groupsProblem = (text: string): Problem | undefined => {
  const percent = text.indexOf('%');
  if (percent !== -1 && percent === text.length - 1)
    return { message: 'zone must be a non-empty string' };
  let rest = percent === -1 ? text : text.slice(0, percent);
  let gap = -1;
  let bytes = 0;
  if (rest.startsWith('::')) {
    gap = 0;
    rest = rest.slice(2);
    if (rest === '') return undefined;
  }
  while (bytes < 16) {
    const digits = /^[0-9a-fA-F]*/.exec(rest)?.[0].length ?? 0;
    if (digits > 4) return { message: 'each group must have 4 or less digits', at: rest };
    if (digits === 0)
      return { message: 'each colon-separated field must have at least one digit', at: rest };
    if (rest[digits] === '.') {
      if (gap < 0 && bytes !== 12)
        return {
          message: 'embedded IPv4 address must replace the final 2 fields of the address',
          at: rest,
        };
      if (bytes + 4 > 16)
        return {
          message: 'too many hex fields to fit an embedded IPv4 at the end of the address',
          at: rest,
        };
      const problem = ipv4Problem(rest);
      if (problem !== undefined) return problem;
      rest = '';
      bytes += 4;
      break;
    }
    bytes += 2;
    rest = rest.slice(digits);
    if (rest === '') break;
    if (rest[0] !== ':') return { message: 'unexpected character, want colon', at: rest };
    if (rest.length === 1)
      return { message: 'colon must be followed by more characters', at: rest };
    rest = rest.slice(1);
    if (rest[0] === ':') {
      if (gap >= 0) return { message: 'multiple :: in address', at: rest };
      gap = bytes;
      rest = rest.slice(1);
      if (rest === '') break;
    }
  }
  if (rest !== '') return { message: 'trailing garbage after address', at: rest };
  if (bytes < 16) return gap < 0 ? { message: 'address string too short' } : undefined;
  return gap < 0 ? undefined : { message: 'the :: must expand to at least one field of zeros' };
};
