/** Checks that the key set can be fetched, and which of its keys can verify a token. */
import { fetchKeySet, type KeysResponse } from '../../authenticators/jwt/issuer-keys.ts';
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { maxIssuerBodyBytes, maxKeysInSet } from '../../model/limits.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Signatures } from '../../ports/signatures.ts';
import type { VerificationKey } from '../../signed-token/key-set.ts';
import { connectionAdvice } from './connection-advice.ts';
import { bad, type DoctorFinding, doubtful, well } from './finding.ts';
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
    return bad(
      `the key set at ${jwksUrl} cannot be read: ${error}`,
      'One malformed key makes the whole set unusable for the API server: take it out at the issuer.',
    );
  }
  return bad(
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
      bad(
        `the key set at ${jwksUrl} holds no key that can check a token (${keys.length} in all)`,
        'It needs a public RSA key, or an EC key on P-256, P-384 or P-521, that is not for encryption only.',
      ),
    ];
  }
  return [
    well(
      `key set at ${jwksUrl}: ${counted(usable.length)} to check tokens with (${kinds(usable)})`,
    ),
    ...namelessKeys(usable),
    ...sharedNames(usable),
    well(
      lifetimeMs > 0
        ? `its keys may be kept for ${Math.round(lifetimeMs / 1000)} s before they are asked for again`
        : 'its keys are asked for again when a token has a new key id',
    ),
  ];
};

const counted = (count: number): string => (count === 1 ? '1 key' : `${count} keys`);

const kinds = (keys: readonly VerificationKey[]): string =>
  [...new Set(keys.map(({ prepared }) => prepared?.curve ?? prepared?.keyType ?? ''))].join(', ');

const namelessKeys = (keys: readonly VerificationKey[]): readonly DoctorFinding[] =>
  keys.length > 1 && keys.some(({ keyId }) => keyId === '')
    ? [
        doubtful(
          'some keys have no kid',
          'Tokens name the key by it; without one the API server tries each, and a rotation may be noticed late.',
        ),
      ]
    : [];

const sharedNames = (keys: readonly VerificationKey[]): readonly DoctorFinding[] => {
  const names = keys.map(({ keyId }) => keyId).filter((keyId) => keyId !== '');
  const shared = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  return shared.length === 0
    ? []
    : [
        doubtful(
          `several keys have the kid ${shared.map(goQuote).join(', ')}`,
          'Give each key a name of its own at the issuer.',
        ),
      ];
};
