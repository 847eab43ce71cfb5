/** Go's `encoding/json`: how it matches names to struct fields, and its type errors. */
/**
 * Folds a name so that two names of the same field are equal: ASCII letters ignore case, as do the
 * two letters beyond ASCII that fold to ASCII (long s and the Kelvin sign).
 */
export const foldName = (name: string): string =>
  unfolded.test(name)
    ? name.replaceAll('\u017f', 's').replaceAll('\u212a', 'k').replace(/[A-Z]/g, lower)
    : name;

const unfolded = /[A-Z\u017f\u212a]/;

const lower = (letter: string): string => letter.toLowerCase();

/**
 * Returns Go's name for the kind of a value: `number`, `bool`, `string`, `array`, `object`, `null`.
 */
export const goKindOfValue = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'boolean' ? 'bool' : type;
};

/** `json: cannot unmarshal number into Go value of type string` */
export const goTypeError = (kind: string, type: string): string =>
  `json: cannot unmarshal ${kind} into Go value of type ${type}`;

/** `json: cannot unmarshal number into Go struct field idToken.sub of type string` */
export const goFieldTypeError = (kind: string, field: string, type: string): string =>
  `json: cannot unmarshal ${kind} into Go struct field ${field} of type ${type}`;

const htmlCharacters = /[<>&\u2028\u2029]/g;

/** Escapes the characters with a meaning in HTML, like Go's `json.HTMLEscape`. */
export const htmlEscapeJson = (text: string): string =>
  text.replace(htmlCharacters, escapeCharacter);

/** Encodes a string as JSON like Go, which also escapes the characters with a meaning in HTML. */
export const goJsonString = (text: string): string =>
  htmlEscapeJson(JSON.stringify(text.toWellFormed()));

const escapeCharacter = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Removes white space between values, like Go's `json.Compact`. */
export const compactJson = (text: string): string => {
  let compact = '';
  let at = 0;
  while (at < text.length) {
    const start = text.indexOf('"', at);
    const end = start < 0 ? text.length : endOfString(text, start);
    compact += text.slice(at, start < 0 ? end : start).replaceAll(/[ \t\r\n]+/g, '');
    if (start >= 0) compact += text.slice(start, end);
    at = end;
  }
  return compact;
};

const endOfString = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
};
