/** Requests about a change of access, and about who can become a user. */
import type { ConfigurationName, LoadFailureRow, PlaceInFile, UserRow } from './shared-rows.ts';

export const changeRequest = 'authgraph/change';
export interface ChangeParams {
  /** Empty if no configuration is open; the result's `problem` reports that. */
  readonly uri: string;
  /** The text to compare with; absent for the saved file. */
  readonly against?: string;
  /** The Git revision of that text, such as `HEAD`. */
  readonly revision?: string;
  /** Sample files that differed before the change, with their earlier text. */
  readonly samples?: readonly { readonly uri: string; readonly text: string }[];
}
export interface ChangeReport {
  /**
   * One row per sample and configuration, removed configurations last. The sentences below count
   * samples.
   */
  readonly rows: readonly ChangeRow[];
  /** A summary such as `2 lose access, 1 changes` or `nothing changes for 6 samples`. */
  readonly summary: string;
  /**
   * The configurations that kube-apiserver does not load after the change. The rows assume what
   * their `asIf` says.
   */
  readonly loadFailures?: readonly ChangeLoadFailureRow[];
  /** A message in lower case without a period, present if kube-apiserver does not load the text before. */
  readonly failureBefore?: string;
  /** A sentence, present if samples were accepted before and none is any longer. */
  readonly lockOut?: string;
  /**
   * A sentence without its period that names the samples that are no longer accepted; absent if
   * there are none.
   */
  readonly loss?: string;
  /** The equivalent CLI command for the samples that are files; absent if there are none. */
  readonly commandLine?: string;
  readonly problem?: string;
}
export interface ChangeLoadFailureRow extends LoadFailureRow {
  /** Whether kube-apiserver does not load the previous version of this configuration either. */
  readonly failedBefore: boolean;
}
export interface ChangeRow {
  readonly sample: { readonly id: string; readonly name: string };
  readonly configuration: ConfigurationName;
  /** The change in this configuration. */
  readonly kind: 'gained' | 'lost' | 'changed' | 'same';
  /**
   * The change of the sample across all configurations of the document; absent if an error leaves
   * it undecided in one of them.
   */
  readonly overall?: ChangeRow['kind'];
  /** The headline before the change; `after` is the one after it. */
  readonly before: string;
  readonly after: string;
  /** Details such as `group oidc:dev is lost`, one per line. */
  readonly details: readonly string[];
  /** What rejects the sample after the change. */
  readonly place?: PlaceInFile;
  readonly beforeYaml: string;
  readonly afterYaml: string;
}

/**
 * Formats the comparison as Markdown for a pull request, like `authgraph diff -o markdown`. Samples
 * held in memory are left out, because their claims must not reach a file.
 */
export const changeMarkdownRequest = 'authgraph/changeMarkdown';
export interface ChangeMarkdownParams extends Pick<ChangeParams, 'uri' | 'against' | 'samples'> {
  /** The names of the two versions. */
  readonly before: string;
  readonly after: string;
}
/** The Markdown, or why there is none. */
export type ChangeMarkdown = { readonly text: string } | { readonly problem: string };

// Who gains or loses access by a change, and who can become a user: examples and proofs.

/** Compares the open text with another one, for all tokens. */
export const accessDifferenceRequest = 'authgraph/accessDifference';
export type AccessDifferenceParams = Pick<ChangeParams, 'uri' | 'against'>;
export interface AccessDifferenceReport {
  /** One row per configuration, removed configurations last. */
  readonly rows: readonly AccessDifferenceRow[];
  /** Why there are no rows, or why some are missing, as a message for the user. */
  readonly problem?: string;
}
export interface AccessDifferenceRow {
  readonly configuration: ConfigurationName;
  readonly gained: AccessVerdictRow;
  readonly lost: AccessVerdictRow;
  readonly changed: AccessVerdictRow;
  /** Settings that differ and that no verdict covers, such as `discoveryURL`. */
  readonly settings: readonly {
    readonly setting: string;
    readonly issuer?: string;
    readonly before?: string;
    readonly after?: string;
    /** The setting with its values, such as `discoveryURL: (none) → https://a.example`. */
    readonly text: string;
  }[];
  /**
   * A message in lower case without a period, present if the limit of evaluations left too few to
   * search for tokens that become a member of `system:masters`.
   */
  readonly fullControl?: string;
}
export type AccessVerdictRow = {
  /** The verdict, such as `no one gains access`. */
  readonly text: string;
} & (
  | { readonly kind: 'found'; readonly changes: readonly AccessChangeRow[] }
  | { readonly kind: 'proved' }
  | UndecidedRow
);
export interface UndecidedRow {
  readonly kind: 'undecided';
  /** How many evaluations found no example. */
  readonly tried: number;
  readonly reasons: readonly AccessPlaceRow[];
}
export interface AccessChangeRow {
  readonly witness: AccessWitnessRow;
  /** The request, such as `a token with the claims {"sub":"jane"}`. */
  readonly text: string;
  /** Details such as `group oidc:dev is lost`, one per line. */
  readonly details: readonly string[];
  /** The user before the change; absent if the request was rejected. */
  readonly before?: UserRow;
  readonly after?: UserRow;
  readonly cause: readonly AccessPlaceRow[];
}
export type AccessWitnessRow =
  | {
      readonly kind: 'token';
      readonly issuer: string;
      readonly audience: string;
      /** A JSON object. */
      readonly claims: string;
    }
  | { readonly kind: 'anonymous'; readonly path: string };
export interface AccessPlaceRow {
  /** The expression or the claim of the field, or why nothing is proved. */
  readonly text: string;
  /** A path such as `jwt[0].claimMappings.username`. */
  readonly field?: string;
  readonly side?: 'before' | 'after';
  /** Absent for fields of the version to compare with. */
  readonly place?: PlaceInFile;
}

/** Finds requests that become a user or a member of a group in the open text. */
export const whoCanRequest = 'authgraph/whoCan';
export interface WhoCanParams {
  readonly uri: string;
  readonly field: 'username' | 'groups' | 'extra';
  /** The key, for `extra`. */
  readonly key?: string;
  readonly value: string;
  readonly match: 'exact' | 'prefix';
}
export interface WhoCanReport {
  /** One row per configuration without errors. */
  readonly rows: readonly WhoCanRow[];
  readonly problem?: string;
}
export type WhoCanRow = { readonly configuration: ConfigurationName } & (
  | {
      readonly kind: 'found';
      readonly examples: readonly {
        readonly witness: AccessWitnessRow;
        readonly user: UserRow;
        readonly cause: readonly AccessPlaceRow[];
      }[];
    }
  | { readonly kind: 'proved' }
  | UndecidedRow
);
