/** Parses times on the command line. */

/** Converts an RFC 3339 time to milliseconds since 1970; `undefined` for anything else. */
export const parseRfc3339 = (text: string): number | undefined => {
  if (!/^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/.test(text))
    return undefined;
  const time = Date.parse(text.toUpperCase());
  return Number.isNaN(time) ? undefined : time;
};
