/** A token or a key in the wrong place: no command may print it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCaptured } from '../support/captured-io.ts';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const part = (data: object): string => Buffer.from(JSON.stringify(data)).toString('base64url');
const signature = Buffer.from('a signature that is planted here').toString('base64url');
const token = `${part({ alg: 'RS256', kid: 'k1' })}.${part({ iss: 'https://issuer.example' })}.${signature}`;
const keyLine = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7';
const key = `-----BEGIN PRIVATE KEY-----\n${keyLine}\n-----END PRIVATE KEY-----\n`;
const opaque = 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4';
const config = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt: []
`;
const files = {
  'auth.yaml': config,
  'token.txt': `${token}\n`,
  'tls.key': key,
  'opaque.txt': `${opaque}\n`,
  'quoted.txt': `"${opaque}: x"\n`,
  'users.yaml': `users:\n- user:\n    token: ${token}\n`,
  'kind.json': `{"token": "${token}"}`,
};
const planted = [token, signature, keyLine, opaque].flatMap((text) => [
  text.slice(0, 12),
  text.slice(-12),
]);

const commands: readonly (readonly string[])[] = [
  ...[token, key, `--${token}`, `-${token}`, `---${token}`, `--x=${token}`].flatMap((text) => [
    [text],
    ['help', text],
    ...['demo', 'serve', 'check', 'whoami', 'graph', 'compile', 'migrate'].map((name) => [
      name,
      text,
    ]),
  ]),
  ['graph', 'auth.yaml', token],
  ['compile', 'auth.yaml', token],
  ['explain', '-o', 'json', token],
  ['explain', token],
  ['whoami', '-c', 'auth.yaml', token],
  ['whoami', '-c', 'auth.yaml', '--now', token, '--claims', 'x'],
  ['whoami', '-c', 'auth.yaml', '--token-file', 'token.txt', '--jwks', 'token.txt'],
  ['whoami', '-c', 'auth.yaml', '--token-file', 'token.txt', '--jwks', 'tls.key'],
  ['whoami', '-c', 'auth.yaml', '--claims', 'token.txt'],
  ['whoami', '-c', token, '--claims', 'x'],
  ['whoami', '--output', token],
  ['auth', 'whoami', token],
  ['auth', token],
  ['auth', 'whoami', '--kubeconfig=/dev/null', '--context', token],
  ['auth', 'whoami', '--kubeconfig=/dev/null', '--as-user-extra', token],
  ['auth', 'whoami', '--kubeconfig=/dev/null', '--server', token],
  ['get-token', token],
  ['get-token', '--issuer-url', token],
  ['get-token', '--issuer-url=https://a.example', '--client-id=a', '--parameter', token],
  ['get-token', '--issuer-url=https://a.example', '--client-id=a', '--redirect-uri', token],
  ...['certificate-authority', 'client-secret-file'].map((flag) => [
    ...['get-token', '--issuer-url=https://127.0.0.1:1', '--client-id=a', `--${flag}`, 'token.txt'],
    '--grant-type=client-credentials',
  ]),
  ['config', 'set-credentials', 'a', token],
  ['check', '--target-version', token, 'auth.yaml'],
  ['serve', '--secure-port', token],
  ['serve', '--bind-address', token],
  ['serve', '--feature-gates', token],
  ['serve', '--token-review-open', token],
  ['serve', '--shutdown-grace', token],
  ...Object.keys(files)
    .filter((name) => name !== 'auth.yaml')
    .flatMap((name) => [
      ['check', name],
      ['check', '-o', 'json', name],
      ['check', '-o', 'sarif', name],
      ['check', '-o', 'github', name],
      ['graph', name],
      ['compile', name],
      ['migrate', name],
      ['explain', '-c', name, 'AG1005'],
      ['whoami', '-c', name, '--claims', 'x'],
    ]),
];

test.each(commands.map((args) => [args.join(' ').slice(0, 60), args] as const))(
  '%s',
  async (_, args) => {
    const { code, stdout, stderr } = await runCaptured(args, { files });
    expect(code === 0 && args[0] !== 'explain').toBe(false);
    for (const piece of planted) expect(stdout + stderr).not.toContain(piece);
  },
);

test.each(['token.txt', 'tls.key', 'opaque.txt', 'quoted.txt', 'kind.json'])(
  'serve does not print %s',
  async (name) => {
    const { path: folder } = temporaryFolder(onTestFinished);
    const path = join(folder, name);
    writeFileSync(path, new Map(Object.entries(files)).get(name) ?? '');
    const { code, stdout, stderr } = await runCaptured([
      ...['serve', '--authentication-config', path],
      // The start binds the port.
      ...['--bind-address=127.0.0.1', `--secure-port=${await freePort()}`],
    ]);
    expect(code).toBe(1);
    for (const piece of planted) expect(stdout + stderr).not.toContain(piece);
  },
);

test('still names a short plain argument', async () => {
  const { stderr } = await runCaptured(['whoami', 'auth.yaml', 'jane']);
  expect(stderr).toContain('unexpected argument "jane"');
});
