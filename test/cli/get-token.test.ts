/** `authgraph get-token` with `oidc-provider`: its grants, refusals, refresh tokens and cache. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { runCli } from '../../engine/src/cli/run.ts';
import { type CapturedOptions, capturedIo } from '../support/captured-io.ts';
import { testAuthority } from '../support/certificates.ts';
import { freePort } from '../support/free-port.ts';
import { type BrowserOptions, logInWithBrowser } from '../support/login-browser.ts';
import {
  type LoginProvider,
  postingClient,
  robotClient,
  startLoginProvider,
  userClient,
} from '../support/login-provider.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { path: folder } = temporaryFolder();
const authority = testAuthority();
let provider: LoginProvider;

beforeAll(async () => {
  provider = await startLoginProvider(authority);
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.requests.length = 0;
  provider.setLifetime(600);
  provider.intercept(() => undefined);
});

const files = {
  'ca.crt': authority.pem,
  robot: `${robotClient.secret}\n`,
  posting: postingClient.secret,
  wrong: 'not the secret',
};

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command; `answer` is called with standard error as soon as it has a line. */
const run = async (
  args: readonly string[],
  options: CapturedOptions & { readonly answer?: (printed: string) => Promise<unknown> } = {},
): Promise<Run> => {
  const { io, out } = capturedIo({ files, ...options });
  const { answer } = options;
  let answered: Promise<unknown> | undefined;
  const { stderr } = io;
  const watched = {
    ...io,
    stderr: {
      ...stderr,
      write(text: string) {
        stderr.write(text);
        if (answer !== undefined && /https:\/\/\S+\n$/.test(out.stderr))
          answered ??= answer(out.stderr);
      },
    },
  };
  const all = ['get-token', `--issuer-url=${provider.issuer}`, '--certificate-authority=ca.crt'];
  const code = await runCli([...all, ...args], watched);
  await answered;
  return { code, ...out };
};

const credentialOf = ({ stdout }: Run) => JSON.parse(stdout);
const claimsOf = (ran: Run) =>
  JSON.parse(Buffer.from(credentialOf(ran).status.token.split('.')[1], 'base64url').toString());

const browser =
  (options: Partial<BrowserOptions> = {}) =>
  (printed: string) =>
    logInWithBrowser(/https:\/\/\S+/.exec(printed)?.[0] ?? '', {
      authority: authority.pem,
      login: 'jane',
      ...options,
    });

const asRobot = ['--client-id=robot', '--grant-type=client-credentials'];
const asUser = [
  `--client-id=${userClient}`,
  '--redirect-uri=http://127.0.0.1:0/callback',
  '--skip-open-browser',
];
const withDevice = [`--client-id=${userClient}`, '--grant-type=device-code'];

