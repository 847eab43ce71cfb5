/** kubectl with Secrets of service accounts, and which controllers `--controllers` runs. */
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kubectlBuildMs, kubectlProgram } from '../support/kubectl.ts';
import { type Ran, runProgram, type ServeProcess, serveProcess } from '../support/serve-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { path: folder, write } = temporaryFolder();
let program: string;

beforeAll(() => {
  program = kubectlProgram();
  write('tokens.csv', 'root,root,r-1,system:masters\n');
  for (const name of ['sa', 'next']) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'sec1', format: 'pem' }).toString();
    write(`${name}.key`, pem);
  }
}, kubectlBuildMs);

const flagsWith = (key: string, ...more: readonly string[]): readonly string[] => [
  ...['--token-auth-file=tokens.csv', '--enable-bootstrap-token-auth'],
  ...['--service-account-issuer=https://accounts.example', `--service-account-key-file=${key}`],
  `--service-account-signing-key-file=${key}`,
  ...more,
];

const serve = (...flags: readonly string[]): Promise<ServeProcess> =>
  serveProcess(folder, flagsWith('sa.key', ...flags));

const kubectlAt =
  (server: () => ServeProcess) =>
  (words: string, input?: string): Promise<Ran> => {
    const connection = ['--kubeconfig=/dev/null', `--server=${server().url}`];
    const trust = ['--insecure-skip-tls-verify', '--token=root'];
    const args = [...connection, ...trust, ...words.split(' ')];
    return runProgram(program, args, { folder, ...(input === undefined ? {} : { input }) });
  };

const secretOf = (name: string, account: string, more = ''): string => `apiVersion: v1
kind: Secret
type: kubernetes.io/service-account-token
metadata: { name: ${name}, annotations: { kubernetes.io/service-account.name: ${account}${more} } }
`;

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  const endsAt = performance.now() + 10_000;
  while (!(await holds())) {
    if (performance.now() > endsAt) throw new Error('not in time');
    await pause(50);
  }
};

const values = async (kubectl: ReturnType<typeof kubectlAt>, name: string) => {
  const { stdout } = await kubectl(`get secret ${name} -o jsonpath={.data}`);
  const data: Record<string, string> = stdout === '' ? {} : JSON.parse(stdout);
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  );
};

