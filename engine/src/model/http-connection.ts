/**
 * How to connect to a server: its address, how it is verified and how the client authenticates.
 * Corresponds to a context of a kubeconfig file.
 */
import type { Secret } from './secret.ts';

export interface HttpConnection {
  /** `https://host:port` or `http://…`, without path and user. */
  readonly origin: string;
  /** PEM certificates of the authorities; the system's if absent. */
  readonly certificateAuthority?: PemSource;
  /** If true, the server's certificate is not verified. */
  readonly insecureSkipVerify: boolean;
  /** The name in SNI that the certificate must have; the host if absent. */
  readonly serverName?: string;
  readonly clientCertificate?: { readonly certificate: PemSource; readonly key: PemSource };
  readonly credential?: HttpCredential;
  /** Headers of every request: `Impersonate-User`. */
  readonly headers: readonly HttpHeader[];
  /** URL of a proxy for this connection; if absent the environment variables apply. */
  readonly proxy?: string;
  /** True if compressed responses are accepted. */
  readonly compression: boolean;
}

/** PEM data, and its file if it must be read again. */
export interface PemSource {
  readonly pem: Secret<string>;
  readonly file?: string;
}

export type HttpCredential =
  | { readonly kind: 'bearer'; readonly token: Secret<string>; readonly file?: string }
  | { readonly kind: 'basic'; readonly username: string; readonly password: Secret<string> };

export interface HttpHeader {
  readonly name: string;
  readonly value: string;
}
