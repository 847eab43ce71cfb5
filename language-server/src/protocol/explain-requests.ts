/** A request about one token and all configurations of the workspace. */
import type {
  ConfigurationName,
  LoadFailureRow,
  PlaceInFile,
  UserRow,
  Verdict,
} from './shared-rows.ts';

/** Explains how each configuration of the workspace, open or not, decides a token. */
export const explainTokenRequest = 'authgraph/explainToken';
export interface ExplainTokenParams {
  /** The claims of the token as a JSON object. Requests never contain a token. */
  readonly claims: string;
  /** The client's finding about the signature, as in `MemorySample`. */
  readonly signature?: string;
}
export interface ExplainTokenReport {
  /** A sentence such as `1 of 3 configurations accepts this token.`; empty without rows. */
  readonly summary: string;
  /** One row per configuration, sorted by file. */
  readonly rows: readonly ExplainedRow[];
  /** Present if the issuer, or the audience for this issuer, is in no configuration. */
  readonly nearest?: NearestRow;
  /** A sentence about files that were not read. */
  readonly skipped?: string;
  /** Why there are no rows, as a message for the user. */
  readonly problem?: string;
}
export interface ExplainedRow {
  readonly uri: string;
  readonly configuration: ConfigurationName;
  readonly verdict: Verdict;
  /** Present if kube-apiserver does not load the configuration; the row then assumes its `asIf`. */
  readonly loadFailure?: LoadFailureRow;
  /** The authenticator of the token's issuer; absent if there is none. */
  readonly authenticator?: {
    /** `jwt[0]`. */
    readonly path: string;
    readonly issuer: string;
    readonly place?: PlaceInFile;
  };
  /** The check that fails, such as `audience` or `claimValidationRules[0]`. */
  readonly check?: string;
  /** Why the token is rejected or undecided, as a sentence without its period. */
  readonly reason?: string;
  readonly place?: PlaceInFile;
  /** The AG5xxx code of the rejection. */
  readonly code?: string;
  /**
   * The line that kube-apiserver logs, without its header (level, time, process and source line).
   */
  readonly logLine?: string;
  /** The smallest changes to the claims that would be accepted, such as `if hd were "a.example"`. */
  readonly whyNot?: readonly string[];
  /** The user, if the token is accepted. */
  readonly user?: UserRow;
}
export interface NearestRow {
  readonly kind: 'issuer' | 'audience';
  /** A sentence about the value of the token, and the similar one if there is one. */
  readonly text: string;
  /** The place of the similar value. */
  readonly place?: PlaceInFile;
}
