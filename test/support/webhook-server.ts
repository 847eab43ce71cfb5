/** A webhook on loopback over TLS: it answers according to a script and records requests. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import { type TestAuthority, testAuthority } from './certificates.ts';
import { listenOnLoopback } from './loopback-server.ts';

export interface ScriptedResponse {
  readonly status?: number;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Uint8Array;
  /** Closes the connection without a response. */
  readonly drop?: boolean;
  readonly delayMs?: number;
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Common name of the client's certificate; empty if it sent none. */
  readonly commonName: string;
}

export interface WebhookServer {
  /** `https://127.0.0.1:12345` */
  readonly url: string;
  readonly authority: TestAuthority;
  readonly seen: readonly SeenRequest[];
  close(): Promise<void>;
}

/** Answers the request; `undefined` selects the next reply of the script. */
export type RequestHandler = (
  request: SeenRequest,
  response: ServerResponse,
) => ScriptedResponse | undefined;

export interface WebhookServerOptions {
  /** One for each request; the last repeats. */
  readonly script?: readonly ScriptedResponse[];
  readonly behave?: RequestHandler;
  readonly tls?: ServerOptions;
  readonly names?: readonly string[];
}

const authority = testAuthority('webhook authority');

export const webhookServer = async (options: WebhookServerOptions = {}): Promise<WebhookServer> => {
  const { script = [], behave, names = ['example.com'] } = options;
  const certificate = authority.issue({ names });
  const seen: SeenRequest[] = [];
  const server = createServer(
    { cert: certificate.pem, key: certificate.keyPem, ...options.tls },
    (request, response) => {
      void readBody(request).then((body) => {
        const asked = seenRequest(request, body);
        const scripted = script[Math.min(seen.length, script.length - 1)];
        seen.push(asked);
        answer(response, behave === undefined ? (scripted ?? {}) : behave(asked, response));
      });
    },
  );
  const { port, close } = await listenOnLoopback(server);
  return {
    url: `https://127.0.0.1:${port}`,
    authority,
    seen,
    close,
  };
};

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
};

const seenRequest = (request: IncomingMessage, body: string): SeenRequest => {
  const { socket } = request;
  const peer = 'getPeerCertificate' in socket ? socket.getPeerCertificate : undefined;
  const shown: unknown = typeof peer === 'function' ? Reflect.apply(peer, socket, []) : undefined;
  const subject =
    typeof shown === 'object' && shown !== null && 'subject' in shown ? shown.subject : undefined;
  const name = typeof subject === 'object' && subject !== null && 'CN' in subject ? subject.CN : '';
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body,
    commonName: String(name),
  };
};

const answer = (response: ServerResponse, scripted: ScriptedResponse | undefined): void => {
  if (scripted === undefined) return;
  setTimeout(() => {
    if (scripted.drop === true) {
      response.socket?.destroy();
      return;
    }
    const headers = new Map<string, string>([['content-type', 'application/json']]);
    for (const [name, value] of scripted.headers ?? []) headers.set(name.toLowerCase(), value);
    for (const [name, value] of headers) response.setHeader(name, value);
    response.statusCode = scripted.status || 200;
    response.end(scripted.body ?? '');
  }, scripted.delayMs ?? 0);
};
