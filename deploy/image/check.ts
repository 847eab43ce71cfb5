/**
 * Unpacks the image of this machine's architecture and starts it: in a chroot, read-only, as the user of the image, in
 * namespaces of its own. Needs root.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';

/** The architecture as OCI names it. */
const architecture = process.arch === 'x64' ? 'amd64' : process.arch;

interface Descriptor {
  readonly digest: string;
  readonly size: number;
  readonly platform?: { readonly architecture: string };
}

export const checkLayout = async (
  layout: string,
  { version, scratch }: { readonly version: string; readonly scratch: string },
): Promise<void> => {
  const blob = ({ digest, size }: Descriptor): Buffer => {
    const content = readFileSync(join(layout, 'blobs', digest.replace(':', '/')));
    if (`sha256:${sha256(content)}` !== digest || content.length !== size) {
      throw new Error(`${layout}: the blob ${digest} is damaged`);
    }
    return content;
  };
  const json = (descriptor: Descriptor) => JSON.parse(blob(descriptor).toString());
  const [top] = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')).manifests;
  const own = json(top).manifests.find(
    (one: Descriptor) => one.platform?.architecture === architecture,
  );
  if (own === undefined) throw new Error(`${layout} has no image for ${architecture}`);
  const manifest = json(own);
  const { config, rootfs } = json(manifest.config);
  const root = join(scratch, 'root');
  mkdirSync(root, { recursive: true });
  // The user of the image passes through.
  chmodSync(scratch, 0o755);
  for (const [index, layer] of manifest.layers.entries()) {
    const archive = gunzipSync(blob(layer));
    if (`sha256:${sha256(archive)}` !== rootfs.diff_ids[index])
      throw new Error('a diff ID is wrong');
    execFileSync('tar', ['-x', '-p', '-C', root], {
      input: archive,
      stdio: ['pipe', 'inherit', 'ignore'],
    });
  }
  writeFileSync(
    join(root, 'etc/tokens.csv'),
    `${randomBytes(16).toString('hex')},admin,1,system:masters\n`,
  );
  chmodSync(join(root, 'etc/tokens.csv'), 0o644);

  const printed = execFileSync('unshare', inside(root, config, ['--version']), {
    encoding: 'utf8',
  });
  if (printed !== `authgraph ${version}\n`)
    throw new Error(`authgraph --version printed ${printed}`);
  await serve(root, config);
  process.stdout.write(
    `${printed.trim()} starts as ${config.User}, read-only, is ready, and ends at SIGTERM\n`,
  );
};

const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

interface Config {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
}

/** Mounts the root read-only, with /proc, and runs the rest of the arguments with their environment alone. */
const script = `mount --bind "$1" "$1"
mount -o remount,bind,ro,nosuid,nodev "$1"
mount -t proc proc "$1/proc"
shift
exec env -i "$@"`;

/** Returns the arguments of unshare(1) that run the image with these arguments. */
const inside = (root: string, config: Config, args: readonly string[]): readonly string[] => [
  ...['--mount', '--pid', '--fork', 'sh', '-euc', script, 'sh', root],
  ...config.Env,
  ...['/usr/sbin/chroot', `--userspec=${config.User}`, root, ...config.Entrypoint, ...args],
];

const serve = async (root: string, config: Config): Promise<void> => {
  const port = await freePort();
  const args = [
    ...config.Cmd,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    '--token-auth-file=/etc/tokens.csv',
  ];
  const child = spawn('unshare', inside(root, config, args), { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output += String(chunk)));
  try {
    for (let tries = 0; (await statusOf(port)) !== 200; tries += 1) {
      if (tries === 150 || child.exitCode !== null)
        throw new Error(`/readyz is not 200:\n${output}`);
      await pause(100);
    }
  } finally {
    await stop(child);
  }
  if (child.exitCode !== 0) throw new Error(`SIGTERM ended it with ${child.exitCode}:\n${output}`);
};

/**
 * Stops the server gracefully. The signal goes to the first process of its namespace: one to unshare(1) would leave the
 * server running, which has changed its user and so is not killed with its parent.
 */
const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  const first = Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8'));
  process.kill(first, 'SIGTERM');
  const kill = setTimeout(() => process.kill(first, 'SIGKILL'), 15_000);
  await ended;
  clearTimeout(kill);
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
};

/** Returns the status of /readyz, or `undefined` if there is no response. */
const statusOf = (port: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    // The certificate is self-signed and created at the start.
    const options = { host: '127.0.0.1', port, path: '/readyz', rejectUnauthorized: false };
    request(options, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', () => resolve(undefined))
      .end();
  });
