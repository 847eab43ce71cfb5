/**
 * `authgraph fleet --metrics` with kube-apiserver and `authgraph serve`: each reports the hash of the file that
 * it has loaded, which may be a value of a ConfigMap. Needs etcd, and kube-apiserver where
 * `test/support/kube-apiserver.ts` looks for it.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { nodeIo } from '../../engine/src/cli/node-io.ts';
import { runCli } from '../../engine/src/cli/run.ts';
import { capturedIo } from '../support/captured-io.ts';
import { testAuthority } from '../support/certificates.ts';
import {
  type KubeApiserver,
  kubeApiserverProgram,
  startKubeApiserver,
} from '../support/kube-apiserver.ts';
import { type ServeProcess, serveProcess } from '../support/serve-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const program = kubeApiserverProgram();
const { path: folder, write } = temporaryFolder();

/** A configuration without issuers, so that servers load an edit without waiting for their keys. */
const configuration = (name: string): string => `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt: [] # ${name}
`;

let kube: KubeApiserver;
let ours: ServeProcess;

beforeAll(async () => {
  mkdirSync(join(folder, 'clusters'));
  const file = write('clusters/kube.yaml', configuration('kube'));
  const indented = configuration('ours').replaceAll(/^(?=.)/gm, '    ');
  write(
    'clusters/map.yaml',
    `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: auth }\ndata:\n  auth.yaml: |\n${indented}\n\n`,
  );
  kube = await startKubeApiserver(program, [`--authentication-config=${file}`]);
  write('kube-ca.crt', kube.certificateAuthority);
  write('kube-token', kube.token);

  const authority = testAuthority();
  const serving = authority.issue();
  const token = randomBytes(16).toString('hex');
  write('ours-ca.crt', authority.pem);
  write('ours-token', token);
  write('tokens.csv', `${token},admin,1,system:masters\n`);
  // The file that a kubelet writes for the ConfigMap.
  ours = await serveProcess(folder, [
    `--authentication-config=${write('mounted.yaml', configuration('ours'))}`,
    `--token-auth-file=${join(folder, 'tokens.csv')}`,
    `--tls-cert-file=${write('tls.crt', serving.pem)}`,
    `--tls-private-key-file=${write('tls.key', serving.keyPem)}`,
  ]);
});

afterAll(async () => {
  await kube?.stop();
  await ours?.stop();
});

const fleet = async (server: string, url: string) => {
  const { io, out } = capturedIo();
  const { listFolder, readText } = nodeIo();
  const flags = [
    ...['--metrics', url],
    ...['--token-file', join(folder, `${server}-token`)],
    ...['--certificate-authority', join(folder, `${server}-ca.crt`)],
  ];
  const args = ['fleet', join(folder, 'clusters'), ...flags, '-o', 'json'];
  const code = await runCli(args, { ...io, listFolder, readText });
  expect(out.stderr).toBe('');
  return { code, servers: JSON.parse(out.stdout).servers };
};

const current = (file: string) => ({
  code: 0,
  servers: [{ state: 'current', configurations: [join(folder, 'clusters', file)] }],
});

test('kube-apiserver has loaded the file of the folder', async () => {
  await vi.waitFor(async () => {
    expect(await fleet('kube', kube.origin)).toMatchObject(current('kube.yaml'));
  }, 60_000);
});

test('authgraph serve has loaded the value of the ConfigMap, until its file is edited', async () => {
  expect(await fleet('ours', ours.url)).toMatchObject(current('map.yaml'));
  write('mounted.yaml', configuration('edited'));
  await vi.waitFor(async () => {
    const { code, servers } = await fleet('ours', ours.url);
    expect({ code, servers }).toMatchObject({ code: 1, servers: [{ state: 'unknown' }] });
  }, 90_000);
});

test('kube-apiserver reports the hash of an edit once it has loaded it', async () => {
  write('clusters/kube.yaml', `${configuration('kube')}# edited\n`);
  await vi.waitFor(async () => {
    expect(await fleet('kube', kube.origin)).toMatchObject(current('kube.yaml'));
  }, 90_000);
});
