/**
 * Filling, updating and deleting Secrets of service accounts, with a real store and view and a
 * manual clock.
 */
import { queryObjects } from 'node:v8';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type ServiceAccountTokensServices,
  serviceAccountTokens,
} from '../../../engine/src/controllers/service-account-tokens.ts';
import { memoryStore } from '../../../engine/src/node/store/memory.ts';
import { storeView } from '../../../engine/src/node/store/store-view.ts';
import {
  type ObjectKey,
  type Store,
  StoreError,
  type StoreProblem,
} from '../../../engine/src/ports/store.ts';
import { memberAt, stringAt, withMember } from '../../../engine/src/resources/object-fields.ts';
import { objectOf } from '../../support/answer-modules/json-objects.ts';
import { fakeClock, fakePorts, type LoggedEvent } from '../../support/fake-ports.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const accountKey = (name: string): ObjectKey => ({
  resource: 'serviceaccounts',
  namespace: 'team',
  name,
});
const secretKey = (name: string): ObjectKey => ({ resource: 'secrets', namespace: 'team', name });

interface SecretForm {
  readonly account?: string;
  readonly accountUid?: string;
  readonly nameDomain?: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly immutable?: true;
  readonly finalizers?: readonly string[];
}

const begin = async (
  options: Partial<Pick<ServiceAccountTokensServices, 'apiDomain' | 'rootCertificate'>> & {
    readonly keyless?: true;
    readonly change?: (store: Store) => Partial<Store>;
  } = {},
) => {
  const clock = fakeClock();
  const ports = fakePorts({ clock });
  const inner = memoryStore({ clock });
  const store: Store = { ...inner, ...options.change?.(inner) };
  const view = storeView({
    ...ports,
    store: inner,
    resources: ['secrets', 'serviceaccounts'],
    maxStalenessMs: 300_000,
  });
  view.start();
  onTestFinished(() => view.stop());
  const settle = async (ms = 200): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 50) {
      clock.advance(50);
      for (let turn = 0; turn < 6; turn += 1) await new Promise(setImmediate);
    }
  };
  let signed = 0;
  const services: ServiceAccountTokensServices = {
    ...ports,
    store,
    view,
    apiDomain: options.apiDomain ?? 'k8s.io',
    rootCertificate: options.rootCertificate ?? Promise.resolve('the CA\n'),
    signToken: options.keyless
      ? undefined
      : async (secret, account) => {
          signed += 1;
          return `${secret.nameDomain}/${secret.name}/${account.name}/${account.uid}/${signed}`;
        },
  };
  const start = () => {
    const controller = serviceAccountTokens(services);
    controller.start();
    onTestFinished(() => controller.stop());
    return controller;
  };
  await settle();
  const data = async (name: string) => {
    const object = (await inner.get(secretKey(name)))?.object;
    if (object === undefined) return undefined;
    const values = memberAt(object, 'data');
    return Object.fromEntries(
      values instanceof Map
        ? [...values].map(([key, value]) => [key, Buffer.from(String(value), 'base64').toString()])
        : [],
    );
  };
  return {
    ...services,
    inner,
    events: ports.events,
    settle,
    start,
    data,
    signed: () => signed,
    account: (name: string, uid: string, more: object = {}) =>
      inner.create(
        accountKey(name),
        objectOf({ metadata: { name, namespace: 'team', uid }, ...more }),
      ),
    secret: (name: string, form: SecretForm = {}) => {
      const { account = 'bot', accountUid, nameDomain = 'kubernetes.io', data: values = {} } = form;
      return inner.create(
        secretKey(name),
        objectOf({
          metadata: {
            name,
            namespace: 'team',
            uid: `secret-${name}`,
            ...(form.finalizers === undefined ? {} : { finalizers: [...form.finalizers] }),
            annotations: {
              [`${nameDomain}/service-account.name`]: account,
              ...(accountUid === undefined
                ? {}
                : { [`${nameDomain}/service-account.uid`]: accountUid }),
            },
          },
          type: `${nameDomain}/service-account-token`,
          data: Object.fromEntries(
            Object.entries(values).map(([key, value]) => [key, base64(value)]),
          ),
          ...(form.immutable === undefined ? {} : { immutable: true }),
        }),
      );
    },
  };
};

