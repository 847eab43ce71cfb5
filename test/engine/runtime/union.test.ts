/** Which authenticators are called in which order, and how their decisions are combined. */
import { describe, expect, test } from 'vitest';
import {
  type FlagModule,
  type FlagModules,
  noFlagModules,
} from '../../../engine/src/authenticators/registry.ts';
import { type Decision, noOpinion } from '../../../engine/src/model/decision.ts';
import type { ModuleId } from '../../../engine/src/model/module-id.ts';
import type { AuthenticationRequest } from '../../../engine/src/model/request.ts';
import { secret } from '../../../engine/src/model/secret.ts';
import { fakePorts } from '../../support/fake-ports.ts';
import { linkNodes, nameOrReason } from '../../support/test-issuer.ts';

const accept = (by: ModuleId, audiences: readonly string[] = []): Decision => ({
  kind: 'accepted',
  by,
  audiences,
  user: { username: by, uid: '', groups: ['dev'], extra: new Map() },
});
const reject = (by: ModuleId): Decision => ({
  kind: 'rejected',
  by,
  reason: { code: 'AG5000', message: `no from ${by}` },
});

type Answer = (id: ModuleId) => Decision | Promise<Decision>;

const setUp = async (
  answerOf: (id: ModuleId) => Answer,
  apiAudiences: readonly string[] = [],
  audiences: FlagModule['audiences'] = 'agnostic',
) => {
  const asked: ModuleId[] = [];
  const module = (id: ModuleId): FlagModule => ({
    id,
    audiences,
    authenticator: {
      authenticate() {
        asked.push(id);
        return answerOf(id)(id);
      },
      close: () => Promise.resolve(),
    },
  });
  const flagModules: FlagModules = {
    certificateModules: [module('authenticating-proxy'), module('client-certificate')],
    tokensBeforeJwt: [
      module('static-token'),
      module('legacy-service-account-token'),
      module('service-account-token'),
      module('bootstrap-token'),
    ],
    tokensAfterJwt: [module('webhook-token')],
  };
  const linked = await linkNodes([], fakePorts(), {
    apiAudiences,
    flagModules,
    anonymous: { enabled: true },
  });
  const decide = (request: Partial<AuthenticationRequest>) =>
    linked.connection()(
      { path: '/', token: undefined, audiences: apiAudiences, ...request },
      new AbortController(),
    );
  return { asked, decide };
};

const certificates = { chain: [new Uint8Array([1])] };
const token = secret('a-token');
const everyModule: readonly ModuleId[] = [
  'authenticating-proxy',
  'client-certificate',
  'static-token',
  'legacy-service-account-token',
  'service-account-token',
  'bootstrap-token',
  'webhook-token',
];

describe('the order of authenticators', () => {
  test.each<[string, Answer]>([
    ['values', () => noOpinion],
    ['promises', () => Promise.resolve(noOpinion)],
  ])('for %s', async (_name, answer) => {
    const { asked, decide } = await setUp(() => answer);
    expect(nameOrReason(await decide({ certificates, token }))).toBe(
      'rejected invalid bearer token',
    );
    expect(asked).toEqual(everyModule);
  });
  test.each(everyModule)('the first acceptance wins: %s', async (winner) => {
    const { asked, decide } = await setUp((id) =>
      id === winner ? (by) => accept(by) : () => reject(id),
    );
    expect(nameOrReason(await decide({ certificates, token }))).toBe(`accepted ${winner}`);
    expect(asked).toEqual(everyModule.slice(0, everyModule.indexOf(winner) + 1));
  });
  test('certificate authenticators are skipped without a certificate', async () => {
    const { asked, decide } = await setUp(() => () => noOpinion);
    await decide({ token });
    expect(asked).toEqual(everyModule.slice(2));
  });
  test('a request without credentials has no opinion', async () => {
    const { asked, decide } = await setUp(() => () => noOpinion);
    expect(nameOrReason(await decide({}))).toBe('accepted system:anonymous');
    expect(asked).toEqual([]);
  });
  test('a certificate without an opinion has no opinion', async () => {
    const { decide } = await setUp(() => () => noOpinion);
    expect(nameOrReason(await decide({ certificates }))).toBe('accepted system:anonymous');
  });
});

describe('errors', () => {
  test('of all authenticators are combined', async () => {
    const { decide } = await setUp((id) => () => reject(id));
    expect(nameOrReason(await decide({ certificates, token }))).toBe(
      `rejected [${everyModule.map((id) => `no from ${id}`).join(', ')}]`,
    );
  });
  test('never become anonymous', async () => {
    const { decide } = await setUp(
      (id) => () => (id === 'client-certificate' ? reject(id) : noOpinion),
    );
    expect(nameOrReason(await decide({ certificates }))).toBe(
      'rejected no from client-certificate',
    );
  });
  test('of a certificate come before those of a token', async () => {
    const { decide } = await setUp(
      (id) => () => (id === 'client-certificate' ? reject(id) : noOpinion),
    );
    expect(nameOrReason(await decide({ certificates, token }))).toBe(
      'rejected [no from client-certificate, invalid bearer token]',
    );
  });
});

describe('audiences', () => {
  test('of the API apply to an authenticator without audiences', async () => {
    const { decide } = await setUp(() => (by) => accept(by), ['api', 'other']);
    expect(await decide({ token, audiences: ['x', 'api'] })).toMatchObject({
      audiences: ['api'],
      user: { groups: ['dev', 'system:authenticated'] },
    });
  });
  test('of others skip every such authenticator', async () => {
    const { asked, decide } = await setUp(() => (by) => accept(by), ['api']);
    expect(nameOrReason(await decide({ token, certificates, audiences: ['x'] }))).toBe(
      'rejected invalid bearer token',
    );
    expect(asked).toEqual([]);
  });
  test('must not be returned by such an authenticator', async () => {
    const { decide } = await setUp(() => (by) => accept(by, ['z']), ['api']);
    const text =
      'audience agnostic authenticator wrapped an authenticator that returned audiences: ["z"]';
    expect(nameOrReason(await decide({ token }))).toBe(`rejected ${text}`);
  });
  test('are left to an authenticator that knows them', async () => {
    const { decide } = await setUp(() => (by) => accept(by, ['z']), ['api'], 'aware');
    expect(await decide({ token, audiences: ['x'] })).toMatchObject({ audiences: ['z'] });
  });
});

test('without authenticators there is no opinion', () => {
  expect(Object.values(noFlagModules).flat()).toEqual([]);
});
