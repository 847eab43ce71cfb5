/** An issuer with temporary keys, a node that trusts it, and hand-built graphs. */
import type { AnonymousNode } from '../../engine/src/authenticators/anonymous/node.ts';
import type { JwtNode } from '../../engine/src/authenticators/jwt/node.ts';
import type { AuthenticatorGraph } from '../../engine/src/compile/graph.ts';
import { signingAlgorithms } from '../../engine/src/compile/settings.ts';
import type { Decision } from '../../engine/src/model/decision.ts';
import type { AuthenticationRequest } from '../../engine/src/model/request.ts';
import { secret } from '../../engine/src/model/secret.ts';
import {
  createSigningKey,
  keySetOf,
  mintToken,
  type SigningKey,
} from '../../engine/src/node/mint.ts';
import { type LinkedGraph, type LinkOptions, link } from '../../engine/src/runtime/link.ts';
import type { FakePorts } from './fake-ports.ts';
import { type MemoryWeb, publishIssuer } from './memory-web.ts';

export interface TestIssuer {
  readonly url: string;
  readonly keys: readonly SigningKey[];
  /** Signs a token with the last key; by default it is valid for an hour. */
  token(
    claims?: Readonly<Record<string, unknown>>,
    options?: { readonly key?: SigningKey; readonly header?: Readonly<Record<string, unknown>> },
  ): Promise<string>;
  /** Publishes the discovery document and the key set. */
  publish(web: MemoryWeb, headers?: Readonly<Record<string, string>>): void;
  /** Replaces the signing key; `keep` leaves the old ones in the key set. */
  rotate(options?: { readonly keep?: boolean }): Promise<void>;
}

/** The moment at which fake clocks start, in seconds. */
export const startSeconds = 1_700_000_000;

/** Creates an issuer with one key. */
export const testIssuer = async (
  url = 'https://issuer.example.com',
  algorithm = 'ES256',
): Promise<TestIssuer> => {
  let keys: readonly SigningKey[] = [await createSigningKey(algorithm, 'k1')];
  let made = 1;
  const lastKey = (): SigningKey => {
    const key = keys.at(-1);
    if (key === undefined) throw new Error('an issuer has a key from its start');
    return key;
  };
  return {
    url,
    get keys() {
      return keys;
    },
    token: (claims = {}, { key = lastKey(), header = {} } = {}) =>
      mintToken({ iss: url, aud: 'app', sub: 'jane', exp: startSeconds + 3600, ...claims }, key, {
        header,
      }),
    publish(web, headers) {
      publishIssuer(web, {
        url,
        jwks: keySetOf(keys),
        ...(headers === undefined ? {} : { headers }),
      });
    },
    async rotate({ keep = true } = {}) {
      made += 1;
      const fresh = await createSigningKey(algorithm, `k${made}`);
      keys = keep ? [...keys, fresh] : [fresh];
    },
  };
};

/** Username from `sub`, groups from `groups`, audience `app`. */
export const jwtNode = (
  issuer: { readonly url: string },
  changes: Partial<JwtNode> = {},
): JwtNode => ({
  module: 'jwt',
  id: 'jwt[0]',
  issuerUrl: issuer.url,
  discoveryUrl: undefined,
  certificateAuthority: undefined,
  audiences: ['app'],
  signingAlgorithms,
  claimValidationRules: [],
  username: { kind: 'claim', claim: 'sub', prefix: '' },
  groups: { kind: 'claim', claim: 'groups', prefix: '' },
  uid: undefined,
  extra: [],
  userValidationRules: [],
  ...changes,
});

export interface GraphOptions extends Partial<LinkOptions> {
  readonly anonymous?: Partial<AnonymousNode>;
  readonly apiDomain?: string;
}

/** Links a graph and waits for the first discovery of each issuer. */
export const linkNodes = async (
  nodes: readonly JwtNode[],
  ports: FakePorts,
  { anonymous = {}, apiDomain = 'k8s.io', ...options }: GraphOptions = {},
): Promise<LinkedGraph> => {
  const graph: AuthenticatorGraph = {
    apiDomain,
    targetRelease: 37,
    nodes,
    anonymous: {
      module: 'anonymous',
      enabled: false,
      paths: undefined,
      fromFile: false,
      ...anonymous,
    },
  };
  const linked = link(graph, ports, { mode: 'product', jwksRefetch: 'throttled', ...options });
  await linked.waitForDiscovery(new AbortController().signal);
  return linked;
};

/** Authenticates a request with a bearer token, or without one. */
export const ask = async (
  linked: Pick<LinkedGraph, 'authenticate'>,
  token: string | undefined,
  request: Partial<AuthenticationRequest> = {},
): Promise<Decision> =>
  linked.authenticate(
    {
      path: '/api',
      audiences: [],
      token: token === undefined ? undefined : secret(token),
      ...request,
    },
    new AbortController().signal,
  );

/** Returns the username, or the reason of the rejection. */
export const nameOrReason = (decision: Decision): string => {
  switch (decision.kind) {
    case 'accepted':
      return `accepted ${decision.user.username}`;
    case 'rejected':
      return `rejected ${decision.reason.message}`;
    case 'noOpinion':
      return 'no opinion';
  }
};
