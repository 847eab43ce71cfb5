/**
 * Synchronous SHA-256 (FIPS 180-4); the browser's own digest is asynchronous. Used for cache keys,
 * not for security.
 */

/** Returns 64 lowercase hexadecimal digits. */
export const sha256Hex = (text: string): string => {
  const blocks = padded(new TextEncoder().encode(text));
  const state = Uint32Array.from(initialState);
  for (let start = 0; start < blocks.byteLength; start += 64) compress(state, blocks, start);
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
};

const padded = (bytes: Uint8Array): DataView => {
  const whole = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  whole.set(bytes);
  whole[bytes.length] = 0x80;
  const view = new DataView(whole.buffer);
  view.setBigUint64(whole.length - 8, BigInt(bytes.length) * 8n);
  return view;
};

const compress = (state: Uint32Array, blocks: DataView, start: number): void => {
  const schedule = new Uint32Array(64);
  const at = (index: number): number => schedule[index] ?? 0;
  for (let index = 0; index < 16; index += 1) {
    schedule[index] = blocks.getUint32(start + index * 4);
  }
  for (let index = 16; index < 64; index += 1) {
    const early = at(index - 15);
    const late = at(index - 2);
    const mixedEarly = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const mixedLate = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[index] = at(index - 16) + mixedEarly + at(index - 7) + mixedLate;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index += 1) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const first =
      (h +
        (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
        choice +
        (roundConstants[index] ?? 0) +
        at(index)) |
      0;
    const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => {
    state[index] = (state[index] ?? 0) + word;
  });
};

const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

const firstPrimes = (count: number): readonly number[] => {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return primes;
};

/** Returns the first 32 bits of the fraction. */
const fraction = (value: number): number => Math.floor((value % 1) * 2 ** 32);

const roundConstants = Uint32Array.from(firstPrimes(64), (prime) => fraction(Math.cbrt(prime)));
const initialState = Uint32Array.from(firstPrimes(8), (prime) => fraction(Math.sqrt(prime)));
