/** Which connections are evicted when a share is used up. */
import { expect, test } from 'vitest';
import { ByteShare, type Holder } from '../../../engine/src/server/memory/byte-share.ts';

class TestHolder implements Holder {
  readonly name: string;
  readonly client: string;
  isAuthenticated = false;
  isBusy = false;
  readonly #evicted: string[];

  constructor(name: string, client: string, evicted: string[]) {
    this.name = name;
    this.client = client;
    this.#evicted = evicted;
  }

  evict(): void {
    this.#evicted.push(this.name);
  }
}

const shareOf = (limit: number, { sparesNewAndBusy = false } = {}) => {
  const evicted: string[] = [];
  let counted = 0;
  const share = new ByteShare({
    limit,
    sparesNewAndBusy,
    onEvicted: () => {
      counted += 1;
    },
  });
  const holder = (name: string, client = 'a', state: Partial<Holder> = {}) =>
    Object.assign(new TestHolder(name, client, evicted), state);
  return { share, evicted, holder, counted: () => counted };
};

test('evicts no connection up to the limit', () => {
  const { share, evicted, holder } = shareOf(100);
  share.hold(holder('one'), 60);
  share.hold(holder('two'), 40);
  expect(share.used).toBe(100);
  expect(evicted).toEqual([]);
});

test('evicts the oldest connection of the client with the most bytes', () => {
  const { share, evicted, holder, counted } = shareOf(100);
  share.hold(holder('other', 'b'), 30);
  share.hold(holder('one'), 40);
  share.hold(holder('two'), 30);
  share.hold(holder('new', 'c'), 10);
  expect(evicted).toEqual(['one']);
  expect(share.used).toBe(70);
  expect(counted()).toBe(1);
});

test('evicts as many as needed, including the requesting connection', () => {
  const { share, evicted, holder } = shareOf(100);
  share.hold(holder('one'), 40);
  share.hold(holder('two'), 40);
  share.hold(holder('new'), 200);
  expect(evicted).toEqual(['one', 'two', 'new']);
  expect(share.used).toBe(0);
});

test('evicts a client with one large holding before others with small ones', () => {
  const { share, evicted, holder } = shareOf(100);
  share.hold(holder('small', 'b'), 10);
  const large = holder('large', 'a');
  share.hold(large, 80);
  share.hold(large, 95);
  expect(evicted).toEqual(['large']);
});

test('evicts unauthenticated clients before authenticated ones', () => {
  const { share, evicted, holder } = shareOf(100);
  share.hold(holder('known', 'a', { isAuthenticated: true }), 80);
  share.hold(holder('unknown', 'b'), 20);
  share.hold(holder('new', 'c'), 20);
  expect(evicted).toEqual(['unknown']);
  share.hold(holder('newer', 'd', { isAuthenticated: true }), 20);
  expect(evicted).toEqual(['unknown', 'new']);
  share.hold(holder('newest', 'd', { isAuthenticated: true }), 20);
  expect(evicted).toEqual(['unknown', 'new', 'known']);
});

test('moves what a connection holds when it becomes authenticated', () => {
  const { share, evicted, holder } = shareOf(100);
  const authenticated = holder('known');
  share.hold(authenticated, 50);
  share.whileMoving(authenticated, () => {
    authenticated.isAuthenticated = true;
  });
  expect(share.used).toBe(50);
  share.hold(holder('unknown'), 50);
  share.hold(holder('new', 'b'), 10);
  expect(evicted).toEqual(['unknown']);
  share.release(authenticated);
  expect(share.used).toBe(10);
});

test('evicts the least recently used connection first', () => {
  const { share, evicted, holder } = shareOf(20);
  const first = holder('first');
  share.hold(first, 10);
  share.hold(holder('second'), 10);
  share.touch(first);
  share.hold(holder('third'), 10);
  expect(evicted).toEqual(['second']);
});

test('spares new and busy connections in the share of connections', () => {
  const { share, evicted, holder } = shareOf(20, { sparesNewAndBusy: true });
  const authenticated = { isAuthenticated: true };
  share.hold(holder('at work', 'a', { ...authenticated, isBusy: true }), 10);
  share.hold(holder('idle', 'a', authenticated), 10);
  share.hold(holder('new', 'b'), 10);
  expect(evicted).toEqual(['idle']);
  // Busy authenticated connections are spared, so unauthenticated ones are evicted.
  share.hold(holder('newer', 'c', { ...authenticated, isBusy: true }), 10);
  expect(evicted).toEqual(['idle', 'new']);
  share.hold(holder('newest', 'd'), 10);
  expect(evicted).toEqual(['idle', 'new', 'newest']);
});

test('evicts the connections of a flood from one address, not those of other clients', () => {
  const { share, evicted, holder } = shareOf(1_000, { sparesNewAndBusy: true });
  const guests = Array.from({ length: 20 }, (_, at) => holder(`guest ${at}`, `guest ${at}`));
  for (const guest of guests) share.hold(guest, 10);
  for (let at = 0; at < 1_000; at += 1) share.hold(holder('flood', 'f'), 10);
  expect(new Set(evicted)).toEqual(new Set(['flood']));
  expect(share.used).toBe(1_000);
});
