/** The invariants of configuration and reload, tested with a server process. */
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { runCaptured } from '../../support/captured-io.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { wholeServer } from '../../support/whole-server.ts';

const review = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

describe('a running server', () => {
  let server: Awaited<ReturnType<typeof wholeServer>>;
  let good = '';
  beforeAll(async () => {
    server = await wholeServer();
    good = readFileSync(server.configurationFile, 'utf8');
  }, 30_000);
  afterAll(() => server?.close());

  const as = (token: string) => ['Authorization', `Bearer ${token}`];
  const metrics = async () =>
    (await server.ask({ path: '/metrics', headers: as(server.tokens.admin) })).body;
  const reloads = async (status: string): Promise<number> => {
    const lines = (await metrics()).split('\n');
    const line = lines.find(
      (text) => text.includes('automatic_reloads_total{') && text.includes(`"${status}"`),
    );
    return Number(line?.split(' ').at(-1) ?? 0);
  };
  const servingHash = async () =>
    /last_config_info\{[^}]*hash="([^"]*)"/.exec(await metrics())?.[1];
  const hashOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
  const nameOf = async (): Promise<string> => {
    const headers = as(await server.tokens.jwt());
    const answer = await server.ask({ method: 'POST', path: review, body: '{}', headers });
    return /"username":"(.*?)"/.exec(answer.body)?.[1] ?? String(answer.status);
  };
  /** Saves as an editor does. */
  const save = (text: string): void => {
    writeFileSync(`${server.configurationFile}.new`, text);
    renameSync(`${server.configurationFile}.new`, server.configurationFile);
  };

  test.each<[string, (text: string) => string]>([
    [
      'an unknown field',
      (text) => text.replace('  claimMappings:', '  claimMapings: {}\n  claimMappings:'),
    ],
    ['a field twice', (text) => `${text}kind: AuthenticationConfiguration\n`],
    ['a field in another case', (text) => text.replace('jwt:', 'JWT:')],
    ['an invalid value', (text) => text.replace('url: https', 'url: http')],
    [
      'a broken expression',
      (text) => text.replace('{claim: sub, prefix: "jwt:"}', '{expression: "claims.("}'),
    ],
    ['half of it', (text) => text.slice(0, text.length / 2)],
    ['nothing', () => ''],
  ])(
    'INV-R1 %s keeps the old graph, with a metric and a log line',
    async (_name, damage) => {
      const before = await reloads('failure');
      const failures = server.output().split('not reloaded').length;
      save(damage(good));
      await vi.waitFor(async () => expect(await reloads('failure')).toBe(before + 1), 10_000);
      // The log is written after the metric.
      await vi.waitFor(
        () => expect(server.output().split('not reloaded').length).toBeGreaterThan(failures),
        5_000,
      );
      expect(await nameOf()).toBe('jwt:jane');
      expect(await servingHash()).toBe(hashOf(good));
      save(good);
      await vi.waitFor(
        () => expect(server.output()).toMatch(/contains the active configuration again"\}\n$/),
        5_000,
      );
    },
    15_000,
  );

  test('INV-R5 metrics show the configuration in service, and when an edit last succeeded or failed', async () => {
    const next = good.replace('prefix: "jwt:"', 'prefix: "new:"');
    const lastSuccess = () =>
      metrics().then((text) =>
        Number(/last_timestamp_seconds\{[^}]*"success"[^}]*\} (\S+)/.exec(text)?.[1] ?? 0),
      );
    const before = await lastSuccess();
    const started = Date.now() / 1000;
    save(next);
    await vi.waitFor(async () => expect(await servingHash()).toBe(hashOf(next)), 10_000);
    expect(await nameOf()).toBe('new:jane');
    expect(await lastSuccess()).toBeGreaterThanOrEqual(Math.max(before, started - 1));
    expect(await metrics()).toMatch(/last_timestamp_seconds\{[^}]*"failure"/);
  });

  test('INV-R2 one read of the file is in service, whatever happens to its name meanwhile', async () => {
    const texts = Array.from({ length: 40 }, (_, index) =>
      good.replace('prefix: "jwt:"', `prefix: "g${index}:"`),
    );
    const known = new Map(texts.map((text, index) => [hashOf(text), `g${index}:jane`]));
    for (const text of texts) {
      save(text);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const last = texts.at(-1) ?? '';
    await vi.waitFor(async () => expect(await servingHash()).toBe(hashOf(last)), 10_000);
    // The reported hash belongs to the graph in service.
    expect(await nameOf()).toBe(known.get(hashOf(last)));
  });
});

