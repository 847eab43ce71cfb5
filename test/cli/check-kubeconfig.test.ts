/** `authgraph check` with the kubeconfig of a webhook. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeCert } from '../attacks/lib/der.mjs';
import { runCaptured } from '../support/captured-io.ts';

const folder = mkdtempSync(join(tmpdir(), 'authgraph-check-'));
afterAll(() => rmSync(folder, { recursive: true }));

const authority = makeCert({ subject: [['CN', 'root']], ca: true });
const flagless = makeCert({ subject: [['CN', 'flagless']], ca: false });
const leaf = makeCert({ subject: [['CN', 'server']], eku: ['serverAuth'] }, authority);
const expired = makeCert({ subject: [['CN', 'old']], ca: true, notBefore: -7200, notAfter: -3600 });

const kubeconfig = (cluster: string): string => `apiVersion: v1
kind: Config
current-context: main
contexts:
- name: main
  context: {cluster: hook, user: server}
clusters:
- name: other
  cluster: {server: 'https://other.example'}
- name: hook
  cluster:
    server: https://hook.example
    ${cluster}
users:
- {name: server, user: {}}
`;

const path = join(folder, 'hook.kubeconfig');
const check = (text: string, ...args: readonly string[]) =>
  runCaptured(['check', path, ...args], { files: { [path]: text } });
const inline = ({ pem }: { readonly pem: string }): string =>
  `certificate-authority-data: ${Buffer.from(pem).toString('base64')}`;

test.each([
  ['without the CA flag', flagless, /"flagless" .* has no CA flag/],
  ['that is a leaf', leaf, /"server" .* is the certificate of a server or client/],
  ['that is expired', expired, /"old" .* expired at /],
])('reports an authority %s', async (_, certificate, problem) => {
  const { code, stdout } = await check(kubeconfig(inline(certificate)));
  expect(code).toBe(0);
  expect(stdout).toMatch(problem);
  expect(stdout).toContain('clusters[name=hook].cluster.certificate-authority-data: ');
  expect(stdout).toContain(`${path}:13:`);
  const failing = await check(kubeconfig(inline(certificate)), '--fail-on=warning');
  expect(failing.code).toBe(1);
});

test('reads a file that is relative to the kubeconfig', async () => {
  writeFileSync(join(folder, 'ca.pem'), flagless.pem);
  const { stdout } = await check(kubeconfig('certificate-authority: ca.pem'));
  expect(stdout).toContain(`cluster.certificate-authority: ${join(folder, 'ca.pem')}: certificate`);
});

test('accepts a good one', async () => {
  const { code, stdout, stderr } = await check(kubeconfig(inline(authority)));
  expect([code, stdout]).toEqual([0, '']);
  expect(stderr).toContain('no problems in 1 file');
});

test.each([
  ['certificate-authority: missing.pem', 'unable to read certificate-authority'],
  ['certificate-authority-data: AAAA', 'unable to load root certificates'],
  ['server: 1', 'error loading config file'],
])('prints the error of client-go for %s', async (cluster, message) => {
  const { code, stderr } = await check(kubeconfig(cluster));
  expect(code).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).toContain(path);
});
