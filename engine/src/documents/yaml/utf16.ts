/**
 * Decodes UTF-16 with a byte order mark like kube-apiserver's YAML loader, with its error messages.
 */

export type Utf16Reading =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'broken';
      /** The text, with U+FFFD in place of invalid units. */
      readonly text: string;
      readonly problem: string;
      /** Offset of the invalid character in the text. */
      readonly offset: number;
    };

/** Returns `undefined` if there is no byte order mark. The text retains the mark. */
export const readUtf16 = (bytes: Uint8Array): Utf16Reading | undefined => {
  const encoding = encodingOf(bytes);
  if (encoding === undefined) return undefined;
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const unitAt = (at: number): number | undefined =>
    at + 1 < bytes.length ? view.getUint16(at, encoding === 'utf-16le') : undefined;
  for (let at = 0; at < bytes.length; at += 2) {
    const problem = problemAt(at, unitAt);
    if (problem !== undefined) return { kind: 'broken', text, problem, offset: at / 2 };
    if (isHigh(unitAt(at))) at += 2;
  }
  return { kind: 'text', text };
};

const encodingOf = ([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined => {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
};

const problemAt = (at: number, unitAt: (at: number) => number | undefined): string | undefined => {
  const unit = unitAt(at);
  if (unit === undefined) return 'incomplete UTF-16 character';
  if (isLow(unit)) return 'unexpected low surrogate area';
  if (!isHigh(unit)) return undefined;
  const next = unitAt(at + 2);
  if (next === undefined) return 'incomplete UTF-16 surrogate pair';
  return isLow(next) ? undefined : 'expected low surrogate area';
};

const isHigh = (unit = 0): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
