/** Runs etcd with one or more members, on loopback, each with its own data. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

export interface EtcdCluster {
  readonly endpoints: readonly string[];
  /** The index of the leader. */
  leader(): number;
  signal(member: number, name: NodeJS.Signals): Promise<void>;
  /** Starts a member that was killed. */
  revive(member: number): Promise<void>;
  compact(revision: string): void;
  stop(): Promise<void>;
}

export interface EtcdOptions {
  readonly members?: number;
  /** Arguments of all members, after the usual ones. */
  readonly extra?: readonly string[];
  readonly scheme?: 'http' | 'https';
  /** Flags with which `etcdctl` and the health check connect. */
  readonly control?: readonly string[];
}

/** Starts the members and waits for a leader. Fails if `etcd` or `etcdctl` is not installed. */
export const etcdCluster = async (options: EtcdOptions = {}): Promise<EtcdCluster> => {
  const { members = 1, extra = [], scheme = 'http', control = [] } = options;
  const folder = mkdtempSync(join(tmpdir(), 'etcd-'));
  const peers: string[] = [];
  const endpoints: string[] = [];
  for (let member = 0; member < members; member += 1) {
    peers.push(`http://127.0.0.1:${await freePort()}`);
    endpoints.push(`${scheme}://127.0.0.1:${await freePort()}`);
  }
  const cluster = peers.map((peer, member) => `m${member}=${peer}`).join(',');
  const processes: ChildProcess[] = [];
  const start = (member: number): void => {
    const peer = String(peers[member]);
    const client = String(endpoints[member]);
    const own = ['--name', `m${member}`, '--data-dir', join(folder, String(member))];
    const urls = [
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
      ...['--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--initial-cluster', cluster, '--logger', 'zap', '--log-level', 'error'],
    ];
    const one = spawn('etcd', [...own, ...urls, ...extra], { stdio: 'ignore' });
    // Not installed: the health check reports it.
    one.on('error', () => {});
    processes[member] = one;
  };
  const ask = (...args: readonly string[]): string => {
    const run = spawnSync('etcdctl', [...control, `--endpoints=${endpoints.join(',')}`, ...args], {
      env: { ...process.env, ETCDCTL_API: '3' },
      encoding: 'utf8',
    });
    return run.stdout;
  };
  const healthy = async (): Promise<void> => {
    for (let tries = 0; tries < 100; tries += 1) {
      if (leaderNow() !== -1) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(
      'etcd does not come up; it needs etcd and etcdctl (Debian: etcd-server, etcd-client)',
    );
  };
  const leaderNow = (): number => {
    try {
      const states: readonly {
        readonly Endpoint: string;
        readonly Status: {
          readonly leader: number;
          readonly header: { readonly member_id: number };
        };
      }[] = JSON.parse(ask('endpoint', 'status', '-w', 'json'));
      const leads = states.find(({ Status }) => Status.leader === Status.header.member_id);
      return leads === undefined ? -1 : endpoints.indexOf(leads.Endpoint);
    } catch {
      return -1;
    }
  };
  for (let member = 0; member < members; member += 1) start(member);
  await healthy();
  return {
    endpoints,
    leader: leaderNow,
    async signal(member, name) {
      const one = processes[member];
      one?.kill(name);
      if (one !== undefined && name !== 'SIGSTOP' && name !== 'SIGCONT') await once(one, 'exit');
    },
    async revive(member) {
      start(member);
      await healthy();
    },
    compact(revision) {
      ask('compact', revision);
    },
    async stop() {
      for (const one of processes) {
        if (one.pid !== undefined && one.exitCode === null && one.signalCode === null) {
          one.kill('SIGKILL');
          await once(one, 'exit');
        }
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
