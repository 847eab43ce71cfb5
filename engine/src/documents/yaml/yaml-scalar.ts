/**
 * Resolves YAML scalars like kube-apiserver's loader: YAML 1.1 words for booleans and null, Go's
 * integer formats, floats, and strings for the rest. Dates are strings; base 60 numbers do not
 * exist.
 */

export type ScalarValue =
  | { readonly kind: 'null' }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'int'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'string'; readonly text: string };

export type ScalarReading =
  | { readonly ok: true; readonly value: ScalarValue }
  /** The message is the loader's. */
  | { readonly ok: false; readonly problem: string };

const tagPrefix = 'tag:yaml.org,2002:';
const typeTags: ReadonlySet<string> = new Set(
  ['str', 'bool', 'int', 'float', 'null', 'timestamp'].map((name) => tagPrefix + name),
);

/** Resolves a scalar by its text or its tag. */
export const readScalar = (text: string, tag: string): ScalarReading => {
  if (tag === '') return resolved(readPlain(text));
  if (tag === `${tagPrefix}binary`) return readBinary(text);
  if (!typeTags.has(tag)) return resolved({ kind: 'string', text });
  const expected = tag.slice(tagPrefix.length);
  if (expected === 'str') return resolved({ kind: 'string', text });
  if (expected === 'timestamp' && isTimestamp(text)) return resolved({ kind: 'string', text });
  const value = readPlain(text);
  const actual = tagName(value);
  if (expected === actual) return resolved(value);
  if (expected === 'float' && value.kind === 'int' && value.value <= largestInt)
    return resolved({ kind: 'float', value: Number(value.value) });
  return { ok: false, problem: `cannot decode !!${actual} \`${text}\` as a !!${expected}` };
};

const resolved = (value: ScalarValue): ScalarReading => ({ ok: true, value });

const tagName = (value: ScalarValue): string => (value.kind === 'string' ? 'str' : value.kind);

const wordValues: readonly (readonly [words: string, ScalarValue])[] = [
  ['y Y yes Yes YES true True TRUE on On ON', { kind: 'bool', value: true }],
  ['n N no No NO false False FALSE off Off OFF', { kind: 'bool', value: false }],
  ['~ null Null NULL', { kind: 'null' }],
  ['.nan .NaN .NAN', { kind: 'float', value: Number.NaN }],
  ['.inf .Inf .INF +.inf +.Inf +.INF', { kind: 'float', value: Number.POSITIVE_INFINITY }],
  ['-.inf -.Inf -.INF', { kind: 'float', value: Number.NEGATIVE_INFINITY }],
];

const resolveMap: ReadonlyMap<string, ScalarValue> = new Map([
  ['', { kind: 'null' }],
  ...wordValues.flatMap(([words, value]) =>
    words.split(' ').map((word): [string, ScalarValue] => [word, value]),
  ),
]);

const longestWord = Math.max(...Array.from(resolveMap.keys(), (word) => word.length));

const readPlain = (text: string): ScalarValue => {
  const word = text.length <= longestWord ? resolveMap.get(text) : undefined;
  if (word !== undefined) return { ...word };
  if (!startsLikeNumber(text.charCodeAt(0))) return { kind: 'string', text };
  if (text.startsWith('.')) return readFloat(text, text) ?? { kind: 'string', text };
  const plain = text.replaceAll('_', '');
  return readInt(plain) ?? readFloat(plain, plain) ?? { kind: 'string', text };
};

/** Returns whether a letter is a digit, a sign or a point. */
const startsLikeNumber = (unit: number): boolean =>
  (unit >= 0x30 && unit <= 0x39) || unit === 0x2b || unit === 0x2d || unit === 0x2e;

const largestInt = 2n ** 63n - 1n;
const largestUint = 2n ** 64n - 1n;

/** Parses Go's base-0 integers: `0x`, `0o`, `0b`, a leading zero for octal, a sign. */
const readInt = (plain: string): ScalarValue | undefined => {
  const match = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/.exec(
    plain,
  );
  if (match === null) return undefined;
  const [, sign, hex, binary, octal, decimal] = match;
  const magnitude = BigInt(
    hex !== undefined
      ? `0x${hex}`
      : binary !== undefined
        ? `0b${binary}`
        : octal !== undefined
          ? `0o${octal}`
          : (decimal ?? '0'),
  );
  const value = sign === '-' ? -magnitude : magnitude;
  // An unsigned number has no sign, not even a plus.
  const fits = value >= -largestInt - 1n && value <= (sign === '' ? largestUint : largestInt);
  return fits ? { kind: 'int', value } : undefined;
};

const readFloat = (plain: string, digits: string): ScalarValue | undefined => {
  if (!/^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/.test(digits)) return undefined;
  const value = Number(plain);
  return Number.isFinite(value) ? { kind: 'float', value } : undefined;
};

const readBinary = (text: string): ScalarReading => {
  const packed = text.replace(/[\r\n]/g, '');
  const wellFormed = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
  if (!wellFormed.test(packed))
    return { ok: false, problem: '!!binary value contains invalid base64 data' };
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  return resolved({ kind: 'string', text: new TextDecoder().decode(bytes) });
};

/**
 * Returns true for `2006-1-2`, optionally with a time after `T`, `t` or a space; `T` and `t`
 * require a zone.
 */
const isTimestamp = (text: string): boolean => {
  const match =
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[-+]\d{2}:\d{2})| +(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?)?$/.exec(
      text,
    );
  if (match === null) return false;
  const [year = 0, month = 0, day = 0] = match.slice(1, 4).map(Number);
  const [hour = 0, minute = 0, second = 0] = match.slice(4).filter(Boolean).map(Number);
  const inMonth = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= inMonth &&
    hour < 24 &&
    minute < 60 &&
    second < 60
  );
};
