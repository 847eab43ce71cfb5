/**
 * Our own requests, beside those of the protocol: plain data, shared with clients. None ever carries a
 * token: claims are decoded by the client. Every text is plain text, never markup.
 */
import type { Range } from 'vscode-languageserver';

/** What a client says of itself in `initializationOptions`. */
export interface ClientOptions {
  /** `client`: it has commands of the names below itself; otherwise the server answers them. */
  readonly commands?: 'client';
  /** `client`: files are asked of the client (`findFilesRequest`, `readFileRequest`), as in a browser. */
  readonly files?: 'client';
  /** False where the user does not trust the workspace, or no network may be used. */
  readonly trusted?: boolean;
}

/** Commands of lenses and links. */
export const commandNames = {
  whoami: 'authgraph.whoami',
  /** For all samples side by side. */
  whoamiAll: 'authgraph.whoamiAll',
  selectSample: 'authgraph.selectSample',
  showGraph: 'authgraph.showGraph',
  previewChange: 'authgraph.previewChange',
} as const;

export interface PlaceInFile {
  readonly uri: string;
  readonly range: Range;
}

/** Both sides show texts of others. */
export { inMessage, withoutIcons } from './untrusted-text.ts';

/** Which configuration of its document an answer is about. */
export interface ConfigurationName {
  /** In the order of the text. */
  readonly index: number;
  /** One line: `kube-system/auth · auth.yaml`. Absent where it is the only one. */
  readonly title?: string;
}

// Files, asked of the client.

export const findFilesRequest = 'authgraph/findFiles';
export interface FindFilesParams {
  readonly globs: readonly string[];
  /** Files of each folder and glob. */
  readonly most: number;
}
/** Answers a list of URIs. */
export const readFileRequest = 'authgraph/readFile';
export interface ReadFileParams {
  readonly uri: string;
  readonly mostBytes: number;
}
/** Null where there is no file, or no text. `isTooLong`: it has more bytes than asked for. */
export type ReadFileAnswer = { readonly text: string } | { readonly isTooLong: true } | null;

// Samples.

export const samplesRequest = 'authgraph/samples';
export interface SampleRow {
  readonly id: string;
  readonly name: string;
  /** Absent for what is held in memory. */
  readonly uri?: string;
  /** Seconds since 1970; absent where the claims say nothing. */
  readonly expires?: number;
  readonly issuer?: string;
  /** Why the file is no sample. */
  readonly problem?: string;
  /** What the client found out about the token's signature, in words. */
  readonly signature?: string;
}
export interface SamplesAnswer {
  readonly samples: readonly SampleRow[];
  /** An id. */
  readonly chosen: string | undefined;
  /** Why there is none. */
  readonly problem?: string;
}

/** Words about a signature that begin so: no key fits, and a server would refuse the token. */
export const signatureMismatch = 'signature does not fit';
export const isSignatureMismatch = (signature: string | undefined): signature is string =>
  signature?.startsWith(signatureMismatch) === true;

/** A sample for this session; answers its id. */
export const memorySampleRequest = 'authgraph/memorySample';
export interface MemorySample {
  readonly name: string;
  /** A JSON object. */
  readonly claims: string;
  /** In words: `signature checked with keys.jwks.json`. Never the signature. */
  readonly signature?: string;
}
export const dropSampleRequest = 'authgraph/dropSample';

/** The claims that a new sample begins with: those that every token has, for the issuer at hand. */
export const sampleTemplateRequest = 'authgraph/sampleTemplate';
export interface SampleTemplateParams {
  /** The configuration; absent: an example issuer. */
  readonly uri?: string;
}
export interface SampleTemplate {
  /** A JSON object. */
  readonly claims: string;
}

/** Which sample previews show: by id, or by name; neither for none. */
export const chooseSampleRequest = 'authgraph/chooseSample';
export interface ChooseSample {
  readonly id?: string;
  readonly name?: string;
}

/** Sent by the server when samples, or the chosen one, are others than before. */
export const samplesChanged = 'authgraph/samplesChanged';

// Who somebody would be.

/** In a line each. */
export const verdictsRequest = 'authgraph/verdicts';
export type VerdictsParams = Pick<WhoamiParams, 'uri' | 'samples'>;
export interface VerdictsReport {
  /** One for each sample and configuration of the document. */
  readonly rows: readonly VerdictRow[];
  /** Why there is none, as a person reads it. */
  readonly problem?: string;
}
export interface VerdictRow {
  readonly sample: { readonly id: string; readonly name: string };
  readonly configuration: ConfigurationName;
  readonly verdict: 'accepted' | 'rejected' | 'noOpinion';
  /** One line: `jane → oidc:jane · 3 groups`, or why not. */
  readonly headline: string;
  /** Index of the authenticator that takes the claims, whether it accepts them or not. */
  readonly authenticator?: number;
}

