/** One HTTPS request to loopback, with header fields exactly as given and a connection of its own. */
import { Agent, request } from 'node:https';

export interface HttpsQuestion {
  readonly port: number;
  readonly path: string;
  /** Default: POST with a body, else GET. */
  readonly method?: string;
  /** PEM; without it any certificate will do. */
  readonly authority?: string;
  /** The client certificate. */
  readonly certificate?: { readonly pem: string; readonly keyPem: string };
  readonly token?: string;
  /** Alternating names and values. */
  readonly headers?: readonly string[];
  readonly body?: string;
}

export interface HttpsAnswer {
  readonly status: number;
  readonly body: string;
}

export const askHttps = (question: HttpsQuestion): Promise<HttpsAnswer> =>
  new Promise((resolve, reject) => {
    const { port, path, authority, certificate, token, headers = [], body } = question;
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: question.method ?? (body === undefined ? 'GET' : 'POST'),
        agent: new Agent(),
        ...(authority === undefined ? { rejectUnauthorized: false } : { ca: authority }),
        ...(certificate === undefined ? {} : { cert: certificate.pem, key: certificate.keyPem }),
        headers: [
          ...['Host', `127.0.0.1:${port}`],
          ...(token === undefined ? [] : ['Authorization', `Bearer ${token}`]),
          ...(body === undefined
            ? []
            : [
                ...['Content-Type', 'application/json'],
                ...['Content-Length', `${Buffer.byteLength(body)}`],
              ]),
          ...headers,
        ],
      },
      (response) => {
        let text = '';
        response.on('data', (chunk) => {
          text += String(chunk);
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });

/** Returns the authenticated user, or the status of the rejection. */
export const whoIs = async (question: Omit<HttpsQuestion, 'path' | 'body'>): Promise<unknown> => {
  const { status, body } = await askHttps({
    ...question,
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    body: '{"kind":"SelfSubjectReview","apiVersion":"authentication.k8s.io/v1"}',
  });
  return status === 201 ? JSON.parse(body).status.userInfo : status;
};
