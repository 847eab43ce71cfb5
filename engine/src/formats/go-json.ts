/**
 * How the real server's JSON decoder matches names to fields and words its complaints about types.
 */
/**
 * The form in which two names are the same field: ASCII without regard to case, and the two letters
 * beyond ASCII that fold into it (long s, Kelvin sign).
 */
export const foldName = (name: string): string =>
  name.replaceAll('\u017f', 's').replaceAll('\u212a', 'k').replace(/[A-Z]/g, lower);

const lower = (letter: string): string => letter.toLowerCase();

/** What the decoder calls a value: `number`, `bool`, `string`, `array`, `object`, `null`. */
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