/** With the way through the graph. */
export const whoamiRequest = 'authgraph/whoami';
export interface WhoamiParams {
  /** Empty where no configuration is open: the answer says so. */
  readonly uri: string;
  /** Ids; absent: the chosen one. `all`: every one. */
  readonly samples?: readonly string[] | 'all';
  /** Whom the sample wants to act as; roles are those of the workspace. */
  readonly as?: {
    readonly username: string;
    readonly uid?: string;
    readonly groups?: readonly string[];
    readonly extra?: readonly { readonly key: string; readonly values: readonly string[] }[];
  };
}
export interface WhoamiReport {
  /** One for each sample and configuration of the document. */
  readonly rows: readonly WhoamiRow[];
  /** Why there is none, as a person reads it. */
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
   * A sentence where the token is refused whatever its claims are: its signature fits no key. User,
   * sources and steps are those of the claims alone then.
   */
  readonly refusal?: string;
  readonly user?: UserRow;
  /** Where each part of the user comes from, by `username`, `uid`, `groups`, `extra.<key>`. */
  readonly sources: readonly { readonly part: string; readonly place: PlaceInFile }[];
  /** AG5xxx and the real server's log text, for a refusal. */
  readonly code?: string;
  readonly message?: string;
  readonly place?: PlaceInFile;
  readonly steps: readonly StepRow[];
  /** Smallest changes of the claims that would be accepted, best first. */
  readonly whyNot: readonly WhyNotRow[];
  readonly acting?: ActingRow;
  /** The same question for a shell. */
  readonly commandLine: string;
  /** It reads the file as it was saved; otherwise the configuration has to be given to it. */
  readonly namesFile: boolean;
  /** The answer as YAML: a SelfSubjectReview, or a Status. */
  readonly yaml: string;
}
export interface StepRow {
  /** `jwt[0].claimMappings.username`. */
  readonly at: string;
  readonly what: string;
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'value' | 'note';
  readonly detail?: string;
  /** As JSON text. */
  readonly value?: string;
  readonly values: readonly { readonly expression: string; readonly value: string }[];
  readonly place?: PlaceInFile;
}
export interface WhyNotRow {
  /** `if hd were "example.com"`. */
  readonly text: string;
  /** The changed claims, a JSON object. */
  readonly claims: string;
}
export interface ActingRow {
  readonly allowed: boolean;
  readonly user?: UserRow;
  /** The refusal that a client would read. */
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
  /** Empty where no configuration is open: the answer says so. */
  readonly uri: string;
  /** An id; absent: the chosen one; `null`: no path is lit. */
  readonly sample?: string | null;
}
export interface GraphAnswer {
  readonly pictures: readonly GraphPicture[];
  readonly problem?: string;
}
export interface GraphPicture {
  readonly title: string;
  /**
   * An SVG element of its own, safe to put into a page: all texts escaped, no script, no link. Nodes are
   * `<g class="node …" data-node="jwt[0].issuer" tabindex="0" role="button" aria-label="…">`; the path of
   * the sample has the classes `lit`, `failed`, `idle`; colours come from CSS variables with fall-backs.
   */
  readonly svg: string;
  readonly nodes: readonly {
    readonly id: string;
    readonly label: string;
    readonly details: readonly string[];
    readonly place?: PlaceInFile;
  }[];
  readonly mermaid: string;
  /** The text twin, with the path of the sample in words. */
  readonly text: string;
  /** The same question for a shell. */
  readonly commandLine: string;
  /** It reads the file as it was saved; otherwise the configuration has to be given to it. */
  readonly namesFile: boolean;
}

// What a change does to the samples.

export const changeRequest = 'authgraph/change';
export interface ChangeParams {
  /** Empty where no configuration is open: the answer says so. */
  readonly uri: string;
  /** The text to compare with; absent: the file as it was saved. */
  readonly against?: string;
  /** What Git calls that text: `HEAD`. */
  readonly revision?: string;
}
export interface ChangeReport {
  /** One for each sample and configuration, those that were removed last. The sentences count samples. */
  readonly rows: readonly ChangeRow[];
  /** `2 lose access, 1 changes`, `nothing changes for 6 samples`. */
  readonly summary: string;
  /** A sentence where samples could log in before, and none of them can any longer. */
  readonly lockOut?: string;
  /** Who can no longer log in, in a sentence without its dot; absent where everybody can who could. */
  readonly loss?: string;
  /** The same question for a shell, about the samples that are files. Absent where there are none. */
  readonly commandLine?: string;
  readonly problem?: string;
}
export interface ChangeRow {
  readonly sample: { readonly id: string; readonly name: string };
  readonly configuration: ConfigurationName;
  readonly kind: 'gains' | 'loses' | 'changes' | 'same';
  /** Headlines. */
  readonly before: string;
  readonly after: string;
  /** `group oidc:dev is lost`, a line each. */
  readonly details: readonly string[];
  readonly beforeYaml: string;
  readonly afterYaml: string;
}

// A new configuration.

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

// A live issuer, asked only on the user's request. The claims of the chosen sample are held against the
// configuration beside it, and sent nowhere.

/** Which URLs that would be, for the question whether they may be asked. */
export const issuerUrlsRequest = 'authgraph/issuerUrls';
export interface IssuerUrlsParams {
  readonly uri: string;
  /** As a token spells it; absent: all. */
  readonly issuer?: string;
}
export interface IssuerUrls {
  readonly urls: readonly string[];
  readonly problem?: string;
}

export const doctorRequest = 'authgraph/doctor';
export interface DoctorParams {
  readonly uri: string;
  /** Index of the authenticator; absent: all. */
  readonly authenticator?: number;
}
export interface DoctorReport {
  readonly issuers: readonly {
    readonly url: string;
    /** No finding is an error. */
    readonly well: boolean;
    readonly findings: readonly {
      readonly level: 'ok' | 'warning' | 'error';
      readonly text: string;
      readonly help: string;
    }[];
  }[];
  /** The same question for a shell. */
  readonly commandLine?: string;
  readonly problem?: string;
}

/** The public keys of one issuer. The token that they are for stays with the client. */
export const issuerKeysRequest = 'authgraph/issuerKeys';
export interface IssuerKeysParams {
  readonly uri: string;
  /** As a token spells it. */
  readonly issuer: string;
}
export interface IssuerKeys {
  /** The key set as the issuer wrote it. */
  readonly keys?: string;
  readonly problem?: string;
}
