/** Where a server is, whom we trust there, and who we are to it: what a kubeconfig file tells. */
import type { Secret } from './secret.ts';

export interface HttpConnection {
  /** `https://host:port`, or `http://…`; no path, no user. */
  readonly origin: string;
  /** PEM roots; the system's where absent. */
  readonly certificateAuthority?: PemSource;
  /** Anybody may answer. */
  readonly insecureSkipVerify: boolean;
  /** The name that the certificate must have, and that is asked for; the host's where absent. */
  readonly serverName?: string;
  readonly clientCertificate?: { readonly certificate: PemSource; readonly key: PemSource };
  readonly credential?: HttpCredential;
  /** Fields that go with every request: `Impersonate-User`. */
  readonly headers: readonly HttpHeader[];
  /** URL of a proxy for this connection; what the environment says where absent. */
  readonly proxy?: string;
  /** May answers come packed? */
  readonly compression: boolean;
}

/** PEM text, and the file that it came from where it is to be read again. */
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
