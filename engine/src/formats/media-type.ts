/** Reads a Content-Type as the real server's library does, as far as its errors show. */

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * `application/json` of `Application/JSON; charset=utf-8`; `undefined` for what the library refuses,
 * a broken parameter included.
 */
export const mediaTypeOf = (contentType: string): string | undefined => {
  const [type = '', ...parameters] = contentType.split(';');
  const mediaType = type.trim().toLowerCase();
  const parts = mediaType.split('/');
  if (parts.length > 2 || !parts.every((part) => token.test(part))) return undefined;
  // A lone semicolon at the end is forgiven.
  const given = parameters.at(-1)?.trim() === '' ? parameters.slice(0, -1) : parameters;
  const names = new Set<string>();
  for (const parameter of given) {
    const [, name = ''] = /^\s*([^=\s]+)=("(?:[^"\\]|\\.)*"|[^\s"]+)\s*$/.exec(parameter) ?? [];
    if (!token.test(name) || names.has(name.toLowerCase())) return undefined;
    names.add(name.toLowerCase());
  }
  return mediaType;
};
