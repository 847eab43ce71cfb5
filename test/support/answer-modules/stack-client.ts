/** Sends the requests of cases as Go's client does, and reads the responses. */
import { connect as connectHttp2 } from 'node:http2';
import type { RunningServer } from '../../../engine/src/server/server.ts';
import { rawExchange } from '../raw-exchange.ts';
import { type HeaderPairs, wireText } from './header-fields.ts';

export interface StackRequest {
  readonly method: string;
  readonly target: string;
  readonly headers?: HeaderPairs | null;
  readonly body?: string;
  readonly clientCert?: { readonly cert: string; readonly key: string };
  readonly http2?: boolean;
  /** `{{PAD}}` in the body is replaced with this many letters. */
  readonly pad?: number;
}

interface WireAnswer {
  readonly status: number;
  readonly headers: HeaderPairs;
  readonly body: Buffer;
}

export interface ShownAnswer {
  readonly status: number;
  readonly headers: HeaderPairs;
  readonly protocol?: string;
  readonly body?: string;
  readonly bodyBytes?: number;
}

export const sendRequest = async (
  server: RunningServer,
  request: StackRequest,
): Promise<ShownAnswer> => {
  const { status, headers, body } = await (request.http2 === true
    ? sendHttp2(server, request)
    : sendHttp1(server, request));
  return {
    ...shownBody(body),
    headers: headers
      .filter(([name]) => !left.has(name))
      .toSorted(([one], [other]) => (one < other ? -1 : Number(one > other))),
    ...(request.http2 === true ? { protocol: 'HTTP/2.0' } : {}),
    status,
  };
};

const left = new Set(['Audit-Id', 'Connection', 'Content-Length', 'Date']);

/** Times and ports differ between runs. */
const shownBody = (body: Buffer): Pick<ShownAnswer, 'body' | 'bodyBytes'> => {
  if (body.includes(0)) return { bodyBytes: body.length };
  return {
    body: body
      .toString('utf8')
      .replaceAll(/(creationTimestamp"?: ?)"[0-9TZ:.-]+"/g, '$1"<now>"')
      .replaceAll(/"time":"[0-9TZ:.-]+"/g, '"time":"<now>"')
      .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT'),
  };
};

const bodyOf = ({ body = '', pad = 0 }: StackRequest): Buffer =>
  Buffer.from(body.replace('{{PAD}}', 'x'.repeat(pad)));

const userAgent = 'Go-http-client';

/** Go's client does not wait for 100-continue. */
const isSent = ([name, value]: HeaderPairs[number]): boolean =>
  name.toLowerCase() !== 'expect' || value.toLowerCase() !== '100-continue';

/** Escapes a path that is not properly escaped; the query stays unchanged. */
const requestUri = (target: string): string => {
  const [sent = ''] = target.split('#', 1);
  const [path = ''] = sent.split('?', 1);
  if (/^[\w.~!$&'()*+,;=:@[\]%/-]*$/.test(path)) return sent;
  const escaped = Buffer.from(path)
    .toString('latin1')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(
      /[^\w.~$&+,/:;=@-]/g,
      (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    );
  return escaped + sent.slice(path.length);
};

const sendHttp1 = async (server: RunningServer, request: StackRequest): Promise<WireAnswer> => {
  const { method, target, clientCert } = request;
  const headers = request.headers ?? [];
  const body = bodyOf(request);
  const bodyless = ['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method) && body.length === 0;
  const agent = headers.some(([name]) => name.toLowerCase() === 'user-agent')
    ? []
    : [`User-Agent: ${userAgent}/1.1`];
  const head = [
    `${method} ${requestUri(target)} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...agent,
    ...(bodyless ? [] : [`Content-Length: ${body.length}`]),
    ...headers.filter(isSent).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  const answer = await rawExchange(
    {
      port: server.port,
      authorityPem: server.authorityPem ?? '',
      ...(clientCert === undefined ? {} : { tls: clientCert }),
    },
    Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]),
  );
  return {
    status: answer.status ?? 0,
    headers: [...answer.headers].flatMap(([name, values]) =>
      values.map((value) => [canonical(name), value] as const),
    ),
    body: Buffer.from(answer.raw.slice(answer.raw.indexOf('\r\n\r\n') + 4), 'latin1'),
  };
};

const sendHttp2 = (server: RunningServer, request: StackRequest): Promise<WireAnswer> =>
  new Promise((resolve, reject) => {
    const { method, target, clientCert } = request;
    const headers = request.headers ?? [];
    const session = connectHttp2(server.url, {
      ca: server.authorityPem ?? '',
      servername: 'localhost',
      ...clientCert,
    });
    session.on('error', reject);
    const fields: Record<string, string | string[]> = {
      'user-agent': `${userAgent}/2.0`,
      ':method': method,
      ':path': wireText(requestUri(target)),
    };
    for (const [name, text] of headers) {
      const value = wireText(text);
      const before = fields[name.toLowerCase()];
      fields[name.toLowerCase()] = before === undefined ? value : [before, value].flat();
    }
    const body = bodyOf(request);
    const stream = session.request(fields, { endStream: body.length === 0 });
    const chunks: Buffer[] = [];
    let status = 0;
    let answered: readonly (readonly [string, string])[] = [];
    stream.on('response', (received) => {
      status = Number(received[':status']);
      answered = Object.entries(received)
        .filter(([name]) => !name.startsWith(':'))
        .flatMap(([name, value]) =>
          [value].flat().map((one) => [canonical(name), String(one)] as const),
        );
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', reject);
    stream.on('end', () => {
      session.close();
      resolve({ status, headers: answered, body: Buffer.concat(chunks) });
    });
    if (body.length > 0) stream.end(body);
  });

const canonical = (name: string): string =>
  name.replaceAll(
    /(^|-)([a-z])/g,
    (_, dash: string, letter: string) => dash + letter.toUpperCase(),
  );
