/**
 * One issuer: its discovery, its keys and the verification of its tokens. Used for `jwt` nodes and
 * for issuers of distributed claims.
 */
import type { Rejection } from '../../model/decision.ts';
import { differs, type Mode } from '../../model/differences.ts';
import { maxIssuerBodyBytes, maxKeysInSet } from '../../model/limits.ts';
import { rejectionOf } from '../../model/rejection.ts';
import type { Release } from '../../model/release.ts';
import type { Ports } from '../../ports/ports.ts';
import type { HeaderReading } from '../../signed-token/header.ts';
import type { PeekedToken } from '../../signed-token/parse.ts';
import { tokenFormatProblem } from '../../signed-token/token-format.ts';
import { type Verifier, type VerifyContext, verifyToken } from '../../signed-token/verify.ts';
import { discoverIssuer } from './issuer-discovery.ts';
import { issuerFailureLog } from './issuer-failure-log.ts';
import { type FetchOutcome, type IssuerKeys, issuerKeys, type KeyRefetch } from './issuer-keys.ts';
import type { JwtNode } from './node.ts';
import { signatureInvalid } from './rejections.ts';

export interface IssuerOptions
  extends Pick<
    JwtNode,
    'issuerUrl' | 'discoveryUrl' | 'certificateAuthority' | 'signingAlgorithms' | 'audiences'
  > {
  readonly needsJwksUrl: boolean;
  readonly mode: Mode;
  /** The release, which determines the order of the checks. */
  readonly release: Release;
  readonly refetch: KeyRefetch;
  readonly readHeader: (text: string) => HeaderReading | undefined;
  readonly ports: Ports;
  /** Called after each fetch of keys. */
  readonly onFetch?: ((outcome: FetchOutcome) => void) | undefined;
}

export interface Issuer {
  /** Returns why the issuer is not ready; `undefined` once it is. */
  error(): string | undefined;
  readonly firstAttempt: Promise<void>;
  /**
   * Verifies a token; returns `not-ready` before discovery, `undefined` for a valid token,
   * otherwise a rejection worded to follow `oidc: verify token: `.
   */
  verify(
    token: PeekedToken,
    context: VerifyContext,
  ): 'not-ready' | Rejection | undefined | Promise<Rejection | undefined>;
  close(): void;
}

/** The first release that verifies the signature before it reads the claims. */
const signatureFirstSince: Release = 36;

/** Starts an issuer and its discovery. */
export const startIssuer = (options: IssuerOptions): Issuer => {
  const { ports, mode } = options;
  let keys: IssuerKeys | undefined;
  let isClosed = false;
  const maxBodyBytes = differs(mode, 'bounded-bodies') ? maxIssuerBodyBytes : unbounded;
  const logOf = (message: string) =>
    issuerFailureLog({ issuer: options.issuerUrl, message, log: ports.log, clock: ports.clock });
  const discoveryLog = logOf('issuer discovery failed');
  const fetchLog = logOf('issuer key fetch failed');

  const useKeys = (jwksUrl: string, storedKeys?: string): void => {
    keys?.close();
    const created: IssuerKeys = issuerKeys({
      ...options,
      jwksUrl,
      maxBodyBytes,
      httpsOnly: differs(mode, 'https-only'),
      refetch: differs(mode, 'key-refetch') ? options.refetch : 'per-token',
      keySet: {
        signatures: ports.signatures,
        rejectEncryptionKeys: differs(mode, 'encryption-key'),
        maxKeys: differs(mode, 'key-limits') ? maxKeysInSet : unbounded,
      },
      storedKeys,
      onFetch: (outcome) => {
        options.onFetch?.(outcome);
        if (outcome.kind === 'fetched') {
          fetchLog.succeeded();
          storeKeys(options, { jwksUrl, body: outcome.body });
          return;
        }
        // A fetch also fails because its issuer is closed, after a reload.
        if (keys === created && !isClosed) fetchLog.failed(outcome.error);
      },
    });
    keys = created;
  };

  const discovery = discoverIssuer({
    ...options,
    maxBodyBytes,
    onDiscovered: (jwksUrl) => {
      discoveryLog.succeeded();
      const storedKeys = loadedKeys?.jwksUrl === jwksUrl ? loadedKeys.body : undefined;
      useKeys(jwksUrl, storedKeys);
    },
    onFailure: discoveryLog.failed,
  });

  let loadedKeys: StoredKeys | undefined;
  const loading = loadStoredKeys(options).then((stored) => {
    loadedKeys = stored;
    if (stored === undefined || keys !== undefined || isClosed) return;
    useKeys(stored.jwksUrl, stored.body);
  });

  const verifier: Verifier = {
    issuer: options.issuerUrl,
    algorithms: options.signingAlgorithms,
    audiences: options.audiences,
    readHeader: options.readHeader,
    verifySignature: (token, waiter) =>
      keys === undefined ? rejectionOf(signatureInvalid) : keys.check(token, waiter),
    formatProblem: (token, opened) => tokenFormatProblem(token, opened, mode),
    checksClaimsFirst: options.release < signatureFirstSince,
    rejectsEarly: () => differs(mode, 'early-rejection') && keys?.hasKeys() === true,
  };
  return {
    error: () => (keys === undefined ? discovery.error() : undefined),
    firstAttempt: Promise.all([discovery.firstAttempt, loading]).then(() => undefined),
    verify: (token, context) =>
      keys === undefined ? 'not-ready' : verifyToken(token, verifier, context),
    close() {
      isClosed = true;
      discovery.close();
      keys?.close();
    },
  };
};

/** A value that disables a limit. */
const unbounded = Number.MAX_SAFE_INTEGER;

/** The key set that is stored for the next run. */
interface StoredKeys {
  readonly jwksUrl: string;
  readonly body: string;
}

const storeKeys = ({ issuerUrl, ports }: IssuerOptions, keys: StoredKeys): void => {
  void ports.keyCache?.write(issuerUrl, JSON.stringify({ issuer: issuerUrl, ...keys }));
};

const loadStoredKeys = async ({
  issuerUrl,
  ports,
}: IssuerOptions): Promise<StoredKeys | undefined> => {
  const text = await ports.keyCache?.read(issuerUrl);
  if (text === undefined) return undefined;
  try {
    const stored: unknown = JSON.parse(text);
    return isStoredKeys(stored) && stored.issuer === issuerUrl ? stored : undefined;
  } catch {
    return undefined; // Unreadable content is treated as absent.
  }
};

const isStoredKeys = (value: unknown): value is StoredKeys & { readonly issuer: string } =>
  typeof value === 'object' &&
  value !== null &&
  'issuer' in value &&
  'jwksUrl' in value &&
  typeof value.jwksUrl === 'string' &&
  'body' in value &&
  typeof value.body === 'string';
