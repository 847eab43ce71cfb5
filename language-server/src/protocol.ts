/**
 * AuthGraph's own LSP requests and their types, shared with clients. Requests never contain a
 * token: the client decodes its claims. All strings are plain text without markup.
 */
import type {
  ConfigurationName,
  LoadFailureRow,
  PlaceInFile,
  UserRow,
  Verdict,
} from './protocol/shared-rows.ts';

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
  /**
   * `openFiles`: the client requests diagnostics of open documents only, and restarts the server
   * when the setting of this name changes. Clients that request diagnostics of the workspace would
   * otherwise do so all the time.
   */
  readonly diagnosticsScope?: 'openFiles';
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

export {
  type AccessChangeRow,
  type AccessDifferenceParams,
  type AccessDifferenceReport,
  type AccessDifferenceRow,
  type AccessPlaceRow,
  type AccessVerdictRow,
  type AccessWitnessRow,
  accessDifferenceRequest,
  type ChangeMarkdown,
  type ChangeMarkdownParams,
  type ChangeParams,
  type ChangeReport,
  type ChangeRow,
  changeMarkdownRequest,
  changeRequest,
  type UndecidedRow,
  type WhoCanParams,
  type WhoCanReport,
  type WhoCanRow,
  whoCanRequest,
} from './protocol/change-requests.ts';
export {
  type EvaluateAnswer,
  type EvaluateParams,
  evaluateRequest,
} from './protocol/evaluate-requests.ts';
export {
  type ExplainedRow,
  type ExplainTokenParams,
  type ExplainTokenReport,
  explainTokenRequest,
  type NearestRow,
} from './protocol/explain-requests.ts';
export {
  type FindFilesParams,
  findFilesRequest,
  type ReadFileAnswer,
  type ReadFileParams,
  readFileRequest,
} from './protocol/file-requests.ts';
export {
  type DoctorParams,
  type DoctorReport,
  doctorRequest,
  type IssuerKeys,
  type IssuerKeysParams,
  type IssuerUrls,
  type IssuerUrlsParams,
  issuerKeysRequest,
  issuerUrlsRequest,
} from './protocol/issuer-requests.ts';
export {
  type ConfigurationName,
  type LoadFailureRow,
  type PlaceInFile,
  type UserRow,
  type Verdict,
  verdictSigns,
} from './protocol/shared-rows.ts';
export {
  type ConfigurationCoverage,
  type CoverageAnswer,
  type CoverageParams,
  type CoveragePlaceRow,
  coverageRequest,
  type ExpectResultAnswer,
  type ExpectResultParams,
  expectResultRequest,
  type TestAddition,
  type TestCaseRow,
  type TestCasesAnswer,
  type TestPathStep,
  type TestResult,
  type TestsAnswer,
  type TestsParams,
  testCasesRequest,
  testsRequest,
} from './protocol/test-requests.ts';

/** Both sides show untrusted text. */
export { inMessage, withoutIcons } from './untrusted-text.ts';

// Samples.

/**
 * Returns the samples that count for a configuration: those of its workspace folder and those held
 * in memory.
 */
export const samplesRequest = 'authgraph/samples';
export interface SamplesParams {
  /** The configuration; absent for the samples of all workspace folders. */
  readonly uri?: string;
}
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
  readonly current: string | undefined;
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
  /**
   * A finding such as `signature checked with keys.jwks.json`; never the signature itself. Its
   * presence means that the claims are those of a token, so that a token that kube-apiserver would
   * reject is rejected.
   */
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

/**
 * Sets the current sample by ID or by name; with neither there is none. Authenticators of other
 * issuers continue to show the sample that was selected last for them.
 */
export const chooseSampleRequest = 'authgraph/chooseSample';
export interface ChooseSample {
  readonly id?: string;
  readonly name?: string;
  /** IDs or names of samples that were selected before, the last one last. Unknown ones are ignored. */
  readonly earlier?: readonly string[];
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
  /** The configurations that kube-apiserver does not load; absent if there are none. */
  readonly loadFailures?: readonly LoadFailureRow[];
  /** Why there are no rows, as a message for the user. */
  readonly problem?: string;
}
export interface VerdictRow {
  readonly sample: { readonly id: string; readonly name: string };
  readonly configuration: ConfigurationName;
  readonly verdict: Verdict;
  /**
   * One line, such as `jane → oidc:jane · 3 groups`, the reason for a rejection, or why the sample
   * is undecided. Ends with notes such as `expired on 2023-11-14 22:13 UTC, 3 years ago` and `as if
   * jwt[1] were removed`.
   */
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
  /** The configurations that kube-apiserver does not load; absent if there are none. */
  readonly loadFailures?: readonly LoadFailureRow[];
  /** Why there are no rows, as a message for the user. */
  readonly problem?: string;
}
export interface WhoamiRow extends VerdictRow {
  /**
   * A sentence, present if kube-apiserver would reject the token before it maps the claims: because
   * of its signature, audience or times. User, sources and steps are then those of the claims alone.
   */
  readonly refusal?: string;
  /** A sentence, present if claims of a file are accepted and a token with them would be rejected. */
  readonly caution?: string;
  readonly user?: UserRow;
  /** The source of each part of the user: `username`, `uid`, `groups` or `extra.<key>`. */
  readonly sources: readonly { readonly part: string; readonly place: PlaceInFile }[];
  /** Why the sample is rejected or undecided, in a few words. */
  readonly reason?: string;
  /** The AG5xxx code and kube-apiserver's log message of a rejection. */
  readonly code?: string;
  readonly message?: string;
  /** The place of the reason or of the caution. */
  readonly place?: PlaceInFile;
  readonly steps: readonly StepRow[];
  /** The smallest changes to the claims that would be accepted, best first. */
  readonly whyNot: readonly WhyNotRow[];
  /**
   * A sentence without its period about the most similar sample that is accepted, present if no
   * small change would be accepted.
   */
  readonly closest?: string;
  /** Present if the saved file accepts the sample, so that unsaved edits are the cause. */
  readonly acceptedWhenSaved?: true;
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
  /**
   * The width of the page in pixels; absent if it is not known. In a narrow page, the steps of a
   * path are one below the other.
   */
  readonly width?: number;
}
export interface GraphAnswer {
  readonly pictures: readonly GraphPicture[];
  /** The sample whose path is highlighted. */
  readonly sample?: Pick<SampleRow, 'id' | 'name'>;
  readonly problem?: string;
}
export interface GraphPicture {
  readonly title: string;
  /**
   * An SVG element that is safe to insert into a page: text is escaped, and there are no scripts or
   * links. Nodes are `<g class="node …" data-node="jwt[0].issuer" tabindex="0" role="button"
   * aria-label="…">`; the path of the sample has the classes `lit`, `failed`, `idle`, and an entry
   * with errors has the class `invalid`. Colors come from CSS variables with fallbacks.
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
