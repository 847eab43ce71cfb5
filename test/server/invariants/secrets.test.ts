/**
 * A server with every module enabled receives a canary of every kind; then all its output is
 * searched for them: log, decision log, metrics, responses, errors, explanations and reports.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCaptured } from '../../support/captured-io.ts';
import type { HttpsRequest, HttpsResponse } from '../../support/https-request.ts';
import { wholeServer } from '../../support/whole-server.ts';

const review = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const jsonOf = (text: string): Record<string, Record<string, string>> => JSON.parse(text);

describe('INV-S1 no output contains a secret', () => {
  let server: Awaited<ReturnType<typeof wholeServer>>;
  const secrets = new Map<string, string>();
  /**
   * Responses, except those that contain a secret by design for the client that created or read it.
   */
  const answers: string[] = [];

  const ask = async (asking: Omit<HttpsRequest, 'port'>): Promise<HttpsResponse> => {
    const answer = await server.ask(asking);
    answers.push(`${answer.headers.join('\n')}\n${answer.body}`);
    return answer;
  };
  const as = (token: string) => ['Authorization', `Bearer ${token}`];
  const create = (path: string, object: object) =>
    server.ask({
      method: 'POST',
      path,
      headers: as(server.tokens.admin),
      body: JSON.stringify(object),
    });

  beforeAll(async () => {
    server = await wholeServer();
    for (const [what, secret] of server.secrets) secrets.set(what, secret);
    const { tokens } = server;
    const [id, secret] = tokens.bootstrap.split('.');
    const made = await create('/api/v1/namespaces/kube-system/secrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'bootstrap.kubernetes.io/token',
      metadata: { name: `bootstrap-token-${id}` },
      stringData: {
        'token-id': id,
        'token-secret': secret,
        'usage-bootstrap-authentication': 'true',
      },
    });
    expect(made.status).toBe(201);
    await create('/api/v1/namespaces/default/serviceaccounts', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'robot' },
    });
    const issued = await create('/api/v1/namespaces/default/serviceaccounts/robot/token', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {},
    });
    expect(issued.status).toBe(201);
    const account = jsonOf(issued.body).status?.token ?? '';
    const jwt = await tokens.jwt({ nonce: 'canary' });
    const each = { ...tokens, jwt, account };
    for (const [kind, token] of Object.entries(each)) {
      if (typeof token !== 'string') continue;
      const asking = { method: 'POST', path: review, body: '{}' };
      // Valid, almost valid, in another case, twice, and in the wrong place.
      const good = await ask({ ...asking, headers: as(token) });
      expect([kind, [201, 403].includes(good.status)]).toEqual([kind, true]);
      for (const wrong of [
        `${token}x`,
        `${token}\u00e9`,
        token.slice(0, -1),
        token.toUpperCase(),
      ]) {
        expect((await ask({ ...asking, headers: as(wrong) })).status).toBe(401);
      }
      await ask({ ...asking, headers: ['Authorization', token] });
      await ask({ ...asking, headers: ['Authorization', `Basic ${token}`, 'Cookie', token] });
      await ask({ ...asking, path: `${review}?access_token=${token}`, headers: as(token) });
      await ask({ ...asking, headers: [...as(tokens.admin), 'Impersonate-User', 'sam'] });
      await ask({
        path: '/readyz',
        headers: [
          ...['Connection', 'Upgrade', 'Upgrade', 'websocket', 'Sec-WebSocket-Protocol'],
          `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`,
        ],
      });
      await ask({
        method: 'POST',
        path: '/apis/authentication.k8s.io/v1/tokenreviews',
        headers: as(tokens.static),
        body: JSON.stringify({ spec: { token } }),
      });
      // Malformed bodies that contain the secret.
      for (const body of [`{"${token}`, `{"spec":{"token":["${token}"]}}`, `${token}: [`]) {
        await ask({
          method: 'POST',
          path: '/apis/authentication.k8s.io/v1/tokenreviews',
          headers: as(tokens.static),
          body,
        });
      }
      if (kind === 'jwt' || kind === 'account') {
        const [, claims = '', signature = ''] = token.split('.');
        secrets.set(`claims of the ${kind}`, claims);
        secrets.set(`signature of the ${kind}`, signature);
      }
    }
    // A reload that fails because of a file with a secret in the wrong place.
    const before = readFileSync(server.configurationFile, 'utf8');
    writeFileSync(server.configurationFile, `${before}\nsecret: ${tokens.static}x\n`);
    const metrics = () => server.ask({ path: '/metrics', headers: as(tokens.admin) });
    while (!server.output().includes('not reloaded')) await metrics();
    writeFileSync(server.configurationFile, before);
    await ask({ path: '/metrics', headers: as(tokens.admin) });
    for (const path of ['/readyz?verbose', '/version', '/api', '/openid/v1/jwks', '/openapi/v2']) {
      await ask({ path, headers: as(tokens.admin) });
    }
  }, 60_000);

  afterAll(() => server?.close());

  const holdsNone = (text: string): void => {
    expect(text.length).toBeGreaterThan(100);
    const found = [...secrets].filter(([, secret]) => text.includes(secret)).map(([what]) => what);
    expect(found).toEqual([]);
  };

  test('has all canaries, long enough to be found', () => {
    expect(secrets.size).toBe(12);
    for (const [what, secret] of secrets) {
      expect([what, secret.length >= 16]).toEqual([what, true]);
    }
  });

  test('log', () => {
    expect(server.output()).toContain('static tokens in');
    // The only place where a file is shown: the wrong line, to the operator of the server.
    const shown = server.output().replaceAll(/^.*secret: .*$/gm, '');
    holdsNone(shown);
  });

  test('decision log, of accepted and rejected requests', () => {
    const decisions = server.decisions();
    for (const name of ['sam', 'hook', 'jwt:jane', 'system:serviceaccount:default:robot']) {
      expect(decisions).toContain(`"username":"${name}"`);
    }
    expect(decisions).toContain('"decision":"rejected"');
    expect(decisions).toContain('"access":{"decision":"allow"');
    holdsNone(decisions);
  });

  test('responses, including metrics and health', () => {
    const all = answers.join('\n');
    expect(all).toContain('authentication_attempts');
    holdsNone(all);
  });

  test('INV-S2 labels of metrics hold no name, key or claim', () => {
    const metrics = answers.find((text) => text.includes('authentication_attempts')) ?? '';
    const labels = [...metrics.matchAll(/[{,](\w+)="((?:[^"\\]|\\.)*)"/g)];
    expect(labels.length).toBeGreaterThan(50);
    const values = labels.map(([, , value = '']) => value);
    for (const name of ['sam', 'boss', 'hook', 'jane', 'robot', 'k1', 'carol', 'localhost']) {
      expect(values.filter((value) => value.includes(name))).toEqual([]);
    }
    expect(values.filter((value) => value.startsWith('sha256:')).length).toBeGreaterThan(0);
  });

  test('explanations: graph, compiled configuration and the decision about a token', async () => {
    const { configurationFile, tokens } = server;
    const files = { [configurationFile]: readFileSync(configurationFile, 'utf8') };
    const written: string[] = [];
    const commands = [
      ['explain', configurationFile],
      ['graph', configurationFile],
      ['compile', configurationFile],
      ['whoami', configurationFile, '--token-file', '-', '--explain'],
      ['whoami', configurationFile, '--token-file', '-', '-o', 'json'],
      ['check', configurationFile],
    ];
    for (const token of [tokens.static, await tokens.jwt(), `${await tokens.jwt()}x`]) {
      secrets.set('signature that was explained', token.split('.')[2]?.slice(0, 40) ?? token);
      for (const command of commands) {
        const { stdout, stderr } = await runCaptured(command, { files: { ...files, '-': token } });
        written.push(stdout, stderr);
      }
    }
    holdsNone(written.join('\n'));
  });

  test('failed starts: errors about files show locations, not contents', async () => {
    const written: string[] = ['-'.repeat(100)];
    for (const name of ['tokens.csv', 'accounts.key', 'webhook.kubeconfig', 'tls.key']) {
      const path = join(server.folder, name);
      const text = readFileSync(path, 'utf8');
      const broken = join(server.folder, `broken-${name}`);
      for (const damaged of [
        text.replace(',', '\n"'),
        text.slice(0, -60),
        `${text}"`,
        `{${text}`,
      ]) {
        writeFileSync(broken, damaged);
        const flags = server.flags.map((flag) => flag.replace(path, broken));
        // Other tests need an address that refuses connections, which is 127.0.0.1:1.
        const unused = ['--bind-address=127.0.0.2', '--secure-port=1'];
        const { stdout, stderr } = await runCaptured(
          ['serve', ...flags, ...unused, '--log-level=error'],
          { signal: AbortSignal.abort() },
        );
        written.push(stdout, stderr);
      }
    }
    holdsNone(written.join('\n'));
  });

  test('a crash leaves nothing behind', async () => {
    const before = new Set(readdirSync(server.folder));
    await server.end('SIGABRT');
    const after = readdirSync(server.folder).filter((name) => !before.has(name));
    // Core dumps of the system are outside our control; we write none.
    expect(after.filter((name) => !name.startsWith('core'))).toEqual([]);
    holdsNone(server.output().replaceAll(/^.*secret: .*$/gm, ''));
  });
});

describe('INV-S3 reports secret files that others may read at the start', () => {
  test.each([
    ['0644', true],
    ['0640', true],
    ['0600', false],
  ])(
    'mode %s',
    async (digits, expected) => {
      const mode = Number.parseInt(digits, 8);
      const server = await wholeServer({ mode, logLevel: 'warn' });
      try {
        for (const name of ['tokens.csv', 'accounts.key', 'webhook.kubeconfig', 'tls.key']) {
          const sentence = `${join(server.folder, name)}\\" contains secrets, but its mode ${digits}`;
          expect([name, server.output().includes(sentence)]).toEqual([name, expected]);
        }
        // Files that we create are private from the start.
        expect(server.output()).not.toContain('store.db');
      } finally {
        await server.close();
      }
    },
    30_000,
  );
});
