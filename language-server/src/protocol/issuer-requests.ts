/**
 * Requests about live issuers, which are contacted only on the user's request. The claims of samples
 * are checked locally against the configuration and are not sent.
 */

/** Returns the URLs that the doctor would contact, for the confirmation dialog. */
export const issuerUrlsRequest = 'authgraph/issuerUrls';
export interface IssuerUrlsParams {
  readonly uri: string;
  /** The issuer as a token spells it; absent for all. */
  readonly issuer?: string;
}
export interface IssuerUrls {
  readonly urls: readonly string[];
  readonly problem?: string;
}

export interface ConfirmedUrls {
  /** The URLs that the user confirmed. No other issuer is contacted; absent for all. */
  readonly urls?: readonly string[];
}

export const doctorRequest = 'authgraph/doctor';
export interface DoctorParams extends ConfirmedUrls {
  readonly uri: string;
  /** Index of the authenticator; absent for all. */
  readonly authenticator?: number;
  /** The token under which the server reports how many issuers have responded. */
  readonly workDoneToken?: number | string;
}
/** Entries with errors are skipped. The findings become diagnostics on the URLs of the issuers. */
export interface DoctorReport {
  /** One line, such as `9 of 10 issuers ready`; absent if none was contacted. */
  readonly summary?: string;
  /** Why entries were skipped, such as `jwt[1] has 1 error (line 12)`. */
  readonly skipped?: readonly string[];
  readonly issuers: readonly {
    readonly url: string;
    /** Whether no finding is an error. */
    readonly well: boolean;
    readonly findings: readonly {
      readonly level: 'ok' | 'warning' | 'error';
      readonly text: string;
      readonly help: string;
    }[];
  }[];
  /** The equivalent CLI command; absent if the configuration has errors. */
  readonly commandLine?: string;
  readonly problem?: string;
}

/** Returns the public keys of an issuer. The token they are for stays with the client. */
export const issuerKeysRequest = 'authgraph/issuerKeys';
export interface IssuerKeysParams extends ConfirmedUrls {
  readonly uri: string;
  /** The issuer as a token spells it. */
  readonly issuer: string;
}
export interface IssuerKeys {
  /** The key set as served by the issuer. */
  readonly keys?: string;
  readonly problem?: string;
}
