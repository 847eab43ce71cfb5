/**
 * The serving certificate and its reload: both files are watched, the pair is validated as a whole,
 * and the last valid pair is used until a new one is valid.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { type FileReading, type FileWatch, readSnapshot, watchFile } from '../../node/files.ts';
import type { Log } from '../../ports/log.ts';

export interface CertificateFiles {
  readonly certificateFile: string;
  readonly privateKeyFile: string;
}

export interface CertificatePair {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

const maxBytes = 1024 * 1024;

export type PairReading =
  | { readonly kind: 'pair'; readonly pair: CertificatePair }
  | {
      readonly kind: 'error';
      readonly message: string;
      /** Equal for the same files in the same state. */
      readonly fingerprint: string;
    };

/** Reads both files and validates that key and certificate belong together. */
export const readCertificatePair = async (files: CertificateFiles): Promise<PairReading> => {
  const certificate = await readSnapshot(files.certificateFile, { maxBytes });
  const key = await readSnapshot(files.privateKeyFile, { maxBytes });
  if (certificate.kind === 'unreadable' || key.kind === 'unreadable')
    return unreadable([certificate, key]);
  const utf8 = new TextDecoder();
  const pair = {
    certificatePem: utf8.decode(certificate.bytes),
    privateKeyPem: utf8.decode(key.bytes),
  };
  const problem = pairProblem(pair);
  return problem === undefined
    ? { kind: 'pair', pair }
    : { kind: 'error', message: problem, fingerprint: `${certificate.hash} ${key.hash}` };
};

const unreadable = (readings: readonly FileReading[]): PairReading => {
  const message = readings
    .flatMap((reading) => (reading.kind === 'unreadable' ? [reading.reason] : []))
    .join('; ');
  return { kind: 'error', message, fingerprint: message };
};

/** Returns an error that contains nothing of the private key. */
const pairProblem = ({ certificatePem, privateKeyPem }: CertificatePair): string | undefined => {
  try {
    const leaf = new X509Certificate(certificatePem);
    if (!leaf.checkPrivateKey(createPrivateKey(privateKeyPem))) {
      return 'tls: private key does not match public key';
    }
    createSecureContext({ cert: certificatePem, key: privateKeyPem });
    return undefined;
  } catch {
    return 'tls: failed to find a usable certificate and private key in the files';
  }
};

export interface CertificateWatch {
  /** Checks both files now. */
  look(): Promise<void>;
  close(): Promise<void>;
}

/** Calls `use` with each new valid pair. */
export const watchCertificatePair = (
  files: CertificateFiles,
  serving: CertificatePair,
  { use, log }: { readonly use: (pair: CertificatePair) => void; readonly log: Log },
): CertificateWatch => {
  let current = serving;
  /** Both files are watched, so one change is noticed more than once; it is logged once. */
  let reportedFingerprint: string | undefined;
  /** Checks run one after the other, since both files change together. */
  let tail: Promise<void> = Promise.resolve();
  const reread = async (): Promise<void> => {
    const reading = await readCertificatePair(files);
    if (reading.kind === 'error') {
      if (reading.fingerprint === reportedFingerprint) return;
      reportedFingerprint = reading.fingerprint;
      log.event('warn', 'serving certificate not reloaded', { reason: reading.message });
      return;
    }
    reportedFingerprint = undefined;
    const { pair } = reading;
    const same =
      pair.certificatePem === current.certificatePem &&
      pair.privateKeyPem === current.privateKeyPem;
    if (same) return;
    use(pair);
    current = pair;
    log.event('info', 'serving certificate reloaded');
  };
  const look = (): Promise<void> => {
    tail = tail.then(reread);
    return tail;
  };
  const watches: readonly FileWatch[] = [files.certificateFile, files.privateKeyFile].map((path) =>
    watchFile(path, { maxBytes }, look),
  );
  return {
    look,
    close: async () => {
      await Promise.all(watches.map((watch) => watch.close()));
    },
  };
};
