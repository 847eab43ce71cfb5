/**
 * The compiled artifact: a graph as JSON text. The server, the CLI and the library load it without
 * the YAML parser and the expression parser. The same configuration text and settings produce the
 * same bytes. Certificate authorities of issuers are included; keys of issuers and secrets are not.
 */
import { textChecksum } from '../formats/checksum.ts';
import type { Digest } from '../ports/digest.ts';
import { canonicalJson } from './canonical-json.ts';
import type { AuthenticatorGraph } from './graph.ts';

/**
 * Incremented with every change to the shape of the graph or to the encoding of expressions.
 *
 * @example
 * ```ts
 * if (artifact.schemaVersion !== artifactSchemaVersion) console.log('compile it again');
 * ```
 */
export const artifactSchemaVersion = 3;

/**
 * A compiled graph as stored in a file, with the hashes of its inputs.
 *
 * @example
 * ```ts
 * const { schemaVersion, graphHash }: Artifact = JSON.parse(readFileSync('auth.graph.json', 'utf8'));
 * ```
 */
export interface Artifact {
  readonly schemaVersion: number;
  /** SHA-256 of the configuration text, in lower-case hex. */
  readonly sourceHash: string;
  /** SHA-256 of the graph's canonical JSON, in lower-case hex. */
  readonly graphHash: string;
  readonly graph: AuthenticatorGraph;
}

/**
 * The result of reading a file that looks like an artifact.
 *
 * @example
 * ```ts
 * const reading: ArtifactReading = readArtifact(text, nodePorts().digest);
 * if (reading.kind === 'error') throw new Error(reading.message);
 * ```
 */
export type ArtifactReading =
  | { readonly kind: 'artifact'; readonly artifact: Artifact }
  /** The file is an artifact that cannot be used; `message` is one sentence. */
  | { readonly kind: 'error'; readonly message: string };

/**
 * Returns the hash that identifies a graph in logs, metrics and reviews.
 *
 * @example
 * ```ts
 * console.log(hashGraph(graph, nodePorts().digest));
 * ```
 */
export const hashGraph = (graph: AuthenticatorGraph, digest: Digest): string =>
  digest.sha256Hex(canonicalJson(graph));

/**
 * Returns the text of an artifact, which ends with a line break.
 *
 * @example
 * ```ts
 * writeFileSync('auth.graph.json', writeArtifact(graph, text, nodePorts().digest));
 * ```
 */
export const writeArtifact = (
  graph: AuthenticatorGraph,
  sourceText: string,
  digest: Digest,
): string => {
  const graphText = canonicalJson(graph);
  const graphHash = digest.sha256Hex(graphText);
  const sourceHash = digest.sha256Hex(sourceText);
  const rest = graphText + suffix({ schemaVersion: artifactSchemaVersion, graphHash, sourceHash });
  return prefix(textChecksum(rest)) + rest;
};

/**
 * Returns true for a file that has the form of an artifact; a configuration never starts like this.
 *
 * @example
 * ```ts
 * const reading = isArtifactText(text) ? readArtifact(text, nodePorts().digest) : undefined;
 * ```
 */
export const isArtifactText = (text: string): boolean => artifactStart.test(text);

/**
 * Reads what `writeArtifact` wrote. Any later change to the file is detected and rejected.
 *
 * @example
 * ```ts
 * const reading = readArtifact(text, nodePorts().digest);
 * if (reading.kind === 'artifact') link(reading.artifact.graph, nodePorts());
 * ```
 */
export const readArtifact = (text: string, digest: Digest): ArtifactReading => {
  const reading = readArtifactByChecksum(text);
  if (reading.kind === 'error') return reading;
  const { artifact } = reading;
  const { graph, graphHash } = artifact;
  const graphText = text.slice(prefixLength, -suffix(artifact).length);
  const intact =
    digest.sha256Hex(graphText) === graphHash || hashGraph(graph, digest) === graphHash;
  return intact ? reading : changedError;
};

/**
 * Reads an artifact without a digest, for programs that run a single command: a change is detected
 * by the checksum, and the graph's hash is taken from the artifact.
 */
export const readArtifactByChecksum = (text: string): ArtifactReading => {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return readError('the artifact is not complete JSON; compile the configuration again');
  }
  if (!isRecord(data) || data.artifact !== 'authgraph')
    return readError('this is not an AuthGraph artifact');
  const { checksum, graph, graphHash, schemaVersion, sourceHash } = data;
  if (typeof schemaVersion !== 'number')
    return readError('the artifact has no schema version; compile the configuration again');
  if (schemaVersion !== artifactSchemaVersion)
    return readError(
      schemaVersion > artifactSchemaVersion
        ? `the artifact has schema version ${schemaVersion}, this program reads ${artifactSchemaVersion}; update authgraph, or compile the configuration with this one`
        : `the artifact has the old schema version ${schemaVersion}, this program reads ${artifactSchemaVersion}; compile the configuration again`,
    );
  if (typeof checksum !== 'string' || typeof sourceHash !== 'string')
    return readError('the artifact is incomplete; compile the configuration again');
  if (typeof graphHash !== 'string' || !isGraph(graph))
    return readError('the artifact is incomplete; compile the configuration again');
  const artifact = { schemaVersion, sourceHash, graphHash, graph };
  const intact =
    textChecksum(text.slice(prefixLength)) === checksum ||
    textChecksum(canonicalJson(graph) + suffix(artifact)) === checksum;
  return intact ? { kind: 'artifact', artifact } : changedError;
};

const readError = (message: string): ArtifactReading => ({ kind: 'error', message });

const changedError = readError('the artifact was changed after it was compiled; compile again');

// Members are in sorted order, as in canonical JSON. The checksum covers everything after the
// prefix, the hash covers the graph between prefix and suffix. Both parts are cut out of a text as
// it was written; only a text that was reformatted is serialized again for the comparison.
const prefix = (checksum: string): string =>
  `{"artifact":"authgraph","checksum":"${checksum}","graph":`;
const prefixLength = prefix('0123456789abcdef').length;
const suffix = ({ graphHash, schemaVersion, sourceHash }: Omit<Artifact, 'graph'>): string =>
  `,"graphHash":"${graphHash}","schemaVersion":${schemaVersion},"sourceHash":"${sourceHash}"}\n`;
const artifactStart = /^\s*\{\s*"artifact"\s*:\s*"authgraph"/;

const isRecord = (data: unknown): data is Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null && !Array.isArray(data);

/** Checks only the members that every reader walks over; the hash protects the rest. */
const isGraph = (data: unknown): data is AuthenticatorGraph =>
  isRecord(data) &&
  typeof data.apiDomain === 'string' &&
  typeof data.targetRelease === 'number' &&
  isRecord(data.anonymous) &&
  Array.isArray(data.nodes) &&
  data.nodes.every((node) => isRecord(node) && node.module === 'jwt');