describe('client credentials', () => {
  const resource = '--parameter=resource=urn:test:api';

  test('returns an access token of the client', async () => {
    const ran = await run([...asRobot, '--client-secret-file=robot', resource, '--scope=read']);
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    const { apiVersion, kind, status } = credentialOf(ran);
    expect([apiVersion, kind]).toEqual(['client.authentication.k8s.io/v1', 'ExecCredential']);
    expect(claimsOf(ran)).toMatchObject({
      iss: provider.issuer,
      client_id: 'robot',
      aud: 'urn:test:api',
      scope: 'read',
    });
    const seconds = (Date.parse(status.expirationTimestamp) - Date.now()) / 1000;
    expect(seconds).toBeGreaterThan(540);
    expect(seconds).toBeLessThanOrEqual(571);
    expect(status.expirationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  test('the secret can come from the environment', async () => {
    const variables = { AUTHGRAPH_CLIENT_SECRET: robotClient.secret };
    expect((await run([...asRobot, resource], { variables })).code).toBe(0);
    const none = await run(asRobot);
    expect(none).toMatchObject({ code: 2, stdout: '' });
    expect(none.stderr).toContain('requires a client secret');
  });

  test('the method of authentication can be set', async () => {
    const args = [
      '--client-id=posting',
      '--grant-type=client-credentials',
      '--client-secret-file=posting',
    ];
    for (const [method, schemes] of [
      ['', ['', 'Basic']],
      ['client_secret_basic', ['', 'Basic']],
      ['client_secret_post', ['', '']],
    ] as const) {
      provider.schemes.length = 0;
      expect((await run([...args, `--auth-method=${method}`])).code).toBe(0);
      expect(provider.schemes).toEqual(schemes);
    }
  });

  test.each<[string, readonly string[], string]>([
    ['a wrong secret', ['--client-secret-file=wrong'], 'invalid_client'],
    [
      'a malformed resource',
      ['--client-secret-file=robot', '--parameter=resource=x'],
      'invalid_target (resource indicator must be an absolute URI)\n  Check the parameters',
    ],
    [
      'no ID token',
      ['--client-secret-file=robot', '--token-type=id_token'],
      'returned no ID token',
    ],
  ])('%s is refused', async (_, args, message) => {
    const ran = await run([...asRobot, ...args]);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(message);
    expect(ran.stderr).not.toContain('the secret');
  });
});

describe('authorization code', () => {
  test('returns the ID token of the user who logged in', async () => {
    const ran = await run([...asUser, '--scope=email'], { answer: browser() });
    expect(ran.code).toBe(0);
    expect(claimsOf(ran)).toMatchObject({ iss: provider.issuer, aud: userClient, sub: 'jane' });
    const [line, url = ''] = ran.stderr.split('\n');
    expect(line).toBe('Log in at this address:');
    const asked = Object.fromEntries(new URL(url).searchParams);
    expect(asked).toMatchObject({ code_challenge_method: 'S256', scope: 'openid email' });
    expect([asked.state?.length, asked.nonce?.length, asked.code_challenge?.length]).toEqual([
      43, 43, 43,
    ]);
  });

  test('also on localhost, and the page in the browser reports the result', async () => {
    let page = '';
    const redirect = `http://localhost:${await freePort()}`;
    const ran = await run([...asUser, `--redirect-uri=${redirect}`], {
      answer: async (printed) => {
        // As it was set, without a slash: issuers compare it exactly.
        const url = new URL(/https:\/\/\S+/.exec(printed)?.[0] ?? '');
        expect(url.searchParams.get('redirect_uri')).toBe(redirect);
        page = (await browser()(printed)).body;
      },
    });
    expect(ran.code).toBe(0);
    expect(page).toContain('You are logged in');
  });

  test('answers of other pages are ignored', async () => {
    const statuses: number[] = [];
    const ran = await run(asUser, {
      answer: async (printed) => {
        const url = new URL(/https:\/\/\S+/.exec(printed)?.[0] ?? '');
        const redirect = url.searchParams.get('redirect_uri') ?? '';
        const state = url.searchParams.get('state') ?? '';
        for (const forged of [
          `${redirect}?code=x&state=wrong`,
          `${redirect}?code=x`,
          `${redirect}?error=access_denied&state=`,
          `${new URL(redirect).origin}/other?code=x&state=${state}`,
        ])
          statuses.push((await fetch(forged)).status);
        const posted = await fetch(`${redirect}?code=x&state=${state}`, { method: 'POST' });
        await browser()(printed);
        statuses.push(posted.status);
      },
    });
    expect(statuses).toEqual([404, 404, 404, 404, 404]);
    expect(claimsOf(ran).sub).toBe('jane');
  });

  test('a forged code with the right state is refused by the issuer', async () => {
    const ran = await run(asUser, {
      answer: async (printed) => {
        const url = new URL(/https:\/\/\S+/.exec(printed)?.[0] ?? '');
        const target = new URL(url.searchParams.get('redirect_uri') ?? '');
        target.search = String(
          new URLSearchParams({
            code: 'forged',
            state: url.searchParams.get('state') ?? '',
            iss: provider.issuer,
          }),
        );
        expect(await (await fetch(target)).text()).toContain('The login failed');
      },
    });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('invalid_grant');
    expect(ran.stderr).not.toContain('forged');
  });

  test('a user who refuses', async () => {
    const ran = await run(asUser, { answer: browser({ refuses: true }) });
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('access_denied (End-User aborted interaction)');
  });

  test('no one logs in', async () => {
    const ran = await run([...asUser, '--timeout=50ms']);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('error: no one logged in within 0.05 seconds');
  });

  test('the command is canceled', async () => {
    const controller = new AbortController();
    const ran = await run(asUser, {
      signal: controller.signal,
      answer: async () => controller.abort(),
    });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('error: the login was canceled');
  });

  test('a port that is in use', async () => {
    const redirect = `--redirect-uri=http://127.0.0.1:${provider.port}`;
    const ran = await run([...asUser, redirect]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('the port is in use\n  Set another --redirect-uri');
  });
});

describe('device code', () => {
  const enterCode =
    (options: Partial<BrowserOptions> = {}) =>
    async (printed: string) => {
      const [, page = '', code = ''] = /^Open (\S+) and enter the code (\S+)$/m.exec(printed) ?? [];
      return browser(options)(`${page}?user_code=${code}`);
    };

  test('returns the ID token of the user who entered the code', async () => {
    const ran = await run(withDevice, { answer: enterCode() });
    expect(ran.stderr).toMatch(/^Open \S+ and enter the code \S+\nor open \S+\n$/);
    expect([ran.code, claimsOf(ran).sub]).toEqual([0, 'jane']);
  }, 20_000);

  test('no one enters the code', async () => {
    const ran = await run([...withDevice, '--timeout=100ms']);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('error: no one logged in within 0.1 seconds');
  });

  test('an issuer without this grant', async () => {
    provider.intercept((request) =>
      request.endsWith('openid-configuration')
        ? {
            status: 200,
            body: JSON.stringify({
              issuer: provider.issuer,
              token_endpoint: `${provider.issuer}/token`,
            }),
          }
        : undefined,
    );
    expect((await run(withDevice)).stderr).toContain('does not offer the device code grant');
  });
});

describe('the client of the plugin', () => {
  const secretFile = '--client-secret-file=robot';

  test('gets the version that it requested', async () => {
    const info = (apiVersion: string) => ({
      variables: {
        KUBERNETES_EXEC_INFO: JSON.stringify({
          kind: 'ExecCredential',
          apiVersion,
          spec: { interactive: false },
        }),
      },
    });
    const beta = await run([...asRobot, secretFile], info('client.authentication.k8s.io/v1beta1'));
    expect(credentialOf(beta).apiVersion).toBe('client.authentication.k8s.io/v1beta1');
    const alpha = await run(
      [...asRobot, secretFile],
      info('client.authentication.k8s.io/v1alpha1'),
    );
    expect(alpha).toMatchObject({ code: 2, stdout: '' });
    expect(alpha.stderr).toContain('KUBERNETES_EXEC_INFO: apiVersion is');
  });
});

describe('the issuer', () => {
  const secretFile = '--client-secret-file=robot';

  test('is not contacted without a trusted certificate', async () => {
    const { io, out } = capturedIo({ files });
    const args = ['get-token', `--issuer-url=${provider.issuer}`, ...asRobot, secretFile];
    expect(await runCli(args, io)).toBe(2);
    expect(out.stderr).toContain('x509: certificate signed by unknown authority');
    expect(provider.requests).toEqual([]);
  });

  test.each<[string, number, string, string]>([
    ['an error page', 503, '<html>', 'the issuer returned status 503'],
    ['another issuer', 200, '{"issuer":"https://other.example"}', 'differs from --issuer-url'],
    ['no JSON', 200, 'x', 'discovery document'],
    ['a redirect', 302, '', 'the issuer returned status 302'],
    ['no JSON, but a token', 200, 'eyJhbGciOiJIUzI1NiJ9', 'the response is not JSON'],
    ['a large document', 200, `"${'x'.repeat(2 ** 21)}"`, 'larger than'],
  ])('%s', async (_, status, body, message) => {
    provider.intercept(() => ({ status, body, headers: { location: 'https://127.0.0.1:1/' } }));
    const ran = await run([...asRobot, secretFile]);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(message);
    expect(ran.stderr.length).toBeLessThan(500);
    expect(ran.stderr).not.toContain('eyJ');
  });

  test.each<[string, string | undefined]>([
    ['no endpoint', undefined],
    ['an endpoint without TLS', 'http://localhost/auth'],
    ['no URL as an endpoint', 'auth'],
  ])('%s for logins', async (_, endpoint) => {
    provider.intercept(() => ({
      status: 200,
      body: JSON.stringify({ issuer: provider.issuer, authorization_endpoint: endpoint }),
    }));
    const ran = await run(asUser);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(`error: starting a login at ${provider.issuer}: `);
    expect(ran.stderr).not.toContain('internal error');
  });

  test('tokens of a malformed response are never printed', async () => {
    const secretText = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2VjcmV0';
    for (const body of [
      { access_token: secretText, token_type: 'unknown' },
      { access_token: secretText, token_type: 'bearer', expires_in: 'soon' },
      { access_token: secretText, token_type: 'bearer', id_token: secretText },
      { access_token: 7, token_type: 'bearer', refresh_token: secretText },
      { error: 'invalid_grant', error_description: `bad ${secretText}` },
      { error: 'invalid_client', error_description: `bad ${robotClient.secret}` },
    ]) {
      provider.intercept((request) =>
        request === 'POST /token'
          ? { status: 'error' in body ? 400 : 200, body: JSON.stringify(body) }
          : undefined,
      );
      const ran = await run([...asRobot, secretFile]);
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).not.toContain('eyJ');
      expect(ran.stderr).not.toContain(robotClient.secret);
      expect(ran.stderr).not.toContain('internal error');
    }
  });
});

test.each<[string, readonly string[]]>([
  ['specify an issuer with --issuer-url URL', ['--issuer-url=']],
  ['--issuer-url must be a URL that starts with https://', ['--issuer-url=http://a.example']],
  ['specify a client with --client-id ID', ['--client-id=']],
  ['--redirect-uri must have the host localhost', ['--redirect-uri=http://a.example:80']],
  ['--redirect-uri must start with http://', ['--redirect-uri=https://localhost:80']],
  ['must be KEY=VALUE', ['--parameter=x']],
  ['--parameter cannot set client_secret', ['--parameter=client_secret=x']],
  ['--timeout must be greater than 0', ['--timeout=0s']],
  ['unknown flag: --client-secret', ['--client-secret=x']],
])('%s', async (message, args) => {
  const ran = await run(['--client-id=a', ...args]);
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(ran.stderr).toContain(message);
});

describe('the cache', () => {
  const cached = (name: string) => `--cache-dir=${join(folder, name)}`;
  const offline = ['--scope=offline_access'];

  test('nothing is written without it', async () => {
    const before = readdirSync(folder);
    await run([...asRobot, '--client-secret-file=robot']);
    expect(readdirSync(folder)).toEqual(before);
  });

  test('the second run needs no issuer, and the file is private', async () => {
    const args = [...asRobot, '--client-secret-file=robot', cached('robot')];
    const first = await run(args);
    expect(first.stderr).toMatch(/^Warning: tokens are stored without encryption in \S+\.json /);
    provider.requests.length = 0;
    const second = await run(args);
    expect([second.stdout, second.stderr]).toEqual([first.stdout, '']);
    expect(provider.requests).toEqual([]);
    const [file = '', ...others] = readdirSync(join(folder, 'robot'));
    expect(others).toEqual([]);
    expect(statSync(join(folder, 'robot')).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'robot', file)).mode & 0o777).toBe(0o600);
    const other = await run([...args, '--parameter=resource=urn:test:api']);
    expect(other.stdout).not.toBe(first.stdout);
    expect(readdirSync(join(folder, 'robot'))).toHaveLength(2);
  });

  test('an expired token is refreshed without a login, and the new refresh token is stored', async () => {
    provider.setLifetime(20);
    const args = [...asUser, ...offline, cached('refresh')];
    const first = await run(args, { answer: browser() });
    expect(first.code).toBe(0);
    const tokens = new Set([first.stdout]);
    for (const _ of [1, 2]) {
      const again = await run(args);
      expect([again.code, again.stderr]).toEqual([0, '']);
      expect(claimsOf(again).sub).toBe('jane');
      tokens.add(again.stdout);
    }
    expect(provider.requests.filter((request) => request === 'POST /token')).toHaveLength(3);
  });

  test('a revoked refresh token leads to a new login', async () => {
    provider.setLifetime(20);
    const args = [...asUser, ...offline, cached('revoked')];
    await run(args, { answer: browser() });
    const [file = ''] = readdirSync(join(folder, 'revoked'));
    const path = join(folder, 'revoked', file);
    const stored = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...stored, refreshToken: 'revoked' }));
    const again = await run(args, { answer: browser({ login: 'joe' }) });
    expect([again.code, claimsOf(again).sub]).toEqual([0, 'joe']);
  });

  test('an issuer that is down does not lead to a login', async () => {
    provider.setLifetime(20);
    const args = [...asUser, ...offline, cached('down')];
    await run(args, { answer: browser() });
    provider.intercept((request) =>
      request === 'POST /token' ? { status: 503, body: 'x' } : undefined,
    );
    const again = await run(args);
    expect(again).toMatchObject({ code: 2, stdout: '' });
    expect(again.stderr).toContain('refreshing the token');
  });

  test('malformed content is replaced', async () => {
    const args = [...asRobot, '--client-secret-file=robot', cached('malformed')];
    await run(args);
    const [file = ''] = readdirSync(join(folder, 'malformed'));
    for (const text of ['', '{', '[]', '{"version":2}', '{"version":1,"token":7}']) {
      writeFileSync(join(folder, 'malformed', file), text);
      expect((await run(args)).code).toBe(0);
    }
  });

  test.each<[string, number, number]>([
    ['directory', 0o755, 0o600],
    ['file', 0o700, 0o640],
  ])('a %s that others can access is not used', async (name, directoryMode, fileMode) => {
    const args = [...asRobot, '--client-secret-file=robot', cached(name)];
    mkdirSync(join(folder, name), { mode: 0o700 });
    await run(args);
    const [file = ''] = readdirSync(join(folder, name));
    chmodSync(join(folder, name, file), fileMode);
    chmodSync(join(folder, name), directoryMode);
    const ran = await run(args);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('accessible to other users');
  });

  test('commands at the same time log in once', async () => {
    const args = [...asRobot, '--client-secret-file=robot', cached('together')];
    const runs = await Promise.all([1, 2, 3, 4].map(() => run(args)));
    expect(new Set(runs.map(({ code }) => code))).toEqual(new Set([0]));
    expect(new Set(runs.map(({ stdout }) => stdout)).size).toBe(1);
    expect(provider.requests.filter((request) => request === 'POST /token')).toHaveLength(1);
    expect(readdirSync(join(folder, 'together'))).toHaveLength(1);
  });

  test('the lock of a process that has ended is removed, that of a running one is not', async () => {
    provider.setLifetime(20);
    const args = [...asRobot, '--client-secret-file=robot', cached('locked'), '--timeout=300ms'];
    await run(args);
    const [file = ''] = readdirSync(join(folder, 'locked'));
    const lock = join(folder, 'locked', `${file}.lock`);
    const ended = spawnSync(process.execPath, ['-e', '']).pid;
    writeFileSync(lock, `${ended} ${hostname()}\n`);
    expect((await run(args)).code).toBe(0);
    for (const owner of [`${process.pid} ${hostname()}\n`, `${ended} other-host\n`, '']) {
      writeFileSync(lock, owner);
      const waiting = await run(args);
      expect(waiting).toMatchObject({ code: 2, stdout: '' });
      expect(waiting.stderr).toContain('another process has been logging in for 0.3 seconds');
    }
    utimesSync(lock, 0, 0);
    expect((await run(args)).code).toBe(0);
    expect(readdirSync(join(folder, 'locked'))).toHaveLength(1);
  });
});

describe('the browser', () => {
  const opening = asUser.filter((flag) => flag !== '--skip-open-browser');
  const opened = join(folder, 'opened');

  test('opens the page, which is printed too', async () => {
    const program = join(folder, 'xdg-open');
    writeFileSync(program, `#!/bin/sh\nprintf %s "$1" > ${opened}\n`, { mode: 0o755 });
    vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const ran = await run(opening, { variables: { DISPLAY: ':0' }, answer: browser() });
    const [line, url] = ran.stderr.split('\n');
    expect([ran.code, line]).toEqual([0, 'Log in with the page that opens in your browser:']);
    await vi.waitFor(() => expect(readFileSync(opened, 'utf8')).toBe(url));
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['without a display', {}, '/usr/bin:/bin'],
    ['without a program', { DISPLAY: ':0' }, '/nonexistent'],
  ])('%s only prints it', async (_, variables, path) => {
    vi.stubEnv('PATH', path);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const ran = await run(opening, { variables, answer: browser() });
    expect([ran.code, ran.stderr.split('\n')[0]]).toEqual([0, 'Log in at this address:']);
  });
});
