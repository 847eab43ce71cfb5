/**
 * Node's own quick ways between text and bytes, where there is a Node: `undefined` in a browser.
 * Found at run time, for this room runs anywhere. Around a signature check they cost a third of what
 * the ways of the web cost.
 */

/** Memory with Node's methods. Callers know what each of them takes for granted. */
export interface HostBuffer extends Uint8Array {
  /** Bytes written. Takes both alphabets, skips what is in neither, looks at the low byte only. */
  base64urlWrite(text: string): number;
  /** Bytes written. */
  utf8Write(text: string): number;
  subarray(start: number, end: number): HostBuffer;
}

/** A view of such memory: one character for each byte. */
interface HostView {
  latin1Slice(start: number, end: number): string;
}

/** Memory of its own, or `undefined` where the host has no such thing. */
export const allocateHostBuffer = (size: number): HostBuffer | undefined => {
  const memory: unknown = isAllocator(host) ? host.allocUnsafeSlow(size) : undefined;
  return isHostBuffer(memory) ? memory : undefined;
};

/** Text of bytes below 0x80; `undefined` where the bytes are in no memory of the host's kind. */
export const decodeAscii = (bytes: Uint8Array): string | undefined =>
  isHostView(bytes) ? bytes.latin1Slice(0, bytes.length) : undefined;

/** Length of the text in UTF-8; `undefined` where the host does not say. */
export const utf8Length = (text: string): number | undefined =>
  isAllocator(host) ? host.byteLength(text) : undefined;

interface Allocator {
  allocUnsafeSlow(size: number): unknown;
  byteLength(text: string): number;
}

const host: unknown = Reflect.get(globalThis, 'Buffer');

const isAllocator = (value: unknown): value is Allocator =>
  typeof value === 'function' && 'allocUnsafeSlow' in value && 'byteLength' in value;

const isHostBuffer = (value: unknown): value is HostBuffer =>
  value instanceof Uint8Array &&
  'base64urlWrite' in value &&
  typeof value.base64urlWrite === 'function' &&
  'utf8Write' in value &&
  typeof value.utf8Write === 'function';

const isHostView = (value: object): value is HostView =>
  'latin1Slice' in value && typeof value.latin1Slice === 'function';
