/**
 * The header fields of a request exactly as they came: a list, in order, repeats and all. Node's
 * joined headers are never looked at, because joining, dropping and decoding have turned one
 * identity into another.
 */

export interface HeaderField {
  /** As sent; compare with `isNamed`. */
  readonly name: string;
  /** One character a byte; `textOfLatin1` reads them as UTF-8. */
  readonly value: string;
}

export type HeaderList = readonly HeaderField[];

/** Name and value in turn (`rawHeaders`) to fields; HTTP/2 pseudo fields are left out. */
export const headerList = (raw: readonly string[]): HeaderList => {
  const fields: HeaderField[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? '';
    if (!name.startsWith(':')) fields.push({ name, value: raw[index + 1] ?? '' });
  }
  return fields;
};

/** ASCII case only: no Unicode folding makes `K` of the Kelvin sign. */
const lower = (name: string): string =>
  /[A-Z]/.test(name) ? name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : name;

/** Is it a field of the name, in any case? */
export const isNamed = (field: HeaderField, lowerName: string): boolean =>
  field.name === lowerName ||
  (field.name.length === lowerName.length && lower(field.name) === lowerName);

/** The first field of the name; `undefined` when there is none. */
export const firstHeader = (list: HeaderList, lowerName: string): string | undefined => {
  for (const field of list) if (isNamed(field, lowerName)) return field.value;
  return undefined;
};

/** All values of the name, in order. */
export const allHeaders = (list: HeaderList, lowerName: string): readonly string[] =>
  list.filter((field) => isNamed(field, lowerName)).map(({ value }) => value);

/** The fields whose names begin so, with what follows in lower case, in order. */
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

/** The list that later stages see: no credential and no claim of a proxy is left in it. */
export const withoutCredentials = (list: HeaderList): HeaderList =>
  list.filter(({ name }) => {
    const lowerName = lower(name);
    return !credentialNames.has(lowerName) && !lowerName.startsWith(credentialPrefix);
  });
