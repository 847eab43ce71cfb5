/** Types of the part of `net.mjs` that tests in TypeScript use. */
import type { TLSSocket } from 'node:tls';

export interface Target {
  readonly host: string;
  readonly port: number;
  /** PEM. */
  readonly ca: string | Buffer;
}
export interface ExchangeOptions {
  readonly cert?: string;
  readonly key?: string;
  readonly alpn?: readonly string[];
  readonly timeout?: number;
  readonly wantSecond?: boolean;
}
export interface Exchanged {
  /** 0 where no reply came. */
  readonly status: number;
  readonly body: string;
  readonly head?: readonly string[];
  readonly handshake: boolean;
  readonly closed?: boolean;
  readonly timeout?: boolean;
  readonly second?: { readonly status: number; readonly body: string } | null;
  readonly ms: number;
}
export function connect(target: Target, options?: ExchangeOptions): Promise<TLSSocket>;
export function exchange(
  target: Target,
  bytes: Buffer,
  options?: ExchangeOptions,
): Promise<Exchanged>;
