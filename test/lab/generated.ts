/**
 * The real kube-apiserver beside ours on requests made by chance: every difference is printed.
 *
 *   node test/lab/generated.ts [COUNT] [SEED]
 *
 * The real programs come from `test/lab/real/build`; etcd is on the path.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type LabCredentials, makeCredentials } from './credentials.ts';
import {
  type LabAnswer,
  type LabRequest,
  normalised,
  requestBytes,
  setupSteps,
  shownAnswer,
} from './exchange.ts';
import { generatedRequests } from './generator.ts';
import { askServer, type LabServer, startLabServer, untilReady } from './lab-server.ts';
import { type LabWorld, makeWorld } from './world.ts';

export interface Difference {
  readonly request: LabRequest;
  readonly real: unknown;
  readonly ours: unknown;
}

export interface GeneratedRun {
  readonly count: number;
  /** How often the real server answered so. */
  readonly statuses: ReadonlyMap<string, number>;
  readonly differences: readonly Difference[];
}

const domain = 'k8s.io';

/** Where `test/lab/real/build` puts the real programs. */
export const realPrograms = (): string =>
  process.env.APISERVER_BIN ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'authgraph-lab');

/** Starts both, sends each request to both, and tells what differs. */
export const runGenerated = async (options: {
  readonly count: number;
  readonly seed: number;
}): Promise<GeneratedRun> => {
  const folder = mkdtempSync(join(tmpdir(), 'authgraph-generated-'));
  const world = await makeWorld();
  const credentials = makeCredentials(folder);
  const started: { close(): Promise<void> }[] = [world];
  try {
    const flags = [...credentials.flags, ...servingFlags(folder, world)];
    const { authorityPem } = world;
    const real = await startReal(folder, flags, world);
    started.unshift(real);
    const ours = await startLabServer({
      authorityPem,
      flags: [...flags, `--api-domain=${domain}`, '--target-version=1.36'],
    });
    started.unshift(ours);
    const askReal = await prepared(real, credentials, world);
    const askOurs = await prepared(ours, credentials, world);
    const differences: Difference[] = [];
    const statuses = new Map<string, number>();
    for (const request of generatedRequests(options.count, options.seed)) {
      const [theirs, mine] = await Promise.all([askReal(request), askOurs(request)]);
      const status = String(theirs.status ?? 'none');
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (!isDeepStrictEqual(theirs, mine) && !isMeant(request, theirs, mine)) {
        differences.push({ request, real: theirs, ours: mine });
      }
    }
    return { count: options.count, statuses, differences };
  } finally {
    for (const one of started) await one.close();
    rmSync(folder, { recursive: true, force: true });
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
    `--authentication-config=${file('authn.yaml', world.configuration(domain))}`,
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

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
};

interface Compared {
  readonly status?: number | undefined;
}

/** The objects of the lab in a server, and a way to ask it. */
const prepared = async (
  server: LabServer,
  { certificates }: LabCredentials,
  world: LabWorld,
): Promise<(request: LabRequest) => Promise<Compared>> => {
  const tokens = new Map(world.tokens);
  const ask = async (request: LabRequest): Promise<LabAnswer & { readonly text: string }> => {
    const certificate = request.cert === undefined ? undefined : certificates.get(request.cert);
    const answer = await server.ask(requestBytes(request, domain, tokens), certificate);
    return { ...shownAnswer(request.id, answer), text: answer.body };
  };
  for (const [method, path, body, name] of setupSteps(domain)) {
    const step = { id: path, method, path, headers: [], body: JSON.stringify(body), cert: 'admin' };
    const { status, text } = await ask(step);
    if ((status ?? 0) >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
    if (name !== undefined) tokens.set(name, JSON.parse(text).status.token);
  }
  const last = {
    id: 'last',
    method: 'POST',
    path: '/apis/authentication.@DOMAIN@/v1/tokenreviews',
    headers: ['Authorization: Bearer static-one'],
    body: '{"apiVersion":"authentication.@DOMAIN@/v1","kind":"TokenReview","spec":{"token":"x"}}',
  };
  await untilReady(async () => {
    const { status } = await ask(last);
    return { status: status === 201 ? 200 : status };
  });
  // Secrets and accounts are seen through a view of their own.
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  return async (request) => {
    const { text, ...answer } = await ask(request);
    const { status } = answer;
    return describesServer(request.path) ? { status } : { ...normalised(answer), status };
  };
};

const settleMs = 3_000;

/**
 * A row of docs/differences.md: a signature may be spelled in one way only, so the reason of a refusal
 * is another. And of several extra keys the real server refuses one or the other first, by chance.
 */
const isMeant = ({ headers, body = '' }: LabRequest, theirs: Compared, mine: Compared): boolean => {
  if (theirs.status !== mine.status) return false;
  if (body.includes('{truncsig}')) return isRefusedReview(theirs) && isRefusedReview(mine);
  const extras = headers.filter((line) => line.startsWith('Impersonate-Extra-'));
  return extras.length > 1 && mine.status === 403;
};

const isRefusedReview = (answer: Compared): boolean => {
  const text = JSON.stringify(answer);
  return answer.status === 201 && !/authenticated\\*":\s*true/.test(text);
};

/** What describes the server and not the stage is compared by its status. */
const describesServer = (path: string): boolean =>
  /^\/+(?:$|version|metrics|healthz|readyz|livez|apis?\/?$|api\/v1\/?$|openid)/.test(path);

if (import.meta.main) {
  const [count = '2000', seed = '1'] = process.argv.slice(2);
  const { differences, statuses } = await runGenerated({
    count: Number(count),
    seed: Number(seed),
  });
  for (const difference of differences) process.stdout.write(`${JSON.stringify(difference)}\n`);
  const told = [...statuses].map(([status, times]) => `${status}: ${times}`).join(', ');
  process.stderr.write(`${differences.length} of ${count} differ (${told})\n`);
  process.exitCode = differences.length === 0 ? 0 : 1;
}
