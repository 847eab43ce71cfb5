/** Sends requests over HTTPS to loopback, with header fields exactly as given. */
import { Agent, request } from 'node:https';

export interface HttpsRequest {
  readonly port: number;
  readonly path: string;
  /** Default: POST with a body, else GET. */
  readonly method?: string;
  /** PEM; without it any certificate will do. */
  readonly authority?: string;
  /** The client certificate. */
  readonly certificate?: { readonly pem: string; readonly keyPem: string };
  readonly token?: string;
  /** Alternating names and values; a body is JSON unless they say otherwise. */
  readonly headers?: readonly string[];
  readonly body?: string;
  /** Reuses connections; by default each request has one of its own. */
  readonly agent?: Agent;
  readonly host?: string;
  readonly localAddress?: string;
  readonly timeoutMs?: number;
}

export interface HttpsResponse {
  readonly status: number;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly body: string;
}

/** Rejects if the connection ends without a response. */
export const sendHttps = (sent: HttpsRequest): Promise<HttpsResponse> =>
  new Promise((resolve, reject) => {
    const { port, path, authority, certificate, token, headers = [], body, localAddress } = sent;
    const { host = '127.0.0.1', agent = new Agent(), timeoutMs = 60_000 } = sent;
    const hasType = headers.some((name) => name.toLowerCase() === 'content-type');
    const outgoing = request(
      {
        host,
        port,
        path,
        method: sent.method ?? (body === undefined ? 'GET' : 'POST'),
        agent,
        timeout: timeoutMs,
        ...(authority === undefined ? { rejectUnauthorized: false } : { ca: authority }),
        ...(certificate === undefined ? {} : { cert: certificate.pem, key: certificate.keyPem }),
        ...(localAddress === undefined ? {} : { localAddress }),
        headers: [
          ...['Host', `${host}:${port}`],
          ...(token === undefined ? [] : ['Authorization', `Bearer ${token}`]),
          ...(body === undefined || hasType ? [] : ['Content-Type', 'application/json']),
          ...(body === undefined ? [] : ['Content-Length', `${Buffer.byteLength(body)}`]),
          ...headers,
        ],
      },
      async (response) => {
        let text = '';
        try {
          for await (const chunk of response.setEncoding('utf8')) text += chunk;
        } catch (cause) {
          reject(cause);
        }
        resolve({ status: response.statusCode ?? 0, headers: response.rawHeaders, body: text });
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error('no response in time')));
    outgoing.on('error', reject);
    outgoing.end(body);
  });

/** Returns the authenticated user, or the status of the rejection. */
export const authenticatedUser = async (
  sent: Omit<HttpsRequest, 'path' | 'body'>,
): Promise<unknown> => {
  const { status, body } = await sendHttps({
    ...sent,
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    body: '{"kind":"SelfSubjectReview","apiVersion":"authentication.k8s.io/v1"}',
  });
  return status === 201 ? JSON.parse(body).status.userInfo : status;
};
