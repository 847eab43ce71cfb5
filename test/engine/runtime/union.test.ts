/** Who is asked, in which order, and what several answers come to. */
import { describe, expect, test } from 'vitest';
import {
  noFlagModules,
  type FlagModule,
  type FlagModules,
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

const stage = async (
  answerOf: (id: ModuleId) => Answer,
  apiAudiences: readonly string[] = [],
  audiences: FlagModule['audiences'] = 'agnostic',
) => {
  const asked: ModuleId[] = [];
  const module = (id: ModuleId): FlagModule => ({
    id,
    audiences,
    authenticator: {
      decide() {
        asked.push(id);
        return answerOf(id)(id);
      },
      readiness: () => ({ ready: true }),
      close: () => Promise.resolve(),
    },
  });
  const flagModules: FlagModules = {
    requests: [module('authenticating-proxy'), module('client-certificate')],
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
    flagModules: flagModules,
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

describe('the order of the modules', () => {
  test.each<[string, Answer]>([
    ['values', () => noOpinion],
    ['promises', () => Promise.resolve(noOpinion)],
  ])('of %s', async (_name, answer) => {
    const { asked, decide } = await stage(() => answer);
    expect(nameOrReason(await decide({ certificates, token }))).toBe(
      'rejected invalid bearer token',
    );
    expect(asked).toEqual(everyModule);
  });
  test.each(everyModule)('the first that accepts wins: %s', async (winner) => {
    const { asked, decide } = await stage((id) =>
      id === winner ? (by) => accept(by) : () => reject(id),
    );
    expect(nameOrReason(await decide({ certificates, token }))).toBe(`accepted ${winner}`);
    expect(asked).toEqual(everyModule.slice(0, everyModule.indexOf(winner) + 1));
  });
  test('who brings no certificate is not asked for one', async () => {
    const { asked, decide } = await stage(() => () => noOpinion);
    await decide({ token });
    expect(asked).toEqual(everyModule.slice(2));
  });
  test('who brings nothing is nobody', async () => {
    const { asked, decide } = await stage(() => () => noOpinion);
    expect(nameOrReason(await decide({}))).toBe('accepted system:anonymous');
    expect(asked).toEqual([]);
  });
  test('a certificate that nobody has an opinion about is nobody', async () => {
    const { decide } = await stage(() => () => noOpinion);
    expect(nameOrReason(await decide({ certificates }))).toBe('accepted system:anonymous');
  });
});

describe('errors', () => {
  test('of all modules are one', async () => {
    const { decide } = await stage((id) => () => reject(id));
    expect(nameOrReason(await decide({ certificates, token }))).toBe(
      `rejected [${everyModule.map((id) => `no from ${id}`).join(', ')}]`,
    );
  });
  test('never become anonymous', async () => {
    const { decide } = await stage(
      (id) => () => (id === 'client-certificate' ? reject(id) : noOpinion),
    );
    expect(nameOrReason(await decide({ certificates }))).toBe(
      'rejected no from client-certificate',
    );
  });
  test('of a certificate stand before those of a token', async () => {
    const { decide } = await stage(
      (id) => () => (id === 'client-certificate' ? reject(id) : noOpinion),
    );
    expect(nameOrReason(await decide({ certificates, token }))).toBe(
      'rejected [no from client-certificate, invalid bearer token]',
    );
  });
});

describe('audiences', () => {
  test('stand for a module that has none', async () => {
    const { decide } = await stage(() => (by) => accept(by), ['api', 'other']);
    expect(await decide({ token, audiences: ['x', 'api'] })).toMatchObject({
      audiences: ['api'],
      user: { groups: ['dev', 'system:authenticated'] },
    });
  });
  test('of others leave every module of that kind unasked', async () => {
    const { asked, decide } = await stage(() => (by) => accept(by), ['api']);
    expect(nameOrReason(await decide({ token, certificates, audiences: ['x'] }))).toBe(
      'rejected invalid bearer token',
    );
    expect(asked).toEqual([]);
  });
  test('a module that has none may not bring any', async () => {
    const { decide } = await stage(() => (by) => accept(by, ['z']), ['api']);
    const text =
      'audience agnostic authenticator wrapped an authenticator that returned audiences: ["z"]';
    expect(nameOrReason(await decide({ token }))).toBe(`rejected ${text}`);
  });
  test('are the business of a module that knows them', async () => {
    const { decide } = await stage(() => (by) => accept(by, ['z']), ['api'], 'aware');
    expect(await decide({ token, audiences: ['x'] })).toMatchObject({ audiences: ['z'] });
  });
});

test('without modules nobody is asked', () => {
  expect(Object.values(noFlagModules).flat()).toEqual([]);
});
