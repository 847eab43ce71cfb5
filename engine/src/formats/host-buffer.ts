/**
 * Node.js' native conversions between strings and bytes, which are `undefined` in a browser. They
 * are looked up at run time, because this folder must not depend on Node.js. For verifying a
 * signature they take a third of the time of the web APIs.
 */

/** A buffer with Node.js' methods; callers must meet the preconditions of each. */
export interface HostBuffer extends Uint8Array {
  /**
   * Decodes base64 and returns the number of bytes. It accepts both alphabets, skips characters of
   * neither, and uses only the low byte of each character.
   */
  base64urlWrite(text: string): number;
}

/** A buffer that decodes one character for each byte. */
interface HostView {
  latin1Slice(start: number, end: number): string;
}

/**
 * Allocates a buffer whose bytes are not initialized, or returns `undefined` without Node.js. Small
 * ones are parts of a larger allocation.
 */
export const allocateHostBuffer = (size: number): HostBuffer | undefined => {
  const memory: unknown = isAllocator(host) ? host.allocUnsafe(size) : undefined;
  return isHostBuffer(memory) ? memory : undefined;
};

/** Decodes bytes below 0x80; returns `undefined` if the array is not a buffer of Node.js. */
export const decodeAscii = (bytes: Uint8Array): string | undefined =>
  isHostView(bytes) ? bytes.latin1Slice(0, bytes.length) : undefined;

/** Returns the length of a string in UTF-8, or `undefined` without Node.js. */
export const utf8Length = (text: string): number | undefined =>
  isAllocator(host) ? host.byteLength(text) : undefined;

interface Allocator {
  allocUnsafe(size: number): unknown;
  byteLength(text: string): number;
}

const host: unknown = Reflect.get(globalThis, 'Buffer');

const isAllocator = (value: unknown): value is Allocator =>
  typeof value === 'function' && 'allocUnsafe' in value && 'byteLength' in value;

const isHostBuffer = (value: unknown): value is HostBuffer =>
  value instanceof Uint8Array &&
  'base64urlWrite' in value &&
  typeof value.base64urlWrite === 'function';

const isHostView = (value: object): value is HostView =>
  'latin1Slice' in value && typeof value.latin1Slice === 'function';
