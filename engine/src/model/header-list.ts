/**
 * The headers of a request exactly as received: a list in order, with duplicates. Node's joined
 * headers are not used, because joining, dropping and decoding values can turn one identity into
 * another.
 */

export interface HeaderField {
  /** The name as sent; compare it with `isNamed`. */
  readonly name: string;
  /** The value with one character per byte; `textOfLatin1` decodes it as UTF-8. */
  readonly value: string;
}

export type HeaderList = readonly HeaderField[];

/** Converts alternating names and values (`rawHeaders`) to a list without HTTP/2 pseudo-headers. */
export const headerList = (raw: readonly string[]): HeaderList => {
  const fields: HeaderField[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? '';
    if (!name.startsWith(':')) fields.push({ name, value: raw[index + 1] ?? '' });
  }
  return fields;
};

/** Lower-cases ASCII letters only, so that the Kelvin sign does not become `k`. */
const lower = (name: string): string =>
  /[A-Z]/.test(name) ? name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : name;

/** Returns true if the header has the name, ignoring case. */
export const isNamed = (field: HeaderField, lowerName: string): boolean =>
  field.name === lowerName ||
  (field.name.length === lowerName.length && lower(field.name) === lowerName);

/** Returns the value of the first header of the name; `undefined` if there is none. */
export const firstHeader = (list: HeaderList, lowerName: string): string | undefined => {
  for (const field of list) if (isNamed(field, lowerName)) return field.value;
  return undefined;
};

/** Returns all values of the name, in order. */
export const allHeaders = (list: HeaderList, lowerName: string): readonly string[] =>
  list.filter((field) => isNamed(field, lowerName)).map(({ value }) => value);

/**
 * Returns the headers whose names start with the prefix, with the rest of the name in lower case,
 * in order.
 */
export const headersWithPrefix = (
  list: HeaderList,
  lowerPrefix: string,
): readonly { readonly rest: string; readonly value: string }[] =>
  list.flatMap(({ name, value }) => {
    const lowerName = lower(name);
    return lowerName.startsWith(lowerPrefix)
      ? [{ rest: lowerName.slice(lowerPrefix.length), value }]
      : [];
  });

const credentialNames = new Set([
  'authorization',
  'x-remote-user',
  'x-remote-uid',
  'x-remote-group',
]);
const credentialPrefix = 'x-remote-extra-';

/** Removes credentials and proxy headers; the result is passed on after authentication. */
export const withoutCredentials = (list: HeaderList): HeaderList =>
  list.filter(({ name }) => {
    const lowerName = lower(name);
    return !credentialNames.has(lowerName) && !lowerName.startsWith(credentialPrefix);
  });
