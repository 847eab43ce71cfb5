/** Sends one request over TLS, byte for byte, and parses the response. */
import { type ConnectionOptions, connect } from 'node:tls';

export interface RawAnswer {
  /** Absent if the connection ended without a response. */
  readonly status: number | undefined;
  /** Values in order, by lower-case name. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: string;
  /** All received bytes as latin1. */
  readonly raw: string;
}

export interface RawServer {
  readonly port: number;
  readonly authorityPem: string;
  readonly tls?: ConnectionOptions;
}

/** Sends the bytes (one character each) and reads until the server closes. */
export const rawExchange = (server: RawServer, request: string | Uint8Array): Promise<RawAnswer> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect({
      host: '127.0.0.1',
      port: server.port,
      servername: 'localhost',
      ca: server.authorityPem,
      ALPNProtocols: ['http/1.1'],
      ...server.tls,
    });
    socket.on('secureConnect', () => {
      socket.write(typeof request === 'string' ? Buffer.from(request, 'latin1') : request);
    });
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve(parseAnswer(Buffer.concat(chunks))));
  });

const parseAnswer = (bytes: Buffer): RawAnswer => {
  const end = bytes.indexOf('\r\n\r\n');
  const head = bytes.subarray(0, Math.max(end, 0)).toString('latin1');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()]);
  }
  const rest = bytes.subarray(end + 4);
  const isChunked = headers.get('transfer-encoding')?.includes('chunked') === true;
  const status = Number(statusLine.split(' ')[1] ?? Number.NaN);
  return {
    status: Number.isNaN(status) ? undefined : status,
    headers,
    body: (isChunked ? unchunked(rest) : rest).toString('utf8'),
    raw: bytes.toString('latin1'),
  };
};

/** Concatenates the chunks of a body; an incomplete chunk is omitted. */
const unchunked = (bytes: Buffer): Buffer => {
  const pieces: Buffer[] = [];
  let place = 0;
  for (;;) {
    const line = bytes.indexOf('\r\n', place);
    const size = line < 0 ? 0 : Number.parseInt(bytes.subarray(place, line).toString('latin1'), 16);
    if (!(size > 0)) return Buffer.concat(pieces);
    pieces.push(bytes.subarray(line + 2, line + 2 + size));
    place = line + 2 + size + 2;
  }
};
