/** A service account with its own keys, a token of it, and the authenticators that verify the token. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { linkServiceAccountToken } from '../../engine/src/authenticators/service-account-token/authenticate.ts';
import {
  type NewTokenClaims,
  signToken,
} from '../../engine/src/authenticators/service-account-token/claims.ts';
import { compileServiceAccountToken } from '../../engine/src/authenticators/service-account-token/compile.ts';
import { accountTokenRules } from '../../engine/src/authenticators/service-account-token/token-rules.ts';
import type { Decision } from '../../engine/src/model/decision.ts';
import type { FeatureGates } from '../../engine/src/model/feature-gates.ts';
import { secret } from '../../engine/src/model/secret.ts';
import { nodePrivateKeys } from '../../engine/src/node/private-keys.ts';
import { nodeSigning } from '../../engine/src/node/signing.ts';
import type { Lookup, ObjectView } from '../../engine/src/ports/object-view.ts';
import type { TokenSigner } from '../../engine/src/ports/signing.ts';
import {
  type AccountKeys,
  accountKeys,
  readAccountKeys,
} from '../../engine/src/signed-token/account-keys.ts';
import { type AccountObjects, accountView } from './answer-modules/account-objects.ts';
import { fakePorts } from './fake-ports.ts';

export type KeyKind = 'RSA' | 'P-256' | 'P-384' | 'P-521';

export const newKey = (kind: KeyKind): KeyObject =>
  kind === 'RSA'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    : generateKeyPairSync('ec', { namedCurve: kind }).privateKey;

export const pemOf = (key: KeyObject, type: 'pkcs1' | 'pkcs8' | 'sec1' | 'spki'): string =>
  key.export({ format: 'pem', type: type as 'pkcs8' }).toString();

export const signerOf = (pem: string): TokenSigner => {
  const reading = nodeSigning().readSigner(pem);
  if (reading.kind !== 'signer') throw new Error(reading.error);
  return reading.signer;
};

export const keysOf = (...pems: readonly string[]): AccountKeys => {
  const files = pems.map((text, index) => ({ path: `key-${index}.pem`, text }));
  const reading = readAccountKeys(files, { ...fakePorts(), privateKeys: nodePrivateKeys() });
  return reading.kind === 'error' ? accountKeys([]) : reading.keys;
};

export const issuer = 'https://issuer.example';

export const claimsAt = (nowMs: number, more: Partial<NewTokenClaims> = {}): NewTokenClaims => ({
  boundName: 'kubernetes.io',
  issuer,
  audiences: [issuer],
  namespace: 'team',
  account: { name: 'builder', uid: 'uid-1' },
  pod: undefined,
  secret: undefined,
  node: undefined,
  issuedAt: Math.floor(nowMs / 1000),
  expiry: Math.floor(nowMs / 1000) + 3600,
  warnAfter: undefined,
  id: 'id-1',
  ...more,
});

export const builder = { metadata: { name: 'builder', namespace: 'team', uid: 'uid-1' } };

/** Creates an authenticator for service account tokens with these keys and objects. */
export const accountAuthenticator = (
  keys: AccountKeys,
  objects: AccountObjects | ObjectView = { serviceAccounts: [builder] },
  gates: FeatureGates = new Map(),
) => {
  const ports = fakePorts({ signatures: 'product' });
  const rules = accountTokenRules(gates);
  const node = compileServiceAccountToken({ issuers: [issuer], rules }, [issuer], keys);
  if (node === undefined) throw new Error('no issuer');
  const view = 'find' in objects ? objects : accountView(objects);
  const module = linkServiceAccountToken(node, ports, {
    keys,
    objects: view,
    mode: 'product',
    apiDomain: 'platform.io',
  });
  return {
    ports,
    now: ports.clock.now(),
    authenticate: (token: string): Decision | Promise<Decision> =>
      module.authenticate(
        { path: '/', token: secret(token), audiences: [] },
        new AbortController(),
      ),
  };
};

/** A view without objects that are recent enough. */
export const lostView: ObjectView = {
  find: (): Lookup => ({ kind: 'unavailable', reason: 'the local view is too old' }),
  list: () => undefined,
  onChange: () => () => {},
  readiness: () => ({ isReady: false, reason: 'the local view is too old' }),
};

export { signToken };