test('fills a Secret with a token, ca.crt and its namespace, once', async () => {
  const rig = await begin();
  await rig.account('bot', 'uid-1');
  await rig.secret('old');
  rig.start();
  await rig.settle();
  await rig.secret('new', { data: { own: 'value' } });
  await rig.settle();
  const token = 'kubernetes.io/old/bot/uid-1/1';
  expect(await rig.data('old')).toEqual({ token, 'ca.crt': 'the CA\n', namespace: 'team' });
  expect(await rig.data('new')).toMatchObject({ own: 'value', namespace: 'team' });
  const stored = await rig.inner.get(secretKey('old'));
  expect(stored && memberAt(stored.object, 'metadata', 'annotations')).toEqual(
    new Map([
      ['kubernetes.io/service-account.name', 'bot'],
      ['kubernetes.io/service-account.uid', 'uid-1'],
    ]),
  );
  await rig.settle(130_000);
  expect(rig.signed()).toBe(2);
  expect((await rig.inner.get(secretKey('old')))?.revision).toBe(stored?.revision);
  expect(JSON.stringify(rig.events)).not.toContain(token);
});

test('restores a removed value, and replaces no other value', async () => {
  const rig = await begin();
  await rig.account('bot', 'uid-1');
  await rig.secret('given', { data: { token: 'my own', namespace: 'elsewhere' } });
  rig.start();
  await rig.settle();
  expect(await rig.data('given')).toEqual({
    token: 'my own',
    namespace: 'elsewhere',
    'ca.crt': 'the CA\n',
  });
  const stored = await rig.inner.get(secretKey('given'));
  if (stored === undefined) throw new Error('gone');
  await rig.inner.update(
    secretKey('given'),
    withMember(stored.object, ['data', 'token'], undefined),
  );
  await rig.settle();
  expect((await rig.data('given'))?.token).toBe('kubernetes.io/given/bot/uid-1/1');
});

test('replaces another ca.crt at the start and within a minute', async () => {
  const rig = await begin();
  await rig.account('bot', 'uid-1');
  await rig.secret('old', { data: { 'ca.crt': 'an older CA' } });
  await rig.settle();
  rig.start();
  await rig.settle();
  expect((await rig.data('old'))?.['ca.crt']).toBe('the CA\n');
  await rig.secret('new', { data: { 'ca.crt': 'of a replica' } });
  await rig.settle();
  expect(await rig.data('new')).toMatchObject({ 'ca.crt': 'of a replica', namespace: 'team' });
  await rig.settle(61_000);
  expect((await rig.data('new'))?.['ca.crt']).toBe('the CA\n');
});

test('leaves out ca.crt without a certificate authority', async () => {
  const rig = await begin({ rootCertificate: Promise.resolve(undefined) });
  await rig.account('bot', 'uid-1');
  await rig.secret('s');
  rig.start();
  await rig.settle();
  expect(Object.keys((await rig.data('s')) ?? {}).toSorted()).toEqual(['namespace', 'token']);
});

test('waits for the certificate authority, and can be stopped while it waits', async () => {
  const rig = await begin({ rootCertificate: new Promise(() => {}) });
  await rig.account('bot', 'uid-1');
  await rig.secret('s');
  const controller = rig.start();
  await rig.settle();
  expect(await rig.data('s')).toEqual({});
  await controller.stop();
});

test('retains nothing of a pass', async () => {
  const rig = await begin();
  rig.start();
  const passes = 100;
  const deleteAccounts = async (): Promise<void> => {
    for (let pass = 0; pass < passes; pass += 1) {
      await rig.account('bot', `uid-${pass}`);
      await rig.inner.delete(accountKey('bot'));
      await rig.settle(50);
    }
  };
  await deleteAccounts();
  const before = queryObjects(Promise, { format: 'count' });
  await deleteAccounts();
  // A retained pass is at least one promise.
  expect(queryObjects(Promise, { format: 'count' }) - before).toBeLessThan(passes / 2);
});

test('fills nothing without a signing key, but still deletes Secrets with their account', async () => {
  const rig = await begin({ keyless: true });
  await rig.account('bot', 'uid-1');
  await rig.secret('s');
  rig.start();
  await rig.settle();
  expect(await rig.data('s')).toEqual({});
  await rig.inner.delete(accountKey('bot'));
  await rig.settle();
  expect(await rig.data('s')).toBeUndefined();
});