describe('INV-R3 YAML is plain data', () => {
  const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n';
  const entry = (rest: string) =>
    `${head}jwt:\n- issuer: {url: https://a.example, audiences: [app]}\n  claimMappings:\n    username: {claim: sub, prefix: ""}\n${rest}`;
  const check = async (text: string) =>
    (await runCaptured(['check', '-'], { files: { '-': text } })).code;
  test('the plain one is valid', async () => {
    expect(await check(entry(''))).toBe(0);
  });
  test.each([
    ['__proto__', entry('__proto__: {anonymous: {enabled: true}}\n')],
    ['constructor', entry('constructor: {prototype: {enabled: true}}\n')],
    ['a merge into nothing known', entry('<<: {x: 1}\n')],
    ['a set where a text is', entry('').replace('sub', '!!set {sub}')],
  ])('%s is rejected', async (_name, text) => {
    expect(await check(text)).not.toBe(0);
    expect(({} as { enabled?: unknown }).enabled).toBeUndefined();
  });
  test.each([
    ['a tag that makes something', entry('anonymous: !!js/object {enabled: true}\n')],
    ['a tag of Python', entry('anonymous: !!python/object:os.system {enabled: true}\n')],
    ['an anchor', entry('anonymous: &a {enabled: true}\n')],
  ])('%s is equal to the file without it', async (_name, text) => {
    const compiled = async (source: string) => {
      const { stdout } = await runCaptured(['compile', '-'], { files: { '-': source } });
      return JSON.parse(stdout).graph;
    };
    expect(await compiled(text)).toEqual(await compiled(entry('anonymous: {enabled: true}\n')));
  });
  test('YAML 1.1 booleans are parsed like kube-apiserver', async () => {
    const { stdout } = await runCaptured(['compile', '-'], {
      files: { '-': entry('anonymous: {enabled: yes}\n') },
    });
    expect(stdout).toContain('"enabled":true');
  });
});

describe('INV-R4 a server starts with a valid configuration or not at all', () => {
  const serve = (text: string) => {
    const { path: folder } = temporaryFolder(onTestFinished);
    const file = join(folder, 'auth.yaml');
    writeFileSync(file, text);
    const args = [
      'serve',
      `--authentication-config=${file}`,
      '--store=memory',
      '--log-level=error',
    ];
    // Other tests need an address that refuses connections, which is 127.0.0.1:1.
    return runCaptured([...args, '--secure-port=1', '--bind-address=127.0.0.3'], {
      signal: AbortSignal.abort(),
    });
  };
  const entry =
    'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n- issuer: {url: https://a.example, audiences: [app]}\n  claimMappings:\n    username: {claim: sub, prefix: ""}\n';
  test.each([
    ['empty', ''],
    ['another kind', 'apiVersion: v1\nkind: Config\n'],
    ['an unknown field', `${entry}x: 1\n`],
    ['half of it', entry.slice(0, -30)],
    ['no YAML', '\t{'],
    ['an invalid value', entry.replace('https:', 'http:')],
  ])('%s', async (_name, text) => {
    const { code, stdout, stderr } = await serve(text);
    expect(code).toBeGreaterThan(0);
    expect(stdout).toBe('');
    expect(stderr).toContain('error');
  });
});

test('INV-R4 without a configuration the flags determine anonymous access', async () => {
  const open = await wholeServer({ flags: ['--authentication-config='] });
  try {
    // Anonymous requests are enabled by default and have few permissions.
    expect((await open.ask({ path: '/version' })).status).toBe(200);
    const asked = { method: 'POST', path: review, body: '{}' };
    expect((await open.ask(asked)).status).toBe(403);
    const headers = ['Authorization', `Bearer ${await open.tokens.jwt()}`];
    expect((await open.ask({ ...asked, headers })).status).toBe(401);
  } finally {
    await open.close();
  }
}, 30_000);
