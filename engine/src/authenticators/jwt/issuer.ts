/**
 * One issuer at work: found by discovery, its keys at hand, tokens checked against them. Serves the
 * authenticator of a node and the issuers of distributed claims alike.
 */
import { differs, type Mode } from '../../model/differences.ts';
import { maxIssuerBodyBytes, maxKeysInSet } from '../../model/limits.ts';
import type { Release } from '../../model/release.ts';
import type { Ports } from '../../ports/ports.ts';
import type { HeaderReading } from '../../signed-token/header.ts';
import type { PeekedToken } from '../../signed-token/parse.ts';
import { refuseForm } from '../../signed-token/token-form.ts';
import { type Verifier, type VerifyContext, verifyToken } from '../../signed-token/verify.ts';
import { type DiscoveryOptions, discoverIssuer } from './issuer-discovery.ts';
import { type FetchOutcome, type IssuerKeys, issuerKeys, type KeyRefetch } from './issuer-keys.ts';

export interface IssuerOptions {
  readonly issuerUrl: string;
  readonly discoveryUrl: string | undefined;
  readonly certificateAuthority: string | undefined;
  readonly algorithms: readonly string[];
  readonly audiences: readonly string[];
  readonly needsJwksUrl: boolean;
  readonly mode: Mode;
  /** Decides the order of the checks of a token. */
  readonly release: Release;
  readonly refetch: KeyRefetch;
  readonly readHeader: (text: string) => HeaderReading | undefined;
  readonly ports: Ports;
  /** Told about every fetch of keys. */
  readonly onFetch?: (outcome: FetchOutcome) => void;
}

export interface Issuer {
  /** Why it is not ready; `undefined` when it is. */
  error(): string | undefined;
  readonly firstTry: Promise<void>;
  /** `not-ready` before discovery, `undefined` for a good token, else the words of the refusal. */
  verify(
    token: PeekedToken,
    context: VerifyContext,
  ): 'not-ready' | string | undefined | Promise<string | undefined>;
  close(): void;
}

/** First release that verifies the signature before it reads the claims. */
const signatureFirstSince: Release = 36;

/** Starts discovery at once. */
export const startIssuer = (options: IssuerOptions): Issuer => {
  const { ports, mode } = options;
  let keys: IssuerKeys | undefined;
  let closed = false;
  const maxBodyBytes = differs(mode, 'bounded-bodies') ? maxIssuerBodyBytes : unbounded;

  const useKeys = (jwksUrl: string, earlierKeys?: string): void => {
    keys?.close();
    keys = issuerKeys({
      jwksUrl,
      certificateAuthority: options.certificateAuthority,
      maxBodyBytes,
      httpsOnly: differs(mode, 'https-only'),
      refetch: differs(mode, 'key-refetch') ? options.refetch : 'per-token',
      keySet: {
        signatures: ports.signatures,
        refuseEncryptionKeys: differs(mode, 'encryption-key'),
        maxKeys: differs(mode, 'key-limits') ? maxKeysInSet : unbounded,
      },
      ports,
      ...(earlierKeys === undefined ? {} : { earlierKeys }),
      onFetch: (outcome) => {
        options.onFetch?.(outcome);
        if (outcome.kind === 'fetched') keepKeys(options, { jwksUrl, body: outcome.body });
      },
    });
  };

  const discovery = discoverIssuer({
    ...discoveryOptions(options, maxBodyBytes),
    onDiscovered: (jwksUrl) => {
      const earlier = kept?.jwksUrl === jwksUrl ? kept.body : undefined;
      useKeys(jwksUrl, earlier);
    },
    onFailure: (error) =>
      ports.log.event('warn', 'issuer discovery failed', { issuer: options.issuerUrl, error }),
  });

  let kept: KeptKeys | undefined;
  const readKept = recallKeys(options).then((recalled) => {
    kept = recalled;
    if (recalled === undefined || keys !== undefined || closed) return;
    useKeys(recalled.jwksUrl, recalled.body);
  });

  const verifier: Verifier = {
    issuer: options.issuerUrl,
    algorithms: options.algorithms,
    audiences: options.audiences,
    readHeader: options.readHeader,
    checkSignature: (token, waiter) => keys?.check(token, waiter) ?? 'no keys',
    refuseForm: (token, opened) => refuseForm(token, opened, mode),
    checksClaimsFirst: options.release < signatureFirstSince,
    refusesEarly: () => differs(mode, 'early-refusal') && keys?.areKnown() === true,
  };
  return {
    error: () => (keys === undefined ? discovery.error() : undefined),
    firstTry: Promise.all([discovery.firstTry, readKept]).then(() => undefined),
    verify: (token, context) =>
      keys === undefined ? 'not-ready' : verifyToken(token, verifier, context),
    close() {
      closed = true;
      discovery.close();
      keys?.close();
    },
  };
};

/** A limit that is none. */
const unbounded = Number.MAX_SAFE_INTEGER;

const discoveryOptions = (
  options: IssuerOptions,
  maxBodyBytes: number,
): Omit<DiscoveryOptions, 'onDiscovered'> => ({
  issuerUrl: options.issuerUrl,
  discoveryUrl: options.discoveryUrl,
  certificateAuthority: options.certificateAuthority,
  needsJwksUrl: options.needsJwksUrl,
  maxBodyBytes,
  ports: options.ports,
});

/** What is kept over a restart. */
interface KeptKeys {
  readonly jwksUrl: string;
  readonly body: string;
}

const keepKeys = ({ issuerUrl, ports }: IssuerOptions, kept: KeptKeys): void => {
  void ports.keyCache?.write(issuerUrl, JSON.stringify({ issuer: issuerUrl, ...kept }));
};

const recallKeys = async ({ issuerUrl, ports }: IssuerOptions): Promise<KeptKeys | undefined> => {
  const text = await ports.keyCache?.read(issuerUrl);
  if (text === undefined) return undefined;
  try {
    const kept: unknown = JSON.parse(text);
    return isKept(kept) && kept.issuer === issuerUrl ? kept : undefined;
  } catch {
    return undefined; // What cannot be read was not kept.
  }
};

const isKept = (value: unknown): value is KeptKeys & { readonly issuer: string } =>
  typeof value === 'object' &&
  value !== null &&
  'issuer' in value &&
  'jwksUrl' in value &&
  typeof value.jwksUrl === 'string' &&
  'body' in value &&
  typeof value.body === 'string';
