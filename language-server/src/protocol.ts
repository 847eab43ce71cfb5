/**
 * AuthGraph's own LSP requests and their types, shared with clients. Requests never contain a
 * token: the client decodes its claims. All strings are plain text without markup.
 */
import type { Range } from 'vscode-languageserver';

/** Sent by the client in `initializationOptions`. */
export interface ClientOptions {
  /** `client`: the client implements the commands below; otherwise the server does. */
  readonly commands?: 'client';
  /**
   * `client`: the server reads files through the client (`findFilesRequest`, `readFileRequest`), as
   * in a browser.
   */
  readonly files?: 'client';
  /** False if the user does not trust the workspace or the network must not be used. */
  readonly trusted?: boolean;
}

/** Commands that lenses and links use. */
export const commandNames = {
  whoami: 'authgraph.whoami',
  /** Shows all samples side by side. */
  whoamiAll: 'authgraph.whoamiAll',
  selectSample: 'authgraph.selectSample',
  showGraph: 'authgraph.showGraph',
  previewChange: 'authgraph.previewChange',
} as const;

export interface PlaceInFile {
  readonly uri: string;
  readonly range: Range;
}

/** Both sides show untrusted text. */
export { inMessage, withoutIcons } from './untrusted-text.ts';

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

// Requests to the client for workspace files.

export const findFilesRequest = 'authgraph/findFiles';
export interface FindFilesParams {
  readonly globs: readonly string[];
  /** Maximum number of files per folder and glob. */
  readonly most: number;
}
/** Returns a list of URIs. */
export const readFileRequest = 'authgraph/readFile';
export interface ReadFileParams {
  readonly uri: string;
  readonly mostBytes: number;
}
/** Null if the file does not exist or is not text. `isTooLong` if it is larger than `mostBytes`. */
export type ReadFileAnswer = { readonly text: string } | { readonly isTooLong: true } | null;

// Samples.

export const samplesRequest = 'authgraph/samples';
export interface SampleRow {
  readonly id: string;
  readonly name: string;
  /** Absent for samples held in memory. */
  readonly uri?: string;
  /** Seconds since 1970; absent if the claims have no `exp`. */
  readonly expires?: number;
  readonly issuer?: string;
  /** Why the file is not a valid sample. */
  readonly problem?: string;
  /**
   * The client's finding about the token's signature, such as `signature checked with
   * keys.jwks.json`.
   */
  readonly signature?: string;
}
export interface SamplesAnswer {
  readonly samples: readonly SampleRow[];
  /** The ID of the current sample. */
  readonly chosen: string | undefined;
  /** Why there are no samples. */
  readonly problem?: string;
}

/**
 * Prefix of a finding that no key matches the signature, so that kube-apiserver would reject the
 * token.
 */
export const signatureMismatch = 'signature does not match';
export const isSignatureMismatch = (signature: string | undefined): signature is string =>
  signature?.startsWith(signatureMismatch) === true;

/** Adds a sample for this session; returns its ID. */
export const memorySampleRequest = 'authgraph/memorySample';
export interface MemorySample {
  readonly name: string;
  /** A JSON object. */
  readonly claims: string;
  /** A finding such as `signature checked with keys.jwks.json`; never the signature itself. */
  readonly signature?: string;
}
export const removeSampleRequest = 'authgraph/removeSample';

/**
 * Returns the initial claims of a new sample: the claims every token has, for the configuration's
 * issuer.
 */
export const sampleTemplateRequest = 'authgraph/sampleTemplate';
export interface SampleTemplateParams {
  /** The configuration; absent for an example issuer. */
  readonly uri?: string;
}
export interface SampleTemplate {
  /** A JSON object. */
  readonly claims: string;
}

/** Sets the current sample by ID or by name; with neither there is none. */
export const chooseSampleRequest = 'authgraph/chooseSample';
export interface ChooseSample {
  readonly id?: string;
  readonly name?: string;
}

/** Sent by the server when samples or the current sample changed. */
export const samplesChanged = 'authgraph/samplesChanged';

// Verdicts and whoami reports.

/** Returns one line per sample. */
export const verdictsRequest = 'authgraph/verdicts';
export type VerdictsParams = Pick<WhoamiParams, 'uri' | 'samples'>;
export interface VerdictsReport {
  /** One row per sample and configuration of the document. */
  readonly rows: readonly VerdictRow[];
  /** Why there are no rows, as a message for the user. */
  readonly problem?: string;
}
export interface VerdictRow {
  readonly sample: { readonly id: string; readonly name: string };
  readonly configuration: ConfigurationName;
  readonly verdict: 'accepted' | 'rejected' | 'noOpinion';
  /** One line, such as `jane → oidc:jane · 3 groups` or the reason for a rejection. */
  readonly headline: string;
  /** Index of the authenticator for the sample's issuer, whether it accepts the sample or not. */
  readonly authenticator?: number;
}

