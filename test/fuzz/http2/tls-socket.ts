/**
 * A socket after a TLS handshake, without a network: bytes are delivered at once, and what is sent
 * is recorded.
 */
import { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';

export class RecordingSocket extends Duplex {
  readonly alpnProtocol = 'h2';
  readonly #written: Buffer[] = [];

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#written.push(chunk);
    done();
  }

  /** Everything that the server sent. */
  get written(): Buffer {
    return Buffer.concat(this.#written);
  }

  /** The connection uses only these members of a TLS socket. */
  asTlsSocket(): TLSSocket {
    return this as unknown as TLSSocket;
  }

  getProtocol(): string {
    return 'TLSv1.3';
  }

  setTimeout(): this {
    return this;
  }
}
