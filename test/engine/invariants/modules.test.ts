import { describe, expect, test } from 'vitest';
import type { Decision } from '../../../engine/src/model/decision.ts';
import {
  addAuthenticatedGroup,
  combineDecisions,
} from '../../../engine/src/runtime/combine-decisions.ts';
import { fakePorts } from '../../support/fake-ports.ts';
import {
  ask,
  type GraphOptions,
  jwtNode,
  linkNodes,
  nameOrReason,
  testIssuer,
} from '../../support/test-issuer.ts';

const graph = async (options: GraphOptions = {}) => {
  const issuer = await testIssuer();
  const ports = fakePorts();
  issuer.publish(ports.http);
  const linked = await linkNodes([jwtNode(issuer)], ports, options);
  return { issuer, linked };
};

const accept = (username: string): Decision => ({
  kind: 'accepted',
  by: 'jwt',
  audiences: [],
  user: { username, uid: '', groups: [], extra: new Map() },
});
const reject: Decision = {
  kind: 'rejected',
  by: 'jwt',
  reason: { code: 'AG5006', message: 'no' },
};

describe('INV-M1 the union is an OR', () => {
  test('a rejection by one authenticator does not prevent an acceptance by another', () => {
    expect(nameOrReason(combineDecisions([reject, accept('a')]))).toBe('accepted a');
    expect(nameOrReason(combineDecisions([{ kind: 'noOpinion' }, accept('a'), reject]))).toBe(
      'accepted a',
    );
  });
  test('all without an opinion: anonymous or no user', async () => {
    const open = await graph({ anonymous: { enabled: true } });
    expect(nameOrReason(await ask(open.linked, undefined))).toBe('accepted system:anonymous');
    const closed = await graph();
    expect(nameOrReason(await ask(closed.linked, undefined))).toBe('no opinion');
  });
});

describe('INV-M2 system:authenticated is added once, never to the anonymous user', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['jane', [], ['system:authenticated']],
    ['jane', ['a'], ['a', 'system:authenticated']],
    ['jane', ['system:authenticated', 'a'], ['system:authenticated', 'a']],
    ['jane', ['system:unauthenticated'], ['system:unauthenticated']],
    ['system:anonymous', ['a'], ['a']],
  ])('%s %j', async (sub, groups, expected) => {
    const { issuer, linked } = await graph();
    const decision = await ask(linked, await issuer.token({ sub, groups }));
    expect(decision.kind === 'accepted' && decision.user.groups).toEqual(expected);
    const user = { username: sub, uid: '', groups: expected, extra: new Map() };
    expect(addAuthenticatedGroup(user).groups).toEqual(expected);
  });
  test('the anonymous identity', async () => {
    const { linked } = await graph({ anonymous: { enabled: true } });
    const decision = await ask(linked, undefined);
    expect(decision.kind === 'accepted' && decision.user.groups).toEqual([
      'system:unauthenticated',
    ]);
  });
});

describe('INV-M3 an identity has a name', () => {
  test.each([[''], [null]])(
    'a username claim of %j is rejected, with or without a prefix',
    async (sub) => {
      for (const prefix of ['', 'oidc:']) {
        const issuer = await testIssuer();
        const ports = fakePorts();
        issuer.publish(ports.http);
        const username = { kind: 'claim', claim: 'sub', prefix } as const;
        const linked = await linkNodes([jwtNode(issuer, { username })], ports);
        expect(nameOrReason(await ask(linked, await issuer.token({ sub })))).toBe(
          'rejected oidc: username claim "sub" is empty',
        );
      }
    },
  );
});

describe('INV-M4 the order of authenticators decides only between two that accept', () => {
  test('the first acceptance wins', () => {
    expect(nameOrReason(combineDecisions([accept('first'), accept('second')]))).toBe(
      'accepted first',
    );
  });
  test('the order of nodes has no effect: each token has one issuer', async () => {
    const [one, two] = [await testIssuer('https://one'), await testIssuer('https://two')];
    const nodes = [jwtNode(one), jwtNode(two, { id: 'jwt[1]' })];
    for (const order of [nodes, nodes.toReversed()]) {
      const ports = fakePorts();
      one.publish(ports.http);
      two.publish(ports.http);
      const linked = await linkNodes(order, ports);
      const tokens = [await one.token({ sub: 'a' }), await two.token({ sub: 'b' })];
      const names = await Promise.all(
        tokens.map(async (token) => nameOrReason(await ask(linked, token))),
      );
      expect(names).toEqual(['accepted a', 'accepted b']);
    }
  });
});

describe('INV-P1 anonymous conditions compare the decoded path exactly', () => {
  test.each<[string, boolean]>([
    ['/healthz', true],
    ['/healthz/', false],
    ['/Healthz', false],
    ['//healthz', false],
    ['/./healthz', false],
    ['/a/../healthz', false],
    ['/healthz;x', false],
    ['/healthz%2f', false],
    ['/healthz ', false],
    ['', false],
  ])('%j: %j', async (path, open) => {
    const { linked } = await graph({ anonymous: { enabled: true, paths: ['/healthz'] } });
    const decision = await ask(linked, undefined, { path });
    expect(decision.kind).toBe(open ? 'accepted' : 'noOpinion');
  });
});

describe('INV-P2 a condition applies to the path of the request only', () => {
  test('two requests of one connection are decided by their own paths', async () => {
    const { linked } = await graph({ anonymous: { enabled: true, paths: ['/healthz'] } });
    const authenticate = linked.connection();
    const within = new AbortController();
    const at = async (path: string) =>
      (await authenticate({ path, token: undefined, audiences: [] }, within)).kind;
    expect([await at('/healthz'), await at('/api'), await at('/healthz')]).toEqual([
      'accepted',
      'noOpinion',
      'accepted',
    ]);
  });
});

describe('INV-P3 a rejected credential never becomes anonymous', () => {
  test.each(['broken', 'unknown', 'expired'])('a %s token', async (kind) => {
    const { issuer, linked } = await graph({ anonymous: { enabled: true } });
    const tokens = {
      broken: 'x',
      unknown: await (await testIssuer('https://elsewhere')).token(),
      expired: await issuer.token({ exp: 1 }),
    };
    const token = Object.entries(tokens).find(([name]) => name === kind)?.[1];
    expect((await ask(linked, token, { path: '/healthz' })).kind).toBe('rejected');
  });
});
