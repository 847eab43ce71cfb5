import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parseFlags } from '../../../../engine/src/flags/parse-flags.ts';
import { reveal } from '../../../../engine/src/model/secret.ts';
import { nodeClock } from '../../../../engine/src/node/clock.ts';
import { resolveClusterConnection } from '../../../../engine/src/node/store/cluster-connection.ts';
import {
  flags,
  readStoreSettings,
  type StoreBackend,
  type StoreSettings,
  validateStoreSettings,
} from '../../../../engine/src/node/store/flags.ts';
import { memoryStore } from '../../../../engine/src/node/store/memory.ts';
import { openStore } from '../../../../engine/src/node/store/open-store.ts';
import { testAuthority } from '../../../support/certificates.ts';
import { serveStore } from '../../../support/store-as-api.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { account, objectOf } from './store-contract.ts';

const { path: folder, write } = temporaryFolder();
const authority = testAuthority();
beforeAll(() => {
  write('ca.crt', authority.pem);
  write('token', 'the-token\n');
});
const open = (place: StoreBackend) => openStore(place, { clock: nodeClock(), apiDomain: 'k8s.io' });

const settingsOf = (...args: readonly string[]): StoreSettings => {
  const { values, problems } = parseFlags(flags, args);
  expect(problems).toEqual([]);
  return readStoreSettings(values);
};

test.each<[readonly string[], StoreBackend['kind']]>([
  [[], 'memory'],
  [['--store=sqlite'], 'sqlite'],
  [['--store-path=x'], 'sqlite'],
  [['--store-path=x', '--store=memory'], 'memory'],
  [['--store=memory'], 'memory'],
  [['--store=kubernetes'], 'kubernetes'],
  [['--etcd-servers=http://127.0.0.1:2379'], 'etcd'],
  [['--etcd-servers=http://127.0.0.1:2379', '--store=memory'], 'memory'],
])('%j stores in %s', (args, kind) => {
  const settings = settingsOf(...args);
  expect(settings.backend.kind).toBe(kind);
  expect(settings.maxStalenessMs).toBe(300_000);
  expect(validateStoreSettings(settings)).toEqual([]);
});

test.each([
  [['--store=etcd'], '--etcd-servers must be specified'],
  [
    ['--etcd-servers=localhost:2379'],
    '--etcd-servers: "localhost:2379" is not the URL of an etcd server',
  ],
  [
    ['--etcd-servers=http://a:1', '--etcd-prefix=x/'],
    '--etcd-prefix: "x/" is not a valid path prefix',
  ],
  [
    ['--etcd-servers=http://a:1', '--etcd-certfile=x'],
    '--etcd-certfile and --etcd-keyfile must be specified together',
  ],
  [['--store-path='], '--store-path must be specified'],
  [['--store-max-staleness=1s'], '--store-max-staleness must be at least 30s'],
])('%j is a problem', (args, message) => {
  expect(validateStoreSettings(settingsOf(...args)).map((problem) => problem.message)).toEqual([
    message,
  ]);
});

test('opens each kind of store, which stores an object', async () => {
  const served = await serveStore(memoryStore({ clock: nodeClock() }));
  write(
    'kubeconfig',
    `clusters: [{name: c, cluster: {server: "${served.origin}/"}}]\nusers: [{name: u, user: {}}]\ncontexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n`,
  );
  const places: readonly StoreBackend[] = [
    { kind: 'memory' },
    { kind: 'sqlite', folder: join(folder, 'state') },
    { kind: 'kubernetes', kubeconfig: join(folder, 'kubeconfig') },
  ];
  for (const place of places) {
    const store = await open(place);
    await store.create(account('robot'), objectOf(account('robot')));
    expect((await store.list('serviceaccounts')).objects).toHaveLength(1);
    await store.close();
  }
  await served.close();
});

const etcd = {
  kind: 'etcd',
  endpoints: ['http://127.0.0.1:9'],
  prefix: '/x',
  authorityFile: '',
  certificateFile: '',
  keyFile: '',
} as const;

test.each<[StoreBackend, RegExp]>([
  [{ ...etcd, authorityFile: '/absent.crt' }, /open \/absent\.crt: no such file or directory/],
  [{ kind: 'kubernetes', kubeconfig: '/absent' }, /stat \/absent: no such file or directory/],
  [{ kind: 'sqlite', folder: '/dev/null/x' }, /cannot open the store \/dev\/null\/x\/store\.db/],
])('reports an error in %j at once', async (place, message) => {
  await expect(open(place)).rejects.toMatchObject({
    problem: 'unavailable',
    message: expect.stringMatching(message),
  });
});

test('opens an etcd store that is unavailable', async () => {
  const store = await open(etcd);
  await expect(store.get(account('robot'))).rejects.toMatchObject({ problem: 'unavailable' });
  await store.close();
});

test('connects a pod to its cluster with its service account', async () => {
  const variables = new Map([
    ['KUBERNETES_SERVICE_HOST', 'fd00::1'],
    ['KUBERNETES_SERVICE_PORT', '443'],
  ]);
  const { connection, basePath } = await resolveClusterConnection(
    '',
    (name) => variables.get(name),
    folder,
  );
  expect(connection.origin).toBe('https://[fd00::1]:443');
  expect(basePath).toBe('');
  const { credential } = connection;
  expect(credential?.kind === 'bearer' && reveal(credential.token)).toBe('the-token');
  expect(credential).toMatchObject({ file: join(folder, 'token') });
  await expect(resolveClusterConnection('', () => undefined, folder)).rejects.toThrow(
    /not in a cluster/,
  );
});
