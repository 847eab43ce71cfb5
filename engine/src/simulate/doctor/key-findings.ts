/** Checks that the key set can be fetched, and which of its keys can verify a token. */
import { fetchKeySet, type KeysResponse } from '../../authenticators/jwt/issuer-keys.ts';
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { maxIssuerBodyBytes, maxKeysInSet } from '../../model/limits.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Signatures } from '../../ports/signatures.ts';
import type { VerificationKey } from '../../signed-token/key-set.ts';
import { connectionAdvice } from './connection-advice.ts';
import { type DoctorFinding, errorFinding, okFinding, warningFinding } from './finding.ts';
import type { WatchedWeb } from './watched-web.ts';

export interface KeyOptions {
  readonly jwksUrl: string;
  readonly web: WatchedWeb;
  readonly clock: Clock;
  readonly signatures: Signatures;
  readonly signal: AbortSignal;
  readonly hasUnusableAuthority: boolean;
}

export const examineKeys = async (
  { certificateAuthority }: JwtNode,
  { jwksUrl, web, clock, signatures, signal, hasUnusableAuthority }: KeyOptions,
): Promise<readonly DoctorFinding[]> => {
  const answer = await fetchKeySet(
    {
      jwksUrl,
      certificateAuthority,
      maxBodyBytes: maxIssuerBodyBytes,
      httpsOnly: true,
      keySet: { signatures, rejectEncryptionKeys: true, maxKeys: maxKeysInSet },
      ports: { clock, http: web },
    },
    signal,
  );
  return answer.kind === 'failed'
    ? [failureOf(answer, jwksUrl, hasUnusableAuthority)]
    : keyFindings(answer, jwksUrl);
};

const failureOf = (
  { error, problem }: Extract<KeysResponse, { kind: 'failed' }>,
  jwksUrl: string,
  hasUnusableAuthority: boolean,
): DoctorFinding => {
  if (problem === 'unreadable') {
    return errorFinding(
      `the key set at ${jwksUrl} cannot be read: ${error}`,
      'One malformed key makes the whole key set unusable for the API server. Remove it at the issuer.',
    );
  }
  return errorFinding(
    `no key set from ${jwksUrl}: ${error}`,
    connectionAdvice(problem.request, hasUnusableAuthority),
  );
};

const keyFindings = (
  { keys, lifetimeMs }: Extract<KeysResponse, { kind: 'fetched' }>,
  jwksUrl: string,
): readonly DoctorFinding[] => {
  const usable = keys.filter(({ prepared }) => prepared !== undefined);
  if (usable.length === 0) {
    return [
      errorFinding(
        `the key set at ${jwksUrl} contains no key that can verify a token (${keys.length} keys in total)`,
        'It needs a public RSA key, or an EC key on P-256, P-384 or P-521, that is not for encryption only.',
      ),
    ];
  }
  return [
    okFinding(
      `key set at ${jwksUrl}: ${counted(usable.length)} to verify tokens (${kinds(usable)})`,
    ),
    ...namelessKeys(usable),
    ...sharedNames(usable),
    okFinding(
      lifetimeMs > 0
        ? `keys are cached for ${Math.round(lifetimeMs / 1000)} s, then fetched again`
        : 'keys are fetched again when a token has an unknown kid',
    ),
  ];
};

const counted = (count: number): string => (count === 1 ? '1 key' : `${count} keys`);

const kinds = (keys: readonly VerificationKey[]): string =>
  [...new Set(keys.map(({ prepared }) => prepared?.curve ?? prepared?.keyType ?? ''))].join(', ');

const namelessKeys = (keys: readonly VerificationKey[]): readonly DoctorFinding[] =>
  keys.length > 1 && keys.some(({ keyId }) => keyId === '')
    ? [
        warningFinding(
          'some keys have no kid',
          'Tokens refer to their key by kid. Without it the API server tries every key and may detect a rotation late.',
        ),
      ]
    : [];

const sharedNames = (keys: readonly VerificationKey[]): readonly DoctorFinding[] => {
  const names = keys.map(({ keyId }) => keyId).filter((keyId) => keyId !== '');
  const shared = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  return shared.length === 0
    ? []
    : [
        warningFinding(
          `several keys have the kid ${shared.map(goQuote).join(', ')}`,
          'Give each key a unique kid at the issuer.',
        ),
      ];
};
