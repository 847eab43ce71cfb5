/** Rows that several requests have in common. */
import type { Range } from 'vscode-languageserver';

export interface PlaceInFile {
  readonly uri: string;
  readonly range: Range;
}

/** Identifies a configuration of a document. */
export interface ConfigurationName {
  /** Index in document order. */
  readonly index: number;
  /**
   * One line, such as `kube-system/auth · auth.yaml`. Absent if the document has a single
   * configuration.
   */
  readonly title?: string;
}

/** How a configuration decides a sample. */
export type Verdict =
  | 'accepted'
  /**
   * The claims of a file are accepted; a token with them would be rejected now, or kube-apiserver
   * does not load the configuration.
   */
  | 'acceptedWithNote'
  | 'rejected'
  /** No authenticator accepts the issuer. */
  | 'noOpinion'
  /** An error in the configuration leaves the sample undecided. */
  | 'undecided';

/** The sign of each verdict; every view shows the same one. */
export const verdictSigns = {
  accepted: '✓',
  acceptedWithNote: '⚠',
  rejected: '✗',
  noOpinion: '○',
  undecided: '?',
} as const satisfies Record<Verdict, string>;

/** A configuration that kube-apiserver does not load, so that none of its entries takes effect. */
export interface LoadFailureRow {
  readonly configuration: ConfigurationName;
  /** A sentence without its period: `This configuration does not load (2 errors)`. */
  readonly text: string;
  /** What previews assume: `as if jwt[1] were removed`. */
  readonly asIf: string;
  readonly errorCount: number;
  /** The first errors. */
  readonly errors: readonly { readonly message: string; readonly place: PlaceInFile }[];
}

export interface UserRow {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: readonly { readonly key: string; readonly values: readonly string[] }[];
}
