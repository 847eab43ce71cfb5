/** A socket of a finished TLS handshake without a network: bytes go in at once, and what leaves is recorded. */
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

  /** The connection uses what is here, and no more of a TLS socket. */
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
