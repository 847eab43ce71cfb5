/** `authgraph create-token` with a TLS server that issues tokens. */
import { createPublicKey } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountTokenRules } from '../../engine/src/authenticators/service-account-token/token-rules.ts';
import { unauthorized } from '../../engine/src/model/api-error.ts';
import { headerList } from '../../engine/src/model/header-list.ts';
import { createTokenRequest } from '../../engine/src/server/endpoints/token-requests.ts';
import type { Exchange } from '../../engine/src/server/http/exchange.ts';
import { errorResponse } from '../../engine/src/server/http/handler-response.ts';
import { requestInfo } from '../../engine/src/server/http/request-info.ts';
import { parseTarget } from '../../engine/src/server/http/target.ts';
import { warningHeaders } from '../../engine/src/server/http/warnings.ts';
import {
  accountAuthenticator,
  builder,
  issuer,
  keysOf,
  newKey,
  pemOf,
  signerOf,
} from '../support/account-fixtures.ts';
import { accountView } from '../support/answer-modules/account-objects.ts';
import { runCaptured } from '../support/captured-io.ts';
import { testAuthority } from '../support/certificates.ts';

const authority = testAuthority();
const identity = authority.issue();
const key = newKey('P-256');
const signer = signerOf(pemOf(key, 'sec1'));
const { authenticate, now } = accountAuthenticator(keysOf(pemOf(createPublicKey(key), 'spki')));
const view = accountView({ serviceAccounts: [builder] });

let server: Server;
let url = '';

beforeAll(async () => {
  server = createServer({ cert: identity.pem, key: identity.keyPem }, async (request, response) => {
    const target = parseTarget(request.url ?? '');
    if (target === undefined) throw new Error('no target');
    const bytes = await buffer(request);
    const exchange: Exchange = {
      method: request.method ?? '',
      headers: headerList(request.rawHeaders),
      target,
      info: requestInfo(request.method ?? '', target),
      warnings: [],
      isCanceled: () => false,
      readBody: () => Promise.resolve({ kind: 'bytes', bytes }),
    };
    const [, namespace = '', name = ''] =
      /^\/api\/v1\/namespaces\/([^/]+)\/serviceaccounts\/([^/]+)\/token$/.exec(target.path) ?? [];
    const answer =
      request.headers.authorization === 'Bearer my-own-token'
        ? await createTokenRequest(exchange, {
            namespace,
            name,
            domain: 'platform.io',
            issuer,
            apiAudiences: [issuer],
            maxExpirationSeconds: 3600,
            extendExpiration: true,
            rules: accountTokenRules(new Map()),
            uidMismatch: 'rejected',
            signer,
            store: {
              async get(wanted) {
                if (wanted.resource === 'namespaces') {
                  return { key: wanted, revision: '1', object: new Map() };
                }
                const found = await view.find(wanted);
                return found.kind === 'found'
                  ? { key: wanted, revision: '1', object: found.object }
                  : undefined;
              },
            },
            randomness: { fraction: () => 0, uuid: () => 'id-1' },
            now,
            recordIssued: () => {},
          })
        : errorResponse(exchange, unauthorized);
    for (const warning of warningHeaders(exchange.warnings))
      response.appendHeader('Warning', warning);
    for (const [field, value] of answer.headers) response.appendHeader(field, value);
    response.statusCode = answer.status;
    response.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

const files = { 'ca.crt': authority.pem, token: 'my-own-token\n', other: 'another-token\n' };

const run = (...args: readonly string[]) =>
  runCaptured(
    [
      'create-token',
      ...args,
      '-n',
      'team',
      '--server',
      url,
      '--certificate-authority',
      'ca.crt',
      ...(args.includes('--token-file') ? [] : ['--token-file', 'token']),
    ],
    { files },
  );

test('prints a valid token and nothing else', async () => {
  const { code, stdout, stderr } = await run('builder');
  expect([code, stderr]).toEqual([0, '']);
  expect(await authenticate(stdout)).toMatchObject({
    kind: 'accepted',
    user: { username: 'system:serviceaccount:team:builder' },
  });
});

test('can be called as create token', async () => {
  const { code, stdout } = await runCaptured(['create', 'token', '--help']);
  expect([code, stdout.split('\n')[0]]).toEqual([
    0,
    (await runCaptured(['create-token', '--help'])).stdout.split('\n')[0],
  ]);
});

test('requests what the flags say; a warning goes to standard error', async () => {
  const { code, stdout, stderr } = await run('builder', '--duration', '2h', '--audience', 'vault');
  expect([code, stderr]).toEqual([
    0,
    'Warning: requested expiration of 7200 seconds shortened to 3600 seconds\n',
  ]);
  const claims = JSON.parse(Buffer.from(stdout.split('.')[1] ?? '', 'base64url').toString());
  expect([claims.aud, claims.exp - claims.iat]).toEqual([['vault'], 3600]);
});

test('-o json prints the whole response in the requested API domain', async () => {
  const { code, stdout } = await run('builder', '-o', 'json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: { name: 'builder', namespace: 'team', uid: 'uid-1' },
    spec: { audiences: [issuer], expirationSeconds: 3600, boundObjectRef: null },
  });
});

test('-o yaml is YAML', async () => {
  const { stdout } = await run('builder', '-o', 'yaml');
  expect(stdout).toMatch(/^apiVersion: authentication\.k8s\.io\/v1\nkind: TokenRequest\n/);
});

test.each<[string, readonly string[]]>([
  ['serviceaccounts "missing" not found', ['missing']],
  ['pods "web" not found', ['builder', '--bound-object-kind', 'Pod', '--bound-object-name', 'web']],
  [
    'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes',
    ['builder', '--duration', '5s'],
  ],
  ['Unauthorized', ['builder', '--token-file', 'other']],
  ['serviceaccounts "missing" not found', ['missing', '-o', 'yaml']],
])('prints the error of the server: %s', async (message, args) => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr.replaceAll("'", '')).toBe(`error: failed to create token: ${message}\n`);
  expect(stderr).not.toContain('another-token');
});

test('sends no credential to a server that cannot be verified', async () => {
  const { code, stdout, stderr } = await runCaptured(
    ['create-token', 'builder', '--server', url, '--token-file', 'token'],
    { files },
  );
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^error: failed to create token: .*certificate/);
});

test.each<[string, readonly string[]]>([
  ['service account name is required', []],
  ['--duration must be greater than or equal to 0', ['a', '--duration', '-5s']],
  ['--duration cannot be expressed in units less than seconds', ['a', '--duration', '1500ms']],
  ['--audience must not be an empty string', ['a', '--audience', '']],
  [
    '--bound-object-name can only be set if --bound-object-kind is provided',
    ['a', '--bound-object-name', 'x'],
  ],
  [
    'supported --bound-object-kind values are Node, Pod, Secret',
    ['a', '--bound-object-kind', 'ConfigMap', '--bound-object-name', 'x'],
  ],
  [
    '--bound-object-name is required if --bound-object-kind is provided',
    ['a', '--bound-object-kind', 'Pod'],
  ],
])('%s', async (message, args) => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr.split('\n')[0]).toBe(`error: ${message}`);
});
