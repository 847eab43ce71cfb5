/**
 * Starts kube-apiserver with its etcd, on loopback. Both programs must be installed: kube-apiserver in
 * `AUTHGRAPH_KUBE_APISERVER` or the cache folder.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { testAuthority } from './certificates.ts';
import { etcdCluster } from './etcd-cluster.ts';
import { freePort } from './free-port.ts';

export interface KubeApiserver {
  readonly origin: string;
  /** PEM. */
  readonly certificateAuthority: string;
  /** Token of a user with all permissions. */
  readonly token: string;
  /** Returns its output so far. */
  log(): string;
  /** Restarts it, so that its watch cache is lost. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Finds the program. Throws if there is none: a suite that cannot run fails. */
export const kubeApiserverProgram = (): string => {
  const found = [
    process.env.AUTHGRAPH_KUBE_APISERVER,
    join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'authgraph-lab/kube-apiserver'),
  ].find((path) => path !== undefined && existsSync(path));
  if (found !== undefined) return found;
  throw new Error(
    'no kube-apiserver: run test/lab/real/build, or name a program by AUTHGRAPH_KUBE_APISERVER',
  );
};

/** Starts kube-apiserver and waits until it is ready; `flags` follow those that it needs. */
export const startKubeApiserver = async (
  program: string,
  flags: readonly string[] = [],
): Promise<KubeApiserver> => {
  const folder = mkdtempSync(join(tmpdir(), 'apiserver-'));
  const write = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const authority = testAuthority();
  const serving = authority.issue();
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = write('sa.key', privateKey.export({ type: 'sec1', format: 'pem' }).toString());
  const token = randomBytes(16).toString('hex');
  const port = await freePort();
  const etcd = await etcdCluster();
  const args = [
    `--etcd-servers=${etcd.endpoints.join(',')}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    `--tls-cert-file=${write('tls.crt', serving.pem)}`,
    `--tls-private-key-file=${write('tls.key', serving.keyPem)}`,
    `--token-auth-file=${write('tokens.csv', `${token},admin,1,system:masters\n`)}`,
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--disable-admission-plugins=ServiceAccount,TaintNodesByCondition',
    '--service-account-issuer=https://issuer.example',
    `--service-account-signing-key-file=${key}`,
    `--service-account-key-file=${key}`,
    `--cert-dir=${folder}`,
    ...flags,
  ];
  const log = openSync(join(folder, 'log'), 'w');
  const start = (): ChildProcess => spawn(program, args, { stdio: ['ignore', 'ignore', log] });
  let server = start();
  const kill = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  };
  const stop = async (): Promise<void> => {
    await kill();
    closeSync(log);
    await etcd.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const origin = `https://127.0.0.1:${port}`;
  const restart = async (): Promise<void> => {
    await kill();
    server = start();
  };
  const printed = (): string => readFileSync(join(folder, 'log'), 'utf8');
  const { pem } = authority;
  return { origin, certificateAuthority: pem, token, log: printed, restart, stop };
};
