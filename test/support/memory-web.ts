/** A web in memory: issuers publish discovery documents and keys; other pages are configured. */
import type { HttpClient, HttpRequest, HttpResponse } from '../../engine/src/ports/http-client.ts';

export interface Page {
  readonly status?: number;
  readonly body?: string;
  readonly contentType?: string;
  /** When set, any other value of the header is answered 401. */
  readonly authorization?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface MemoryWeb extends HttpClient {
  /** Requested URLs, in order, with repeats. */
  readonly asked: readonly string[];
  publish(url: string, page: Page): void;
  /** Makes further requests to the URL fail as if no process listened. */
  unplug(url: string): void;
  /** Requests wait until `release` is called. */
  hold(): { release(): void };
}

const statusTexts: ReadonlyMap<number, string> = new Map([
  [200, 'OK'],
  [201, 'Created'],
  [204, 'No Content'],
  [301, 'Moved Permanently'],
  [302, 'Found'],
  [304, 'Not Modified'],
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [500, 'Internal Server Error'],
  [502, 'Bad Gateway'],
  [503, 'Service Unavailable'],
]);

/** An empty web: every page is 404. */
export const memoryWeb = (): MemoryWeb => {
  const pages = new Map<string, Page>();
  const unplugged = new Set<string>();
  const asked: string[] = [];
  let gate: Promise<void> | undefined;
  return {
    asked,
    publish(url, page) {
      unplugged.delete(url);
      pages.set(url, page);
    },
    unplug(url) {
      unplugged.add(url);
    },
    hold() {
      let open = () => {};
      gate = new Promise((resolve) => {
        open = resolve;
      });
      return {
        release() {
          gate = undefined;
          open();
        },
      };
    },
    async get(request) {
      const url = onTheWire(request.url);
      asked.push(url);
      if (gate !== undefined) await gate;
      if (unplugged.has(url)) throw new Error('connection refused');
      return answer(request, pages.get(url));
    },
    connect: ({ origin }) => ({
      async send({ path, maxBytes, timeoutMs }) {
        const url = origin + path;
        asked.push(url);
        if (gate !== undefined) await gate;
        if (unplugged.has(url)) throw new Error('connection refused');
        return answer({ url, maxBytes, timeoutMs }, pages.get(url));
      },
      close: () => Promise.resolve(),
    }),
  };
};

/** Encodes characters that are not allowed in URLs as a client does. */
const onTheWire = (url: string): string =>
  url.replace(/[^\u0021-\u007e]|["<>\\^`{|}]/gu, encodeURIComponent);

const answer = (request: HttpRequest, found: Page | undefined): HttpResponse => {
  const page = choosePage(request, found);
  const body = new TextEncoder().encode(page.body ?? '');
  if (body.length > request.maxBytes) throw new Error('the answer is too large');
  const status = page.status || 200;
  return {
    status,
    statusText: `${status} ${statusTexts.get(status) ?? ''}`,
    headers: new Map([
      ['content-type', page.contentType || 'application/json'],
      ...Object.entries(page.headers ?? {}),
    ]),
    body,
  };
};

const choosePage = (request: HttpRequest, page: Page | undefined): Page => {
  if (page === undefined) return { status: 404, body: 'not found', contentType: 'text/plain' };
  const sent = request.headers?.get('authorization');
  if (
    page.authorization !== undefined &&
    page.authorization !== '' &&
    sent !== page.authorization
  ) {
    return { status: 401, body: 'unauthorized', contentType: 'text/plain' };
  }
  return page;
};

/** Publishes an issuer's discovery document and keys. */
export const publishIssuer = (
  web: MemoryWeb,
  issuer: {
    readonly url: string;
    readonly discoveryUrl?: string;
    readonly jwks?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  },
): void => {
  const base = issuer.url.replace(/\/$/, '');
  const jwksUrl = `${base}/jwks`;
  web.publish(issuer.discoveryUrl ?? `${base}/.well-known/openid-configuration`, {
    body: JSON.stringify({ issuer: issuer.url, jwks_uri: jwksUrl }),
  });
  if (issuer.jwks !== undefined) {
    const body = typeof issuer.jwks === 'string' ? issuer.jwks : JSON.stringify(issuer.jwks);
    web.publish(jwksUrl, {
      body,
      ...(issuer.headers === undefined ? {} : { headers: issuer.headers }),
    });
  }
};
