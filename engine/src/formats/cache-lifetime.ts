/**
 * Computes how long an HTTP response may be cached, like the Go library that kube-apiserver uses:
 * `s-maxage`, else `max-age`, else `Expires` minus `Date`, else a tenth of the age since
 * `Last-Modified`, at most a day. `no-store` and `no-cache` are parsed but have no effect.
 */

export interface CacheHeaders {
  /** Returns the first value of a header by its lowercase name. */
  get(name: string): string | undefined;
}

/**
 * Returns milliseconds from `now` (since 1970), or 0 if the response may not be cached or its
 * headers are malformed.
 */
export const cacheLifetimeMs = (headers: CacheHeaders, now: number): number => {
  const directives = readCacheControl(headers.get('cache-control') ?? '');
  if (directives === undefined) return 0;
  const date = readHttpDate(headers.get('date'));
  const lastModified = readHttpDate(headers.get('last-modified'));
  if (date === 'broken' || lastModified === 'broken') return 0;
  const seconds = directives.sharedMaxAge ?? directives.maxAge;
  if (seconds !== undefined) return seconds * 1000;
  const expires = readHttpDate(headers.get('expires'));
  if (typeof expires === 'number') return Math.max(0, expires - (date ?? now));
  if (lastModified === undefined) return 0;
  return Math.max(0, Math.min((now - lastModified) / 10, dayMs));
};

const dayMs = 86_400_000;

interface Directives {
  maxAge?: number;
  sharedMaxAge?: number;
}

const separators = new Set('()<>@,;:\\"/[]?={} \t');

const isTokenCharacter = (character: string): boolean =>
  character > ' ' && character < '\u007f' && !separators.has(character);

/** Directives that have no argument, or need one. The other form invalidates the whole header. */
const directivesWithoutArgument = new Set([
  'must-revalidate',
  'no-store',
  'no-transform',
  'public',
  'proxy-revalidate',
  'immutable',
]);
const directivesWithSeconds = new Set([
  'max-age',
  's-maxage',
  'stale-if-error',
  'stale-while-revalidate',
]);

/** Returns `undefined` for a header that the Go library rejects. */
const readCacheControl = (value: string): Directives | undefined => {
  const directives: Directives = {};
  let at = 0;
  while (at < value.length) {
    const start = value.charAt(at);
    if (start === ' ' || start === '\t' || start === ',') {
      at += 1;
      continue;
    }
    let end = at + 1;
    while (end < value.length && isTokenCharacter(value.charAt(end))) end += 1;
    const name = value.slice(at, end).toLowerCase();
    if (value.charAt(end) !== '=' || end + 1 >= value.length) {
      if (directivesWithSeconds.has(name)) return undefined;
      at = end;
      continue;
    }
    const argument = readArgument(value, end + 1, name);
    if (argument === undefined || !addDirective(directives, name, argument.text)) return undefined;
    at = argument.end;
  }
  return directives;
};

const readArgument = (
  value: string,
  from: number,
  name: string,
): { readonly text: string; readonly end: number } | undefined => {
  if (value.charAt(from) === '"') {
    const end = closingQuote(value, from);
    return end === undefined ? undefined : { text: value.slice(from + 1, end), end: end + 1 };
  }
  const takesFields = name === 'no-cache' || name === 'private';
  let end = from;
  while (end < value.length && !(takesFields ? /[ \t]/ : /[ \t,]/).test(value.charAt(end)))
    end += 1;
  return { text: value.slice(from, end).replace(/,$/, ''), end };
};

const closingQuote = (value: string, from: number): number | undefined => {
  for (let at = from + 1; at < value.length; at += 1) {
    if (value.charAt(at) === '"') return at;
    if (value.charAt(at) === '\\') at += 1;
  }
  return undefined;
};

/** Returns false if the argument invalidates the header. */
const addDirective = (directives: Directives, name: string, argument: string): boolean => {
  if (directivesWithoutArgument.has(name)) return false;
  if (!directivesWithSeconds.has(name)) return true;
  if (!/^[0-9]+$/.test(argument)) return false;
  const seconds = Math.min(Number(argument), 2 ** 31 - 1);
  if (name === 'max-age') directives.maxAge = seconds;
  if (name === 's-maxage') directives.sharedMaxAge = seconds;
  return true;
};

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Parses the three date formats of RFC 9110, 5.6.7, to milliseconds since 1970. */
const readHttpDate = (text: string | undefined): number | 'broken' | undefined => {
  if (text === undefined || text === '') return undefined;
  const parts =
    /^(?<name>[A-Za-z]{3}), (?<day>\d{2}) (?<month>[A-Za-z]{3}) (?<year>\d{4}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/.exec(
      text,
    ) ??
    /^(?<name>[A-Za-z]{4,}), (?<day>\d{2})-(?<month>[A-Za-z]{3})-(?<year>\d{2}) (?<time>\d{2}:\d{2}:\d{2}) [A-Z]{3}$/.exec(
      text,
    ) ??
    /^(?<name>[A-Za-z]{3}) (?<month>[A-Za-z]{3}) (?<day>[ \d]\d) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4})$/.exec(
      text,
    );
  if (parts?.groups === undefined) return 'broken';
  const { name = '', day = '', month = '', year = '', time = '' } = parts.groups;
  const monthIndex = months.indexOf(month.toLowerCase());
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number);
  if (!isWeekday(name.toLowerCase())) return 'broken';
  if (monthIndex < 0 || hour > 23 || minute > 59 || second > 59) return 'broken';
  const fullYear =
    year.length === 4 ? Number(year) : Number(year) + (Number(year) >= 69 ? 1900 : 2000);
  const at = Date.UTC(fullYear, monthIndex, Number(day), hour, minute, second);
  // A day that the month does not have would be a day of the next month.
  return new Date(at).getUTCDate() === Number(day) ? at : 'broken';
};

/** Accepts full names and abbreviations. Whether the weekday matches the date is not checked. */
const isWeekday = (name: string): boolean =>
  weekdays.some((weekday) => weekday === name || weekday.slice(0, 3) === name);
