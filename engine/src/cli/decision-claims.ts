/** Prepares what the decision log contains of claims, with the key of `--decision-log-claims-key-file`. */
import type { ClaimRecordOptions } from '../authenticators/jwt/claim-record.ts';
import { readSnapshot } from '../node/files.ts';
import { pseudonymizer } from '../node/pseudonyms.ts';
import type { ServeOptions } from '../server/flags/options.ts';
import { escapeUnprintable } from '../source/unprintable.ts';

type Settings = Pick<
  ServeOptions,
  'decisionLog' | 'decisionLogClaims' | 'decisionLogClaimValues' | 'decisionLogClaimsKeyFile'
>;

export type DecisionClaims =
  | { readonly kind: 'ready'; readonly options: ClaimRecordOptions | undefined }
  | { readonly kind: 'failed'; readonly reason: string };

/** Returns what the log contains of claims, or why the flags cannot be used. */
export const decisionClaimsOf = async (settings: Settings): Promise<DecisionClaims> => {
  const { decisionLog, decisionLogClaims: level, decisionLogClaimsKeyFile: keyFile } = settings;
  if (keyFile !== undefined && level !== 'masked') {
    return failed('--decision-log-claims-key-file requires --decision-log-claims=masked');
  }
  if (level === 'none') return { kind: 'ready', options: undefined };
  if (decisionLog === undefined) return failed('--decision-log-claims requires --decision-log');
  const values = new Set(settings.decisionLogClaimValues);
  if (level === 'shape') return { kind: 'ready', options: { values, pseudonym: undefined } };
  const key = keyFile === undefined ? undefined : await readPseudonymKey(keyFile);
  if (key !== undefined && 'reason' in key) return failed(key.reason);
  return { kind: 'ready', options: { values, pseudonym: pseudonymizer(key?.key) } };
};

/** Returns why the flags cannot be used. */
export const decisionClaimsProblem = async (settings: Settings): Promise<string | undefined> => {
  const claims = await decisionClaimsOf(settings);
  return claims.kind === 'failed' ? claims.reason : undefined;
};

/** Reads the key of pseudonyms; errors do not quote it. */
export const readPseudonymKey = async (
  path: string,
): Promise<{ readonly key: string } | { readonly reason: string }> => {
  const reading = await readSnapshot(path, { maxBytes: maxKeyBytes });
  if (reading.kind === 'unreadable') {
    return { reason: `the key of pseudonyms cannot be read: ${escapeUnprintable(reading.reason)}` };
  }
  const key = Buffer.from(reading.bytes).toString().trim();
  if (key.length >= leastKeyLength) return { key };
  return {
    reason: `${escapeUnprintable(path)}: a key of pseudonyms has at least ${leastKeyLength} characters`,
  };
};

const leastKeyLength = 32;
const maxKeyBytes = 64 * 1024;

const failed = (reason: string): DecisionClaims => ({ kind: 'failed', reason });