/** Returns reports with the path through the graph. */
export const whoamiRequest = 'authgraph/whoami';
export interface WhoamiParams {
  /** Empty if no configuration is open; the result's `problem` reports that. */
  readonly uri: string;
  /** IDs; absent for the current sample, `all` for every sample. */
  readonly samples?: readonly string[] | 'all';
  /** The user to impersonate, authorized by the roles of the workspace. */
  readonly as?: {
    readonly username: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: readonly { readonly key: string; readonly values: readonly string[] }[];
  };
}
export interface WhoamiReport {
  /** One row per sample and configuration of the document. */
  readonly rows: readonly WhoamiRow[];
  /** Why there are no rows, as a message for the user. */
  readonly problem?: string;
}
export interface UserRow {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: readonly { readonly key: string; readonly values: readonly string[] }[];
}
export interface WhoamiRow extends VerdictRow {
  /**
   * A sentence, present if the token's signature is invalid and the token is therefore rejected.
   * User, sources and steps are then those of the claims alone.
   */
  readonly refusal?: string;
  readonly user?: UserRow;
  /** The source of each part of the user: `username`, `uid`, `groups` or `extra.<key>`. */
  readonly sources: readonly { readonly part: string; readonly place: PlaceInFile }[];
  /** The AG5xxx code and kube-apiserver's log message of a rejection. */
  readonly code?: string;
  readonly message?: string;
  readonly place?: PlaceInFile;
  readonly steps: readonly StepRow[];
  /** The smallest changes to the claims that would be accepted, best first. */
  readonly whyNot: readonly WhyNotRow[];
  readonly acting?: ActingRow;
  /** The equivalent CLI command. */
  readonly commandLine: string;
  /**
   * Whether the command reads the saved file; otherwise the configuration must be passed on
   * standard input.
   */
  readonly namesFile: boolean;
  /** The result as YAML: a SelfSubjectReview or a Status. */
  readonly yaml: string;
}
export interface StepRow {
  /** A path such as `jwt[0].claimMappings.username`. */
  readonly at: string;
  readonly what: string;
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'value' | 'note';
  readonly detail?: string;
  /** The value as JSON. */
  readonly value?: string;
  readonly values: readonly { readonly expression: string; readonly value: string }[];
  readonly place?: PlaceInFile;
}
export interface WhyNotRow {
  /** A condition such as `if hd were "example.com"`. */
  readonly text: string;
  /** The changed claims as a JSON object. */
  readonly claims: string;
}
export interface ActingRow {
  readonly allowed: boolean;
  readonly user?: UserRow;
  /** The error message that a client would receive. */
  readonly message?: string;
  readonly questions: readonly {
    readonly text: string;
    readonly allowed: boolean;
    readonly reason: string;
  }[];
}

// The graph as a picture.

export const graphRequest = 'authgraph/graph';
export interface GraphParams {
  /** Empty if no configuration is open; the result's `problem` reports that. */
  readonly uri: string;
  /** An ID; absent for the current sample, `null` to highlight no path. */
  readonly sample?: string | null;
}
export interface GraphAnswer {
  readonly pictures: readonly GraphPicture[];
  readonly problem?: string;
}
export interface GraphPicture {
  readonly title: string;
  /**
   * An SVG element that is safe to insert into a page: text is escaped, and there are no scripts or
   * links. Nodes are `<g class="node …" data-node="jwt[0].issuer" tabindex="0" role="button"
   * aria-label="…">`; the path of the sample has the classes `lit`, `failed`, `idle`. Colors come
   * from CSS variables with fallbacks.
   */
  readonly svg: string;
  readonly nodes: readonly {
    readonly id: string;
    readonly label: string;
    readonly details: readonly string[];
    readonly place?: PlaceInFile;
  }[];
  readonly mermaid: string;
  /** The text alternative of the picture, including the path of the sample. */
  readonly text: string;
  /** The equivalent CLI command. */
  readonly commandLine: string;
  /**
   * Whether the command reads the saved file; otherwise the configuration must be passed on
   * standard input.
   */
  readonly namesFile: boolean;
}

// The effect of a change on the samples.

