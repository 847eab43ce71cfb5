/** Exchanges over HTTP/2, on one connection for each certificate, as clients reuse them. */
import type { Field } from '../support/hpack-reader.ts';
import {
  dataFrames,
  headersFrame,
  requestFields,
  settingIds,
  windowUpdate,
} from '../support/http2-frames.ts';
import type { RawAnswer, RawServer } from '../support/raw-exchange.ts';
import { openRaw, type RawHttp2, type RawOptions } from '../support/raw-http2.ts';
import type { ClientCertificate } from './credentials.ts';
import type { RequestParts } from './exchange.ts';

export interface Http2Request extends RequestParts {
  readonly scheme: 'https' | 'http';
}

export interface Http2Answer extends RawAnswer {
  /** True if the server has sent GOAWAY. */
  readonly isAskedToGo: boolean;
}

/** The window of a client that accepts everything. */
const widest = 2 ** 31 - 1;
const firstWindow = 65_535;

interface OpenConnection {
  readonly client: RawHttp2;
  nextStream: number;
}

/** The HTTP/2 clients of one server. */
export class Http2Clients {
  readonly #server: RawServer;
  readonly #connections = new Map<ClientCertificate | undefined, OpenConnection>();

  constructor(server: RawServer) {
    this.#server = server;
  }

  async ask(request: Http2Request, certificate: ClientCertificate | undefined) {
    const connection = await this.#open(certificate);
    const stream = connection.nextStream;
    connection.nextStream += 2;
    const { client } = connection;
    const { body } = request;
    const more = body.length > 0;
    client.send(headersFrame(stream, fieldsOf(request), { more }), ...dataFrames(stream, body));
    await client.answer(stream);
    // Frames that follow the response arrive before the PING ACK, or the connection has ended.
    await client.alive().catch(() => undefined);
    const answer = answerOf(client, stream);
    if (answer.isAskedToGo || client.isClosed) this.#connections.delete(certificate);
    if (answer.isAskedToGo) client.close();
    return answer;
  }

  close(): void {
    for (const { client } of this.#connections.values()) client.close();
  }

  async #open(certificate: ClientCertificate | undefined): Promise<OpenConnection> {
    const before = this.#connections.get(certificate);
    if (before !== undefined) return before;
    const options: RawOptions = {
      waitMs: 60_000,
      settings: [[settingIds.initialWindowSize, widest]],
      ...(certificate === undefined ? {} : { tls: certificate }),
    };
    const connection = { client: await openRaw(this.#server, options), nextStream: 1 };
    connection.client.send(windowUpdate(0, widest - firstWindow));
    this.#connections.set(certificate, connection);
    return connection;
  }
}

const fieldsOf = ({ method, path, headers, body, scheme }: Http2Request): readonly Field[] => {
  const own = headers.map((line): Field => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)];
  });
  const length: readonly Field[] = body.length > 0 ? [['content-length', `${body.length}`]] : [];
  return requestFields({ method, path, fields: [...own, ...length] }).map(
    (field): Field => (field[0] === ':scheme' ? [':scheme', scheme] : field),
  );
};

const answerOf = (client: RawHttp2, stream: number): Http2Answer => {
  const { status, headerBlocks, body } = client.received(stream);
  const headers = new Map<string, string[]>();
  for (const [name, value] of headerBlocks.at(-1) ?? []) {
    headers.set(name, [...(headers.get(name) ?? []), value]);
  }
  const isAskedToGo = client.connectionEnd().goaways.length > 0;
  return { status, headers, body, raw: body, isAskedToGo };
};
