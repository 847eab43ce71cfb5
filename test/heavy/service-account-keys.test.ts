/**
 * Which key verifies service account tokens: compares kube-apiserver with our server for the same
 * flags. Neither falls back to the key of `--tls-private-key-file`.
 */
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { testAuthority } from '../support/certificates.ts';
import { kubeApiserverProgram } from '../support/kube-apiserver.ts';
import { runProgram, runUntil } from '../support/serve-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const missing =
  'either `--service-account-key-file` or `--service-account-signing-endpoint` must be set';
const main = join(import.meta.dirname, '../../engine/src/cli/main.ts');
const { path: folder, write } = temporaryFolder();

beforeAll(() => {
  const serving = testAuthority().issue();
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  for (const [name, text] of [
    ['tls.crt', serving.pem],
    ['tls.key', serving.keyPem],
    ['sa.key', pair.privateKey.export({ type: 'pkcs1', format: 'pem' })],
    ['sa.pub', pair.publicKey.export({ type: 'spki', format: 'pem' })],
  ] as const) {
    write(name, text);
  }
});

const serving = ['--tls-cert-file=tls.crt', '--tls-private-key-file=tls.key'];
const issuer = '--service-account-issuer=https://issuer.example';
const signing = '--service-account-signing-key-file=sa.key';
const verifying = '--service-account-key-file=sa.pub';

/** Flags -> whether kube-apiserver 1.36.3 reports that the keys are missing. */
const recorded: readonly (readonly [flags: readonly string[], isMissing: boolean])[] = [
  [[issuer, ...serving], true],
  [[signing, ...serving], true],
  [[issuer, signing, ...serving], true],
  [[issuer, signing], true],
  [[verifying, ...serving], false],
  [[verifying, signing, ...serving], false],
];

test.each(recorded)('kube-apiserver %j', async (flags, isMissing) => {
  const printed = await runUntil(
    kubeApiserverProgram(),
    [
      '--etcd-servers=http://127.0.0.1:1',
      '--service-cluster-ip-range=10.0.0.0/24',
      '--authorization-mode=RBAC',
      ...flags,
    ],
    { folder, fits: /command failed/ },
  );
  expect(printed).toContain('command failed');
  expect(printed.includes(missing)).toBe(isMissing);
});

test.each(recorded)('authgraph %j', async (flags, isMissing) => {
  const { code, stderr } = await runProgram(
    process.execPath,
    ['--conditions=source', main, 'serve', ...flags],
    { folder },
  );
  expect(code).not.toBe(0);
  expect(stderr.includes(missing)).toBe(isMissing);
});
