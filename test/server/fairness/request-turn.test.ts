import { expect, test } from 'vitest';
import { memoryStore } from '../../../engine/src/node/store/memory.ts';
import { serverFairness } from '../../../engine/src/server/fairness/fairness.ts';
import { RequestTurn } from '../../../engine/src/server/fairness/request-turn.ts';
import type {
  BodyBytes,
  IncomingRequest,
} from '../../../engine/src/server/http/incoming-request.ts';
import { requestInfo } from '../../../engine/src/server/http/request-info.ts';
import { parseTarget } from '../../../engine/src/server/http/target.ts';
import { fairnessLimits } from '../../../engine/src/server/limits.ts';
import { manualClock } from '../../support/manual-clock.ts';

const userOf = (username: string, groups: readonly string[] = []) => ({
  username,
  uid: '',
  groups,
  extra: new Map(),
});

/** A request for a single seat, whose client disconnects when the test says so. */
const turns = (priorityAndFairness = true) => {
  const limits = { maxRequestsInFlight: 1, maxMutatingRequestsInFlight: 0 };
  const fairness = serverFairness(
    { ...limits, priorityAndFairness },
    { clock: manualClock().clock },
  );
  const target = parseTarget('/api/v1/pods');
  if (target === undefined) throw new Error('no target');
  return (
    bodyOf: () => ReturnType<IncomingRequest['readBody']> = async () => ({ kind: 'broken' }),
  ) => {
    const controller = new AbortController();
    const incoming: IncomingRequest = {
      request: {
        method: 'GET',
        rawTarget: '/api/v1/pods',
        headers: [],
        fieldCount: 0,
        httpMajor: 2,
        httpMinor: 0,
      },
      connection: {},
      clientAddress: '192.0.2.1',
      certificates: undefined,
      signal: controller.signal,
      get isCanceled() {
        return controller.signal.aborted;
      },
      isComplete: false,
      readBody: bodyOf,
      setUsername: () => {},
      abandon: () => controller.abort(),
    };
    return { turn: new RequestTurn(fairness, incoming, requestInfo('GET', target)), incoming };
  };
};

test('does not execute a request whose client disconnects while it waits for a seat, nor counts it as refused', async () => {
  const turnOf = turns();
  const first = turnOf();
  expect(first.turn.begin(userOf('alice'))).toBe(true);
  const second = turnOf();
  const begun = second.turn.begin(userOf('bob'));
  second.incoming.abandon();
  expect(await begun).toBe(false);
  expect(second.turn.refusedBy).toBeUndefined();
  second.turn.end();
  first.turn.end();
  expect(turnOf().turn.begin(userOf('bob'))).toBe(true);
});

test.each([
  ['with fairness', true, []],
  ['without fairness', false, []],
  ['of an administrator', true, ['system:masters']],
])(
  'does not execute a request whose client is gone before it begins, %s',
  (_name, isFair, groups) => {
    const { turn, incoming } = turns(isFair)();
    incoming.abandon();
    expect(turn.begin(userOf('alice', groups))).toBe(false);
    expect(turn.refusedBy).toBeUndefined();
  },
);

test('returns no body to a request whose client disconnects while it waits for a seat again', async () => {
  const turnOf = turns();
  const arriving = Promise.withResolvers<BodyBytes>();
  const { turn, incoming } = turnOf(() => arriving.promise);
  expect(turn.begin(userOf('alice'))).toBe(true);
  const body = turn.readBody(10);
  await Promise.resolve();
  // The seat is free while the body is read.
  const other = turnOf();
  expect(other.turn.begin(userOf('bob'))).toBe(true);
  arriving.resolve({ kind: 'bytes', bytes: new Uint8Array() });
  await Promise.resolve();
  incoming.abandon();
  expect(await body).toEqual({ kind: 'broken' });
  expect(turn.refusedBy).toBeUndefined();
});

test.each([
  ['releases its seat', true],
  ['keeps its seat without fairness', false],
])('a request that waits for its turn at the store %s', async (_name, isFair) => {
  const turnOf = turns(isFair);
  const { turn } = turnOf();
  expect(turn.begin(userOf('alice'))).toBe(true);
  const store = turn.storeFor(userOf('alice'), {
    ...memoryStore({ clock: manualClock().clock }),
    create: () => new Promise(() => {}),
  });
  const key = { resource: 'pods', namespace: 'a', name: 'b' };
  for (let at = 0; at < fairnessLimits.storeWrites; at += 1) void store.create(key, new Map());
  const begun = turnOf().turn.begin(userOf('bob'));
  void store.create(key, new Map());
  expect(await begun).toBe(isFair);
});
