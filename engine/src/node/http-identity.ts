/**
 * Client credentials and trusted roots for a peer, as their files currently contain them. A file
 * that is unreadable or empty changes nothing: the last valid content remains in use.
 */
import type { HttpConnection, HttpCredential, PemSource } from '../model/http-connection.ts';
import { reveal, type Secret, secret } from '../model/secret.ts';
import { readSnapshot } from './files.ts';

export interface PeerMaterial {
  readonly certificateAuthority: string | undefined;
  readonly certificate: string | undefined;
  readonly key: Secret<string> | undefined;
}

export interface PeerIdentity {
  /** Reads the files again if a minute has passed since the last time. */
  refresh(): Promise<void>;
  /** Increases when the material changes. */
  version(): number;
  material(): PeerMaterial;
  /** Value of the Authorization header, with one character per byte. */
  authorization(): Secret<string> | undefined;
}

/** Interval at which the files are read again, as in kube-apiserver for token files. */
const defaultRefreshMs = 60_000;
const maxFileBytes = 1024 * 1024;

/**
 * Returns the identity, which starts with the content that was read when the configuration was
 * loaded.
 */
export const peerIdentity = (
  connection: HttpConnection,
  refreshMs = defaultRefreshMs,
): PeerIdentity => {
  const { certificateAuthority, clientCertificate, credential } = connection;
  const fileContents = new Map<string, Secret<string>>();
  const files = filesOf(connection);
  let version = 1;
  let readAt = performance.now();
  let reading: Promise<void> | undefined;

  const pemOf = (source: PemSource | undefined): string | undefined => {
    if (source === undefined) return undefined;
    return reveal(
      (source.file === undefined ? undefined : fileContents.get(source.file)) ?? source.pem,
    );
  };

  const reread = async (): Promise<void> => {
    const changed = await Promise.all(files.map((file) => rereadFile(file, fileContents)));
    const bearerFile = credential?.kind === 'bearer' ? credential.file : undefined;
    if (changed.some((isNew, at) => isNew && files[at] !== bearerFile)) version += 1;
    readAt = performance.now();
    reading = undefined;
  };

  return {
    refresh() {
      if (files.length === 0 || performance.now() - readAt < refreshMs) return Promise.resolve();
      reading ??= reread();
      return reading;
    },
    version: () => version,
    material: () => {
      const key = pemOf(clientCertificate?.key);
      return {
        certificateAuthority: pemOf(certificateAuthority),
        certificate: pemOf(clientCertificate?.certificate),
        key: key === undefined ? undefined : secret(key),
      };
    },
    authorization: () => authorizationOf(credential, fileContents),
  };
};

const filesOf = ({
  certificateAuthority,
  clientCertificate,
  credential,
}: HttpConnection): readonly string[] =>
  [
    certificateAuthority?.file,
    clientCertificate?.certificate.file,
    clientCertificate?.key.file,
    credential?.kind === 'bearer' ? credential.file : undefined,
  ].flatMap((file) => (file === undefined ? [] : [file]));

/** Returns whether the content of the file has changed. */
const rereadFile = async (
  file: string,
  fileContents: Map<string, Secret<string>>,
): Promise<boolean> => {
  const reading = await readSnapshot(file, { maxBytes: maxFileBytes });
  if (reading.kind === 'unreadable') return false;
  const text = new TextDecoder().decode(reading.bytes);
  const previous = fileContents.get(file);
  if (text.trim() === '' || (previous !== undefined && reveal(previous) === text)) return false;
  fileContents.set(file, secret(text));
  return true;
};

const authorizationOf = (
  credential: HttpCredential | undefined,
  fileContents: ReadonlyMap<string, Secret<string>>,
): Secret<string> | undefined => {
  if (credential === undefined) return undefined;
  if (credential.kind === 'basic') {
    const pair = `${credential.username}:${reveal(credential.password)}`;
    return secret(`Basic ${Buffer.from(pair).toString('base64')}`);
  }
  const read = credential.file === undefined ? undefined : fileContents.get(credential.file);
  const token = read === undefined ? reveal(credential.token) : reveal(read).trim();
  return secret(`Bearer ${Buffer.from(token).toString('latin1')}`);
};
