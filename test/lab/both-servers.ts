/** Starts kube-apiserver and AuthGraph with the same flags. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { type LabCredentials, makeCredentials } from './credentials.ts';
import { type LabEnvironment, makeLabEnvironment } from './lab-environment.ts';
import { askServer, type LabServer, startLabServer, untilReady } from './lab-server.ts';

export interface BothServers {
  readonly upstream: LabServer;
  readonly ours: LabServer;
  readonly environment: LabEnvironment;
  readonly credentials: LabCredentials;
  readonly close: () => Promise<void>;
}

/** The only API domain that kube-apiserver supports. */
export const bothDomain = 'k8s.io';

/** The folder into which `test/lab/real/build` puts the Kubernetes binaries. */
const kubernetesBinaries = (): string =>
  process.env.APISERVER_BIN ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'authgraph-lab');

/**
 * Settles when both servers are ready. `test/lab/real/build` builds the Kubernetes binaries; etcd
 * has to be on the path.
 */
export const startBoth = async (): Promise<BothServers> => {
  const folder = mkdtempSync(join(tmpdir(), 'authgraph-generated-'));
  const environment = await makeLabEnvironment();
  const credentials = makeCredentials(folder);
  const started: { close(): Promise<void> }[] = [environment];
  const close = async (): Promise<void> => {
    for (const server of started.splice(0)) await server.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const flags = [...credentials.flags, ...servingFlags(folder, environment)];
    const upstream = await startKubeApiserver(folder, flags, environment);
    started.unshift(upstream);
    const ours = await startLabServer({
      authorityPem: environment.authorityPem,
      flags: [...flags, `--api-domain=${bothDomain}`, '--target-version=1.36'],
    });
    started.unshift(ours);
    return { upstream, ours, environment, credentials, close };
  } catch (error) {
    await close();
    throw error;
  }
};

const servingFlags = (folder: string, environment: LabEnvironment): readonly string[] => {
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  return [
    `--tls-cert-file=${file('server.crt', environment.server.certificatePem)}`,
    `--tls-private-key-file=${file('server.key', environment.server.privateKeyPem)}`,
    `--authentication-config=${file('authn.yaml', environment.configuration(bothDomain))}`,
  ];
};

const startKubeApiserver = async (
  folder: string,
  flags: readonly string[],
  environment: LabEnvironment,
): Promise<LabServer> => {
  const [client, peer, port] = [await freePort(), await freePort(), await freePort()];
  const etcd = run(folder, 'etcd', [
    ...['--data-dir', join(folder, 'etcd')],
    ...['--listen-client-urls', `http://127.0.0.1:${client}`],
    ...['--advertise-client-urls', `http://127.0.0.1:${client}`],
    ...['--listen-peer-urls', `http://127.0.0.1:${peer}`],
  ]);
  const server = run(folder, join(kubernetesBinaries(), 'kube-apiserver'), [
    ...flags,
    `--etcd-servers=http://127.0.0.1:${client}`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--disable-admission-plugins=ServiceAccount',
  ]);
  const ask = askServer(port, environment.authorityPem);
  await untilReady(ask, () => (server.exitCode === null ? undefined : 'see its log'));
  return {
    port,
    ask,
    async close() {
      await terminate(server);
      await terminate(etcd);
    },
  };
};

const run = (folder: string, program: string, args: readonly string[]): ChildProcess => {
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const log = createWriteStream(join(folder, `${program.split('/').at(-1)}.log`));
  child.stdout?.pipe(log);
  child.stderr?.pipe(log);
  return child;
};

const terminate = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await exit;
  clearTimeout(timer);
};