export const changeRequest = 'authgraph/change';
export interface ChangeParams {
  /** Empty if no configuration is open; the result's `problem` reports that. */
  readonly uri: string;
  /** The text to compare with; absent for the saved file. */
  readonly against?: string;
  /** The Git revision of that text, such as `HEAD`. */
  readonly revision?: string;
}
export interface ChangeReport {
  /**
   * One row per sample and configuration, removed configurations last. The sentences below count
   * samples.
   */
  readonly rows: readonly ChangeRow[];
  /** A summary such as `2 lose access, 1 changes` or `nothing changes for 6 samples`. */
  readonly summary: string;
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
export interface ChangeRow {
  readonly sample: { readonly id: string; readonly name: string };
  readonly configuration: ConfigurationName;
  readonly kind: 'gains' | 'loses' | 'changes' | 'same';
  /** The headline before the change; `after` is the one after it. */
  readonly before: string;
  readonly after: string;
  /** Details such as `group oidc:dev is lost`, one per line. */
  readonly details: readonly string[];
  readonly beforeYaml: string;
  readonly afterYaml: string;
}

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
  }[];
}
export type AccessVerdictRow =
  | { readonly kind: 'found'; readonly changes: readonly AccessChangeRow[] }
  | { readonly kind: 'proved' }
  | UndecidedRow;
export interface UndecidedRow {
  readonly kind: 'undecided';
  /** How many evaluations found no example. */
  readonly tried: number;
  readonly reasons: readonly AccessPlaceRow[];
}
export interface AccessChangeRow {
  readonly witness: AccessWitnessRow;
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

// The cases of a test file.

/** Runs the cases of an open test file (`*.authtest.yaml`) that need no key and no other file. */
export const testsRequest = 'authgraph/tests';
export interface TestsParams {
  readonly uri: string;
}
export interface TestsAnswer {
  /** The results in the order of the file; rows of a table are cases of their own. */
  readonly results: readonly TestResult[];
  /** The equivalent CLI command, which runs the skipped cases, too. */
  readonly commandLine?: string;
  readonly problem?: string;
}
export interface TestResult {
  readonly name: string;
  /** The first line of the case. */
  readonly range: Range;
  /** `skipped`: the case is a signed token or a whole request. */
  readonly status: 'passed' | 'failed' | 'skipped';
  /** The decision in one line. */
  readonly decision?: string;
  /** The part of the configuration that rejected the claims. */
  readonly place?: PlaceInFile;
  /** What differs; present if the case failed. */
  readonly differences?: readonly {
    readonly what: string;
    readonly expected: string;
    readonly actual: string;
  }[];
  /** The path through the graph; present if the case failed. */
  readonly path?: readonly TestPathStep[];
}
export interface TestPathStep {
  /** The part of the configuration, such as `jwt[0].claimMappings.username`. */
  readonly at: string;
  readonly what: string;
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'value' | 'note';
  readonly detail?: string;
  readonly place?: PlaceInFile;
}

// Coverage.

/**
 * Returns which parts of a configuration the cases of an open test file exercise, or all samples if the
 * document is a configuration.
 */
export const coverageRequest = 'authgraph/coverage';
export interface CoverageParams {
  readonly uri: string;
}
export interface CoverageAnswer {
  /** One for each configuration of the document. */
  readonly configurations: readonly ConfigurationCoverage[];
  readonly problem?: string;
}
export interface ConfigurationCoverage {
  readonly configuration: ConfigurationName;
  /** How many cases or samples were decided. */
  readonly cases: number;
  readonly covered: number;
  /** How many outcomes there are. */
  readonly all: number;
  /** The places in the order of the file; a field comes before its parts. */
  readonly places: readonly CoveragePlaceRow[];
}
export interface CoveragePlaceRow {
  readonly kind:
    | 'issuer'
    | 'audience'
    | 'mapping'
    | 'rule'
    | 'branch'
    | 'list element'
    | 'rejection';
  /** The field, such as `jwt[0].claimValidationRules[1]`. */
  readonly at: string;
  readonly place: PlaceInFile;
  readonly outcomes: readonly { readonly name: string; readonly hits: number }[];
  /** A sentence for each outcome that no case had. */
  readonly missing: readonly string[];
}

// Starter configurations.

export const providersRequest = 'authgraph/providers';
export interface ProviderRow {
  readonly id: string;
  readonly title: string;
  readonly description: string;
}
export const newConfigurationRequest = 'authgraph/newConfiguration';
export interface NewConfigurationParams {
  readonly provider: string;
}
export interface NewConfiguration {
  readonly files: readonly { readonly name: string; readonly text: string }[];
}

// Live issuers, contacted only on the user's request. The claims of the current sample are checked
// locally against the configuration and are not sent.

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

export const doctorRequest = 'authgraph/doctor';
export interface DoctorParams {
  readonly uri: string;
  /** Index of the authenticator; absent for all. */
  readonly authenticator?: number;
}
export interface DoctorReport {
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
  /** The equivalent CLI command. */
  readonly commandLine?: string;
  readonly problem?: string;
}

/** Returns the public keys of an issuer. The token they are for stays with the client. */
export const issuerKeysRequest = 'authgraph/issuerKeys';
export interface IssuerKeysParams {
  readonly uri: string;
  /** The issuer as a token spells it. */
  readonly issuer: string;
}
export interface IssuerKeys {
  /** The key set as served by the issuer. */
  readonly keys?: string;
  readonly problem?: string;
}