describe('Secrets of service accounts', () => {
  let server: ServeProcess;
  const kubectl = kubectlAt(() => server);
  beforeAll(async () => {
    server = await serve('--store=memory', '--api-domain=k8s.io');
    await kubectl('create sa bot');
  });
  afterAll(() => server?.stop());

  /** Runs `kubectl auth whoami` with the contents of the Secret alone. */
  const whoami = (token: string): Promise<Ran> =>
    runProgram(
      program,
      [
        ...['--kubeconfig=/dev/null', `--server=${server.url}`, `--token=${token}`],
        ...['--certificate-authority=secret-ca.crt', 'auth', 'whoami', '-o', 'json'],
      ],
      { folder },
    );

  test('get a token, the authority and the namespace, which are enough to reach the server', async () => {
    expect(await kubectl('apply -f -', secretOf('t', 'bot'))).toMatchObject({ code: 0 });
    await until(async () => 'token' in (await values(kubectl, 't')));
    const { token = '', namespace, 'ca.crt': authority = '' } = await values(kubectl, 't');
    expect(namespace).toBe('default');
    write('secret-ca.crt', authority);
    const asked = await whoami(token);
    expect(asked).toMatchObject({ code: 0 });
    expect(JSON.parse(asked.stdout).status.userInfo).toMatchObject({
      username: 'system:serviceaccount:default:bot',
    });
    const [, payload = ''] = token.split('.');
    const uid = (await kubectl('get sa bot -o jsonpath={.metadata.uid}')).stdout;
    expect(Buffer.from(payload, 'base64url').toString()).toBe(
      `{"iss":"kubernetes/serviceaccount","kubernetes.io/serviceaccount/namespace":"default","kubernetes.io/serviceaccount/secret.name":"t","kubernetes.io/serviceaccount/service-account.name":"bot","kubernetes.io/serviceaccount/service-account.uid":"${uid}","sub":"system:serviceaccount:default:bot"}`,
    );
    expect(server.output()).not.toContain(token);
  });

  test('are deleted with their account, and the token is refused from then on', async () => {
    const { token = '' } = await values(kubectl, 't');
    await kubectl('delete sa bot');
    await until(async () => (await kubectl('get secret t')).code !== 0);
    // An accepted token is cached for ten seconds, as in kube-apiserver.
    await until(async () => (await whoami(token)).code !== 0).catch(() => pause(2_000));
    expect((await whoami(token)).stderr).toContain('Unauthorized');
    await kubectl('create sa bot');
    expect((await whoami(token)).stderr).toContain('Unauthorized');
  });

  test('are deleted where their account does not exist or has another UID', async () => {
    await kubectl('create sa other');
    const wrong = ', kubernetes.io/service-account.uid: other-uid';
    expect(await kubectl('apply -f -', secretOf('missing', 'missing'))).toMatchObject({ code: 0 });
    expect(await kubectl('apply -f -', secretOf('stale', 'other', wrong))).toMatchObject({
      code: 0,
    });
    await until(async () => (await kubectl('get secret missing')).code !== 0);
    await until(async () => (await kubectl('get secret stale')).code !== 0);
  });

  test('need the name of an account', async () => {
    const { code, stderr } = await kubectl('apply -f -', secretOf('unnamed', '""'));
    expect(code).toBe(1);
    expect(stderr).toContain(
      'metadata.annotations[kubernetes.io/service-account.name]: Required value',
    );
  });

  test('have the names of platform.io too', async () => {
    const own = await serve('--store=memory', '--api-domain=platform.io');
    const ask = kubectlAt(() => own);
    await ask('create sa bot');
    await ask('apply -f -', secretOf('t', 'bot').replaceAll('kubernetes.io', 'platform.io'));
    await until(async () => 'token' in (await values(ask, 't')));
    const { token = '' } = await values(ask, 't');
    const args = ['--kubeconfig=/dev/null', `--server=${own.url}`, '--insecure-skip-tls-verify'];
    const asked = await runProgram(program, [...args, `--token=${token}`, 'auth', 'whoami'], {
      folder,
    });
    expect(asked.stdout).toContain('system:serviceaccount:default:bot');
    await own.stop();
  });
});

test('a token stays after its key was rotated; one that is taken away comes back with the new key', async () => {
  const store = ['--store=sqlite', `--store-path=${join(folder, 'rotated')}`];
  const before = await serve(...store);
  const first = kubectlAt(() => before);
  await first('create sa bot');
  await first('apply -f -', secretOf('t', 'bot'));
  await until(async () => 'token' in (await values(first, 't')));
  const old = (await values(first, 't')).token ?? '';
  await before.stop();
  const after = await serveProcess(folder, flagsWith('next.key', ...store), {
    storeIsFilled: true,
  });
  const second = kubectlAt(() => after);
  expect((await values(second, 't')).token).toBe(old);
  await second('patch secret t -p {"data":{"token":null}}');
  await until(async () => {
    const { token } = await values(second, 't');
    return token !== undefined && token !== old;
  });
  await after.stop();
});

describe('--controllers', () => {
  const expired = `apiVersion: v1
kind: Secret
type: bootstrap.kubernetes.io/token
metadata: { name: bootstrap-token-abcdef, namespace: kube-system }
stringData: { token-id: abcdef, token-secret: 0123456789abcdef, expiration: "2020-01-01T00:00:00Z" }
`;
  const get = 'get secret bootstrap-token-abcdef -n kube-system -o name';

  test.each([
    ['*', true],
    ['*,-tokencleaner', true],
    ['*,tokencleaner', false],
  ])('%s: an expired bootstrap token stays: %s', async (controllers, stays) => {
    const server = await serve('--store=memory', `--controllers=${controllers}`);
    const kubectl = kubectlAt(() => server);
    expect(await kubectl('apply -f -', expired)).toMatchObject({ code: 0 });
    if (stays) {
      await pause(1_000);
      expect((await kubectl(get)).code).toBe(0);
    } else {
      await until(async () => (await kubectl(get)).code !== 0);
    }
    await server.stop();
  });

  test('an unknown name stops the start', async () => {
    await expect(serve('--store=memory', '--controllers=*,foo')).rejects.toThrow(
      '"foo" is not in the list of known controllers',
    );
  });
});
