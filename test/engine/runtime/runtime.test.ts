import { describe, expect, test } from 'vitest';
import { type Decision, noOpinion } from '../../../engine/src/model/decision.ts';
import { reveal, secret } from '../../../engine/src/model/secret.ts';
import { readBearerToken } from '../../../engine/src/runtime/bearer-token.ts';
import {
  aggregateMessages,
  combineDecisions,
} from '../../../engine/src/runtime/combine-decisions.ts';
import { decisionLogEntry, mask } from '../../../engine/src/runtime/decision-log.ts';
import { graphHolder } from '../../../engine/src/runtime/swap.ts';
import { fakePorts } from '../../support/fake-ports.ts';
import { ask, jwtNode, linkNodes, nameOrReason, testIssuer } from '../../support/test-issuer.ts';

describe('the bearer token of a header', () => {
  const warning =
    'the provided Authorization header contains extra space before the bearer token, and is ignored';
  test.each<[string | undefined, string | undefined, string | undefined]>([
    [undefined, undefined, undefined],
    ['', undefined, undefined],
    ['Bearer abc', 'abc', undefined],
    ['bearer abc', 'abc', undefined],
    ['BEARER abc', 'abc', undefined],
    ['  Bearer abc  ', 'abc', undefined],
    ['Bearer abc def ghi', 'abc', undefined],
    ['Bearer', undefined, undefined],
    ['Bearer ', undefined, undefined],
    ['Bearer  abc', undefined, warning],
    ['Bearer   abc', undefined, warning],
    ['Bearer\tabc', undefined, undefined],
    ['Basic abc', undefined, undefined],
    ['Bearerabc', undefined, undefined],
  ])('%j', (header, token, warning) => {
    const reading = readBearerToken(header);
    expect(reading.token && reveal(reading.token)).toBe(token);
    expect(reading.warning).toBe(warning);
  });
});

describe('the union', () => {
  const accept = (username: string): Decision => ({
    kind: 'accepted',
    by: 'jwt',
    audiences: [],
    user: { username, uid: '', groups: [], extra: new Map() },
  });
  const reject = (message: string): Decision => ({
    kind: 'rejected',
    by: 'jwt',
    reason: { code: 'AG5006', message },
  });
  test.each<[readonly Decision[], string]>([
    [[], 'no opinion'],
    [[noOpinion, noOpinion], 'no opinion'],
    [[noOpinion, accept('a'), accept('b')], 'accepted a'],
    [[reject('e1'), accept('b')], 'accepted b'],
    [[reject('e1'), noOpinion], 'rejected e1'],
    [[reject('e1'), reject('e2')], 'rejected [e1, e2]'],
    [[reject('e1'), reject('e1')], 'rejected e1'],
  ])('%#', (decisions, expected) => {
    expect(nameOrReason(combineDecisions(decisions))).toBe(expected);
  });
  test('combines errors', () => {
    expect(aggregateMessages(['a'])).toBe('a');
    expect(aggregateMessages(['a', 'b', 'a'])).toBe('[a, b]');
  });
});

describe('audiences', () => {
  const setUp = async (apiAudiences: readonly string[]) => {
    const issuer = await testIssuer();
    const ports = fakePorts();
    issuer.publish(ports.http);
    const linked = await linkNodes([jwtNode(issuer)], ports, { apiAudiences });
    return { linked, token: await issuer.token() };
  };
  test('of the API apply to an authenticator without audiences', async () => {
    const { linked, token } = await setUp(['api', 'other']);
    const decision = await ask(linked, token, { audiences: ['x', 'api'] });
    expect(decision).toMatchObject({ kind: 'accepted', audiences: ['api'] });
  });
  test('of others skip the authenticator', async () => {
    const { linked, token } = await setUp(['api']);
    expect(nameOrReason(await ask(linked, token, { audiences: ['x'] }))).toBe(
      'rejected invalid bearer token',
    );
  });
  test('are empty if none are requested', async () => {
    const { linked, token } = await setUp(['api']);
    expect(await ask(linked, token)).toMatchObject({ kind: 'accepted', audiences: [] });
  });
});

describe('graph holder', () => {
  const graph = async (name: string, closed: string[]) => {
    const linked = await linkNodes([], fakePorts());
    return {
      ...linked,
      close: () => {
        closed.push(name);
        return Promise.resolve();
      },
    };
  };
  test('closes a graph after its last request', async () => {
    const closed: string[] = [];
    const [first, second] = [await graph('first', closed), await graph('second', closed)];
    const holder = graphHolder(first);
    const [one, two] = [holder.acquire(), holder.acquire()];
    const swapped = holder.swap(second);
    expect(holder.acquire().linked).toBe(second);
    expect(one.linked).toBe(first);
    one.release();
    one.release();
    await Promise.resolve();
    expect(closed).toEqual([]);
    two.release();
    await swapped;
    expect(closed).toEqual(['first']);
  });
});

describe('the decision log', () => {
  test('contains groups and extra values on request only', () => {
    const decision: Decision = {
      kind: 'accepted',
      by: 'jwt',
      audiences: ['api'],
      user: { username: 'jane', uid: '7', groups: ['a'], extra: new Map([['k', ['v']]]) },
    };
    expect(decisionLogEntry(decision, { groups: false, extra: false })).toEqual({
      decision: 'accepted',
      module: 'jwt',
      username: 'jane',
      uid: '7',
      audiences: ['api'],
    });
    expect(decisionLogEntry(decision, { groups: true, extra: true })).toMatchObject({
      groups: ['a'],
      extra: [['k', ['v']]],
    });
  });
  test('redacts tokens and shortens long reasons', () => {
    expect(mask('bad eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJqIn0.c2ln here')).toBe('bad [redacted] here');
    expect(mask('x'.repeat(5000))).toHaveLength(1025);
  });
});

test('a secret token is not printed', () => {
  expect(`${secret('t')} ${JSON.stringify({ token: secret('t') })}`).toBe(
    '[redacted] {"token":"[redacted]"}',
  );
});