describe('deletes a Secret', () => {
  test('if its account does not exist', async () => {
    const rig = await begin();
    rig.start();
    await rig.settle();
    await rig.secret('early');
    await rig.settle();
    expect(await rig.data('early')).toBeUndefined();
    expect(rig.signed()).toBe(0);
  });

  test('if the account has another UID', async () => {
    const rig = await begin();
    await rig.account('bot', 'uid-2');
    await rig.secret('s', { accountUid: 'uid-1' });
    rig.start();
    await rig.settle();
    expect(await rig.data('s')).toBeUndefined();
  });

  test('with its account, also if one of that name is created at once', async () => {
    const rig = await begin();
    await rig.account('bot', 'uid-1');
    await rig.secret('s');
    rig.start();
    await rig.settle();
    expect((await rig.data('s'))?.token).toBeDefined();
    await rig.inner.delete(accountKey('bot'));
    await rig.account('bot', 'uid-2');
    await rig.settle();
    expect(await rig.data('s')).toBeUndefined();
  });

  test('with its account, and only marked while a finalizer holds it', async () => {
    const rig = await begin();
    await rig.secret('held', { finalizers: ['example.com/hold'] });
    rig.start();
    await rig.settle();
    const held = await rig.inner.get(secretKey('held'));
    expect(held && stringAt(held.object, 'metadata', 'deletionTimestamp')).not.toBe('');
    const revision = held?.revision;
    await rig.settle(130_000);
    expect((await rig.inner.get(secretKey('held')))?.revision).toBe(revision);
  });

  test('but not if only the view lacks the account', async () => {
    const rig = await begin({
      change: (inner) => ({
        get: async (key) =>
          key.resource === 'serviceaccounts' && key.name === 'late'
            ? {
                key,
                revision: '1',
                object: objectOf({ metadata: { name: 'late', namespace: 'team', uid: 'uid-9' } }),
              }
            : inner.get(key),
      }),
    });
    rig.start();
    await rig.settle();
    await rig.secret('s', { account: 'late' });
    await rig.settle();
    expect((await rig.data('s'))?.token).toBe('kubernetes.io/s/late/uid-9/1');
  });

  test('but not of another type', async () => {
    const rig = await begin();
    await rig.inner.create(
      secretKey('bootstrap'),
      objectOf({ metadata: { name: 'bootstrap' }, type: 'bootstrap.kubernetes.io/token' }),
    );
    rig.start();
    await rig.settle();
    expect(await rig.data('bootstrap')).toEqual({});
  });
});

test('leaves no Secret behind for an account that is deleted while its Secret is filled', async () => {
  const rig = await begin({
    change: (inner) => ({
      async update(key, object, only) {
        await inner.delete(accountKey('bot')).catch(() => {});
        return inner.update(key, object, only);
      },
    }),
  });
  await rig.account('bot', 'uid-1');
  await rig.secret('s');
  rig.start();
  await rig.settle(500);
  expect(await rig.data('s')).toBeUndefined();
});

test('fills a Secret that changes in the meantime in the next pass', async () => {
  let changes = 0;
  const rig = await begin({
    change: (inner) => ({
      async update(key, object, only) {
        changes += 1;
        if (changes === 1) {
          const stored = await inner.get(key);
          if (stored === undefined) throw new Error('gone');
          await inner.update(key, withMember(stored.object, ['data', 'mine'], base64('x')));
        }
        return inner.update(key, object, only);
      },
    }),
  });
  await rig.account('bot', 'uid-1');
  await rig.secret('s');
  rig.start();
  await rig.settle(1_500);
  expect(await rig.data('s')).toMatchObject({ mine: 'x', namespace: 'team' });
});

test('retries an unavailable store, and logs the failure without a token', async () => {
  let broken = true;
  const rig = await begin({
    change: (inner) => ({
      async update(key, object, only) {
        if (broken) throw new StoreError('unavailable', 'the disk is full');
        return inner.update(key, object, only);
      },
    }),
  });
  await rig.account('bot', 'uid-1');
  await rig.secret('s');
  rig.start();
  await rig.settle(2_000);
  expect(rig.events.some(({ message }) => message.endsWith('Secret not synced'))).toBe(true);
  broken = false;
  await rig.settle(2_000);
  expect((await rig.data('s'))?.token).toBeDefined();
  expect(JSON.stringify(rig.events)).not.toContain('uid-1/');
});

/**
 * Returns a store that rejects updates of Secrets whose name starts with `bad`, and counts them.
 */
const rejecting = (problem: StoreProblem = 'refused') => {
  const tries: Record<string, number> = {};
  let failing = true;
  return {
    tries,
    repair: () => {
      failing = false;
    },
    change: (inner: Store): Partial<Store> => ({
      async update(key, object, only) {
        tries[key.name] = (tries[key.name] ?? 0) + 1;
        if (failing && key.name.startsWith('bad')) {
          throw new StoreError(problem, 'etcdserver: request is too large');
        }
        return inner.update(key, object, only);
      },
    }),
  };
};
const failuresOf = (rig: { readonly events: readonly LoggedEvent[] }) =>
  rig.events.filter(({ message }) => message === 'service account token Secret not synced');

