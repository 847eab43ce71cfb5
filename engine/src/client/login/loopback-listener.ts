/**
 * Receives the redirect of a login on loopback (RFC 8252, section 7.3). Other pages and programs of
 * the machine can send requests here too: only a request for the host and path of the redirect URI
 * with the right `state` is an answer.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { LoginError } from './login-settings.ts';

export interface LoopbackListener {
  /** The redirect URI as it was set, with the port that is in use; issuers compare it exactly. */
  readonly redirectUri: string;
  /** Waits for the redirect; rejects with the reason of the signal. */
  redirect(state: string, signal: AbortSignal): Promise<Redirect>;
  close(): Promise<void>;
}

export interface Redirect {
  readonly url: URL;
  /** Shows the result in the browser; settles once it has been sent. */
  finish(result: 'logged in' | 'failed'): Promise<void>;
}

const loopbackHosts: ReadonlyMap<string, readonly string[]> = new Map([
  ['localhost', ['127.0.0.1', '::1']],
  ['127.0.0.1', ['127.0.0.1']],
  ['[::1]', ['::1']],
]);

/** Returns why the URI cannot be used; `undefined` if it can. */
export const redirectUriProblem = (text: string): string | undefined => {
  const url = URL.parse(text);
  if (url === null) return 'is not a URL';
  if (url.protocol !== 'http:') return 'must start with http://';
  if (!loopbackHosts.has(url.hostname)) return 'must have the host localhost, 127.0.0.1 or [::1]';
  if (url.username !== '' || url.search !== '' || url.hash !== '')
    return 'must have no user, no query and no fragment';
  return undefined;
};

const maxHeaderBytes = 64 * 1024;

/** Listens on all addresses of the host, so that no other program can answer for one of them. */
export const listenForRedirect = async (redirectUri: string): Promise<LoopbackListener> => {
  const url = new URL(redirectUri);
  const [first = '127.0.0.1', ...others] = loopbackHosts.get(url.hostname) ?? [];
  let listener: (request: IncomingMessage, response: ServerResponse) => void = refuse;
  const servers: Server[] = [];
  const listen = async (host: string, port: number): Promise<number> => {
    const server = createServer({ maxHeaderSize: maxHeaderBytes }, (request, response) =>
      listener(request, response),
    );
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    servers.push(server);
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  };
  const close = async (): Promise<void> => {
    for (const server of servers) server.closeAllConnections();
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  };
  try {
    const port = await listen(first, Number(url.port || '80'));
    url.port = String(port);
    for (const host of others) await listen(host, port).catch(ignoreMissingFamily);
  } catch (cause) {
    await close();
    throw listenProblem(cause, url);
  }
  return {
    // A URL has a path even if the text has none.
    redirectUri: url.pathname === '/' && !redirectUri.endsWith('/') ? url.origin : url.href,
    redirect: (state, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        listener = (request, response) => {
          const answered = redirectOf(request, url, state);
          if (answered === undefined) return refuse(request, response);
          listener = refuse;
          resolve({ url: answered, finish: (result) => showResult(response, result) });
        };
      }),
    close,
  };
};

/** A machine without IPv6 has one address less. */
const ignoreMissingFamily = (cause: unknown): void => {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code !== 'EADDRNOTAVAIL' && code !== 'EAFNOSUPPORT') throw cause;
};

const listenProblem = (cause: unknown, { host }: URL): LoginError => {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
  const reason = code === 'EADDRINUSE' ? 'the port is in use' : code;
  return new LoginError(`cannot listen on ${host} for the redirect of the issuer: ${reason}`, {
    help: 'Set another --redirect-uri, which must be registered at the issuer; port 0 selects a free port.',
  });
};

/** Returns the URL of a request that answers the login; `undefined` for all others. */
const redirectOf = (
  { method, url = '', headers }: IncomingMessage,
  redirectUri: URL,
  state: string,
): URL | undefined => {
  // The host is compared because another site can resolve to loopback.
  if (method !== 'GET' || headers.host !== redirectUri.host) return undefined;
  const requested = url.startsWith('/') ? URL.parse(redirectUri.origin + url) : null;
  if (requested === null || requested.pathname !== redirectUri.pathname) return undefined;
  return requested.searchParams.get('state') === state ? requested : undefined;
};

const refuse = (_: IncomingMessage, response: ServerResponse): void => {
  void respond(response, 404, 'This is not the answer to the login that is in progress.');
};

const showResult = (response: ServerResponse, result: 'logged in' | 'failed'): Promise<void> =>
  result === 'logged in'
    ? respond(response, 200, 'You are logged in. You can close this page.')
    : respond(response, 400, 'The login failed: the terminal shows the reason.');

/** Settles once the response has been sent, or its connection has been closed. */
const respond = (response: ServerResponse, status: number, text: string): Promise<void> => {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  return new Promise((resolve) => {
    response.once('close', resolve);
    response.end(`<!doctype html><title>AuthGraph</title><p>${text}</p>\n`, resolve);
  });
};
