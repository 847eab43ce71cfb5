/** The real kube-apiserver and ours, started with the same flags beside each other. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { type LabCredentials, makeCredentials } from './credentials.ts';
import { askServer, type LabServer, startLabServer, untilReady } from './lab-server.ts';
import { type LabWorld, makeWorld } from './world.ts';

export interface BothServers {
  readonly real: LabServer;
  readonly ours: LabServer;
  readonly world: LabWorld;
  readonly credentials: LabCredentials;
  readonly close: () => Promise<void>;
}

/** The one that the real server knows. */
export const bothDomain = 'k8s.io';

/** Where `test/lab/real/build` puts the real programs. */
const realPrograms = (): string =>
  process.env.APISERVER_BIN ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'authgraph-lab');

/** Settles when both are ready. The real programs come from `test/lab/real/build`; etcd is on the path. */
export const startBoth = async (): Promise<BothServers> => {
  const folder = mkdtempSync(join(tmpdir(), 'authgraph-generated-'));
  const world = await makeWorld();
  const credentials = makeCredentials(folder);
  const started: { close(): Promise<void> }[] = [world];
  const close = async (): Promise<void> => {
    for (const one of started.splice(0)) await one.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const flags = [...credentials.flags, ...servingFlags(folder, world)];
    const real = await startReal(folder, flags, world);
    started.unshift(real);
    const ours = await startLabServer({
      authorityPem: world.authorityPem,
      flags: [...flags, `--api-domain=${bothDomain}`, '--target-version=1.36'],
    });
    started.unshift(ours);
    return { real, ours, world, credentials, close };
  } catch (error) {
    await close();
    throw error;
  }
};

const servingFlags = (folder: string, world: LabWorld): readonly string[] => {
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  return [
    `--tls-cert-file=${file('server.crt', world.server.certificatePem)}`,
    `--tls-private-key-file=${file('server.key', world.server.privateKeyPem)}`,
    `--authentication-config=${file('authn.yaml', world.configuration(bothDomain))}`,
  ];
};

const startReal = async (
  folder: string,
  flags: readonly string[],
  world: LabWorld,
): Promise<LabServer> => {
  const [client, peer, port] = [await freePort(), await freePort(), await freePort()];
  const etcd = run(folder, 'etcd', [
    ...['--data-dir', join(folder, 'etcd')],
    ...['--listen-client-urls', `http://127.0.0.1:${client}`],
    ...['--advertise-client-urls', `http://127.0.0.1:${client}`],
    ...['--listen-peer-urls', `http://127.0.0.1:${peer}`],
  ]);
  const server = run(folder, join(realPrograms(), 'kube-apiserver'), [
    ...flags,
    `--etcd-servers=http://127.0.0.1:${client}`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.0.0.0/24',
    '--disable-admission-plugins=ServiceAccount',
  ]);
  const ask = askServer(port, world.authorityPem);
  await untilReady(ask, () => (server.exitCode === null ? undefined : 'see its log'));
  return {
    port,
    ask,
    async close() {
      await ended(server);
      await ended(etcd);
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

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await exit;
  clearTimeout(timer);
};
