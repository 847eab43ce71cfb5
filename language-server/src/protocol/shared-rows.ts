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

export interface UserRow {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: readonly { readonly key: string; readonly values: readonly string[] }[];
}
