/** Cipher suites of TLS 1.2 that are prohibited for HTTP/2 (RFC 9113, 9.2.2 and appendix A). */
import type { TLSSocket } from 'node:tls';

/** True unless the cipher suite has ephemeral keys and authenticated encryption. */
export const hasProhibitedCipher = (socket: TLSSocket): boolean =>
  socket.getProtocol() === 'TLSv1.2' && !isAllowed(socket.getCipher().standardName);

const isAllowed = (name: string): boolean =>
  /^TLS_(?:ECDHE|DHE)_\w+_(?:GCM|CHACHA20_POLY1305|CCM)(?:_|$)/.test(name);
