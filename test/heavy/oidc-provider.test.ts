/**
 * An identity provider and our server, over TLS on loopback: its tokens are accepted, also after its
 * keys change; when it stops, cached keys go on working; then it restarts.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultSettings } from '../../engine/src/compile/settings.ts';
import { nodeClock } from '../../engine/src/node/clock.ts';
import { nodeKeyCache } from '../../engine/src/node/key-cache.ts';
import { nodePorts } from '../../engine/src/node/ports.ts';
import { type Serving, startServing } from '../../engine/src/server/configuration/serving.ts';
import { defaultServeOptions } from '../../engine/src/server/flags/options.ts';
import { type RunningServer, startServer } from '../../engine/src/server/server.ts';
import { type TestAuthority, testAuthority } from '../support/certificates.ts';
import { authenticatedUser } from '../support/https-request.ts';
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const audience = 'authgraph-test';
const { path: folder } = temporaryFolder();
const keyCache = nodeKeyCache({ directory: join(folder, 'keys') });

let authority: TestAuthority;
let provider: IdentityProvider;
let ours: OurServer;

beforeAll(async () => {
  authority = testAuthority();
  provider = await startIdentityProvider(authority, audience);
  ours = await startOurs();
});
afterAll(async () => {
  await ours.close();
  await provider.stop();
});

interface OurServer {
  /** Returns the status, and the username if there is one. */
  whoami(token: string): Promise<readonly [number, string | undefined]>;
  readonly reasons: string[];
  /** Advances the clock, for example beyond the pause between two fetches. */
  skip(milliseconds: number): void;
  close(): Promise<void>;
}

const configuration = (): string => `
apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: ${provider.issuer}
    audiences: [${audience}]
    certificateAuthority: |
${authority.pem.trimEnd().replaceAll(/^/gm, '      ')}
  claimValidationRules:
  - expression: claims.client_id == 'robot'
    message: not our robot
  claimMappings:
    username:
      expression: "'idp:' + claims.sub"
`;

const startOurs = async (): Promise<OurServer> => {
  const clock = nodeClock();
  const reasons: string[] = [];
  let skipped = 0;
  const ports = {
    ...nodePorts({ keyCache }),
    clock: { ...clock, monotonic: () => clock.monotonic() + skipped },
  };
  const start = await startServing({
    configuration: { kind: 'text', name: 'config.yaml', text: configuration() },
    settings: defaultSettings,
    ports,
    link: { mode: 'product', jwksRefetch: 'throttled' },
    report: () => {},
  });
  if (start.kind !== 'serving') throw new Error(JSON.stringify(start));
  const serving: Serving = start.serving;
  const server: RunningServer = await startServer({
    options: { ...defaultServeOptions(), bindAddress: '127.0.0.1', securePort: 0 },
    holder: serving.holder,
    ports,
    decisionLog: {
      event: (_level, _message, fields) => reasons.push(String(fields?.reason ?? '')),
    },
  });
  await serving.waitForDiscovery(AbortSignal.timeout(10_000));
  return {
    reasons,
    whoami: (token) => askWho(server, token),
    skip(milliseconds) {
      skipped += milliseconds;
    },
    async close() {
      await server.close(0);
      await serving.close();
      await ports.http.close();
    },
  };
};

const askWho = async (
  { port, authorityPem = '' }: RunningServer,
  token: string,
): Promise<readonly [number, string | undefined]> => {
  const user = await authenticatedUser({ port, authority: authorityPem, token });
  if (typeof user === 'number') return [user, undefined];
  return [201, (user as { readonly username: string }).username];
};

const accepted = [201, 'idp:robot'];
const refused = [401, undefined];
const pause = 11_000;

// Each test depends on the one before it.

test('a token of the provider is accepted, with one look at its two documents', async () => {
  expect(await ours.whoami(await provider.token())).toEqual(accepted);
  expect(await ours.whoami(await provider.token())).toEqual(accepted);
  expect(provider.requests).toEqual(['/.well-known/openid-configuration', '/jwks']);
});

test('a token for another audience and a changed token are rejected', async () => {
  const token = await provider.token();
  expect(await ours.whoami(`${token.slice(0, -6)}AAAAAA`)).toEqual(refused);
  expect(await ours.whoami(token)).toEqual(accepted);
});

test('its keys change, and its tokens are still accepted', async () => {
  ours.skip(pause);
  const old = await provider.token();
  provider.rotateKeys({ keep: true });
  expect(await ours.whoami(await provider.token())).toEqual(accepted);
  expect(await ours.whoami(old)).toEqual(accepted);
  provider.rotateKeys();
  expect(await ours.whoami(await provider.token())).toEqual(accepted);
});

test('a revoked key is no longer accepted', async () => {
  const old = await provider.token();
  provider.rotateKeys();
  expect(await ours.whoami(await provider.token())).toEqual(accepted);
  expect(await ours.whoami(old)).toEqual(refused);
  ours.skip(pause);
});

test('it stops: cached keys go on working, new ones cannot be fetched', async () => {
  const atHand = await provider.token();
  provider.rotateKeys();
  const unheard = await provider.token();
  await provider.stop();
  expect(await ours.whoami(atHand)).toEqual(accepted);
  expect(await ours.whoami(unheard)).toEqual(refused);
  expect(ours.reasons.at(-1)).toMatch(
    /fetching keys oidc: get keys failed Get "https:\/\/localhost:\d+\/jwks": dial tcp .*: connect: connection refused/,
  );
});

test('our server restarts while the provider is down: keys on disk go on working', async () => {
  await provider.start();
  const token = await provider.token();
  ours.skip(pause);
  expect(await ours.whoami(token)).toEqual(accepted);
  await provider.stop();
  await ours.close();
  ours = await startOurs();
  expect(await ours.whoami(token)).toEqual(accepted);
});

test('it restarts with new keys, which are accepted', async () => {
  await provider.start();
  provider.rotateKeys();
  ours.skip(pause);
  expect(await ours.whoami(await provider.token())).toEqual(accepted);
});
