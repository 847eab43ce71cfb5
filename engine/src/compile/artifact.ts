/**
 * The compiled artefact: a graph as JSON text that server, command line and library load without
 * YAML and without the expression parser. The same configuration text and settings give the same
 * bytes. Roots of issuers are in it; keys of issuers and secrets are not.
 */
import { textChecksum } from '../formats/checksum.ts';
import type { Digest } from '../ports/digest.ts';
import { canonicalJson } from './canonical-json.ts';
import type { AuthenticatorGraph } from './graph.ts';

/** Raised with every change of the graph's shape or of the coding of expressions. */
export const artifactSchemaVersion = 3;

/** A compiled graph as it is kept in a file, with the hashes of what it was made from. */
export interface Artifact {
  readonly schemaVersion: number;
  /** SHA-256 of the configuration text, lower-case hex. */
  readonly sourceHash: string;
  /** SHA-256 of the graph's canonical JSON, lower-case hex. */
  readonly graphHash: string;
  readonly graph: AuthenticatorGraph;
}

/** What a text that looks like an artefact is read as. */
export type ArtifactReading =
  | { readonly kind: 'artifact'; readonly artifact: Artifact }
  /** One sentence; the text is an artefact, but not one that can be used. */
  | { readonly kind: 'error'; readonly message: string };

/** The hash by which logs, metrics and reviews name a graph. */
export const hashGraph = (graph: AuthenticatorGraph, digest: Digest): string =>
  digest.sha256Hex(canonicalJson(graph));

/** The text of the artefact, ending with a line end. */
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

/** True for text that claims to be an artefact; a configuration never starts like this. */
export const isArtifactText = (text: string): boolean => artifactStart.test(text);

/** Reads what `writeArtifact` wrote. Any change of the text after that is found and refused. */
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
 * The same without a digest, for a program that answers once and ends: a change is found by the
 * checksum, and the hash of the graph is what the artefact says it is.
 */
export const readArtifactByChecksum = (text: string): ArtifactReading => {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return readError('the artefact is not complete JSON; compile the configuration again');
  }
  if (!isRecord(data) || data.artifact !== 'authgraph')
    return readError('this is not an artefact of authgraph');
  const { checksum, graph, graphHash, schemaVersion, sourceHash } = data;
  if (typeof schemaVersion !== 'number')
    return readError('the artefact has no schema version; compile the configuration again');
  if (schemaVersion !== artifactSchemaVersion)
    return readError(
      schemaVersion > artifactSchemaVersion
        ? `the artefact has schema version ${schemaVersion}, this program reads ${artifactSchemaVersion}; update authgraph, or compile the configuration with this one`
        : `the artefact has the old schema version ${schemaVersion}, this program reads ${artifactSchemaVersion}; compile the configuration again`,
    );
  if (typeof checksum !== 'string' || typeof sourceHash !== 'string')
    return readError('the artefact lacks parts; compile the configuration again');
  if (typeof graphHash !== 'string' || !isGraph(graph))
    return readError('the artefact lacks parts; compile the configuration again');
  const artifact = { schemaVersion, sourceHash, graphHash, graph };
  const intact =
    textChecksum(text.slice(prefixLength)) === checksum ||
    textChecksum(canonicalJson(graph) + suffix(artifact)) === checksum;
  return intact ? { kind: 'artifact', artifact } : changedError;
};

const readError = (message: string): ArtifactReading => ({ kind: 'error', message });

const changedError = readError('the artefact was changed after it was compiled; compile again');

// Member names in sorted order, as canonical JSON has them. The checksum covers what follows the head,
// the hash what stands between head and tail: of a text as it was written both parts are cut out, and
// only one that was printed anew has to be written again to be compared.
const prefix = (checksum: string): string =>
  `{"artifact":"authgraph","checksum":"${checksum}","graph":`;
const prefixLength = prefix('0123456789abcdef').length;
const suffix = ({ graphHash, schemaVersion, sourceHash }: Omit<Artifact, 'graph'>): string =>
  `,"graphHash":"${graphHash}","schemaVersion":${schemaVersion},"sourceHash":"${sourceHash}"}\n`;
const artifactStart = /^\s*\{\s*"artifact"\s*:\s*"authgraph"/;

const isRecord = (data: unknown): data is Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null && !Array.isArray(data);

/** The hash guards the inside; here only what every reader walks over. */
const isGraph = (data: unknown): data is AuthenticatorGraph =>
  isRecord(data) &&
  typeof data.apiDomain === 'string' &&
  typeof data.targetRelease === 'number' &&
  isRecord(data.anonymous) &&
  Array.isArray(data.nodes) &&
  data.nodes.every((node) => isRecord(node) && node.module === 'jwt');