test.each(['refused', 'unavailable', 'conflict'] as const)(
  'tries a Secret whose update is %s 10 times with a doubling delay, and again after it changes',
  async (problem) => {
    const store = rejecting(problem);
    const rig = await begin(store);
    await rig.account('bot', 'uid-1');
    await rig.secret('bad');
    rig.start();
    await rig.settle(15_500);
    // The attempts are after 0, 1, 3, 7 and 15 s.
    expect(store.tries).toEqual({ bad: 5 });
    await rig.settle(700_000);
    expect(store.tries).toEqual({ bad: 10 });
    expect(rig.signed()).toBe(10);
    expect(failuresOf(rig)).toHaveLength(problem === 'conflict' ? 1 : 10);
    expect(failuresOf(rig).at(-1)?.fields).toMatchObject({
      object: 'team/bad',
      nextTry: 'after the Secret changes',
    });
    const stored = await rig.inner.get(secretKey('bad'));
    if (stored === undefined) throw new Error('gone');
    store.repair();
    await rig.inner.update(
      secretKey('bad'),
      withMember(stored.object, ['metadata', 'annotations', 'fixed'], 'yes'),
    );
    await rig.settle();
    expect(await rig.data('bad')).toMatchObject({ namespace: 'team' });
  },
);

test('tries a failing replacement of ca.crt 10 times as well', async () => {
  const store = rejecting();
  const rig = await begin(store);
  await rig.account('bot', 'uid-1');
  await rig.secret('bad', { data: { token: 't', namespace: 'team', 'ca.crt': 'an older CA' } });
  await rig.settle();
  rig.start();
  await rig.settle(1_000_000);
  expect(store.tries).toEqual({ bad: 10 });
});

test('does not let failing Secrets delay another one', async () => {
  const store = rejecting();
  const rig = await begin(store);
  await rig.account('bot', 'uid-1');
  for (let at = 0; at < 30; at += 1) await rig.secret(`bad-${at}`);
  rig.start();
  await rig.settle(3_500);
  const before = rig.signed();
  await rig.secret('good');
  await rig.settle(100);
  expect(await rig.data('good')).toMatchObject({ namespace: 'team' });
  expect(rig.signed()).toBe(before + 1);
  await rig.settle(700_000);
  expect(Object.values(store.tries)).toEqual([...Array.from({ length: 30 }, () => 10), 1]);
});

test('deletes a Secret that could not be filled together with its account', async () => {
  const rig = await begin(rejecting());
  await rig.account('bot', 'uid-1');
  await rig.secret('bad');
  rig.start();
  await rig.settle(600_000);
  await rig.inner.delete(accountKey('bot'));
  await rig.settle();
  expect(await rig.data('bad')).toBeUndefined();
});

test.each([
  ['before its token is signed', 10, 0],
  ['with its token', 25, 1],
])('a secret that is too large %s is not written and is logged once', async (_, room, signed) => {
  const store = rejecting();
  const rig = await begin(store);
  await rig.account('bot', 'uid-1');
  // Together `ca.crt` and `namespace` have 11 bytes, the token has 34.
  await rig.secret('large', { data: { own: 'x'.repeat(1024 * 1024 - room) } });
  rig.start();
  await rig.settle(130_000);
  expect(store.tries).toEqual({});
  expect(rig.signed()).toBe(signed);
  expect(failuresOf(rig).map(({ fields }) => fields)).toEqual([
    {
      object: 'team/large',
      serviceAccount: 'bot',
      reason: 'data: Too long: may not be more than 1048576 bytes',
      nextTry: 'after the Secret changes',
    },
  ]);
});

test('leaves an immutable Secret unchanged', async () => {
  const rig = await begin();
  await rig.account('bot', 'uid-1');
  await rig.secret('s', { immutable: true });
  rig.start();
  await rig.settle(3_000);
  expect(await rig.data('s')).toEqual({});
});

test('removes a deleted Secret from the list of its account', async () => {
  const rig = await begin();
  await rig.account('bot', 'uid-1', { secrets: [{ name: 'a' }, { name: 'b' }] });
  await rig.secret('a');
  await rig.secret('b');
  rig.start();
  await rig.settle();
  await rig.inner.delete(secretKey('a'));
  await rig.settle();
  const listed = async () =>
    memberAt((await rig.inner.get(accountKey('bot')))?.object ?? new Map(), 'secrets');
  expect(await listed()).toEqual([new Map([['name', 'b']])]);
  await rig.inner.delete(secretKey('b'));
  await rig.settle();
  expect(await listed()).toBeUndefined();
});

test('accepts names of platform.io if that is the domain, and takes the claims from the type', async () => {
  const rig = await begin({ apiDomain: 'platform.io' });
  await rig.account('bot', 'uid-1');
  await rig.secret('own', { nameDomain: 'platform.io' });
  await rig.secret('upstream');
  rig.start();
  await rig.settle();
  expect((await rig.data('own'))?.token).toMatch(/^platform\.io\/own\/bot\/uid-1/);
  expect((await rig.data('upstream'))?.token).toMatch(/^kubernetes\.io\/upstream\/bot\/uid-1/);
  const stored = await rig.inner.get(secretKey('own'));
  expect(
    stored && stringAt(stored.object, 'metadata', 'annotations', 'platform.io/service-account.uid'),
  ).toBe('uid-1');
});
