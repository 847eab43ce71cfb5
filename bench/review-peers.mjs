// Shared by the benches of whole requests: the reviews, the servers, which run as processes of their
// own, and the loop that sends requests.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { createSelfSigned } from '../engine/src/server/tls/self-signed.ts';
import { openConnection } from './http2-connection.mjs';
import { load, WORKLOAD } from './peers/node/lib.mjs';

/** So few that each is decided from the cache, except once in ten seconds. */
const tokenCount = 200;

/** The folder of certificate, key and configuration, which is removed when the process exits. */
export const folder = mkdtempSync(join(tmpdir(), 'authgraph-reviews-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const made = createSelfSigned({ hosts: ['localhost', '127.0.0.1'], now: Date.now() });
writeFileSync(join(folder, 'server.pem'), made.certificatePem);
writeFileSync(join(folder, 'server.key'), made.privateKeyPem, { mode: 0o600 });
/** The configuration of the product; a bench may change it. */
export const configuration = join(folder, 'scale-64.yaml');
const text = readFileSync(join(WORKLOAD, 'configs/scale-64.yaml'), 'utf8');
writeFileSync(
  configuration,
  text.replace('apiserver.config.platform.io/', 'apiserver.config.k8s.io/'),
);

const tokens = load()
  .tokens.slice(0, tokenCount)
  .map(({ token }) => token);
const caller = tokens[0];
const group = 'authentication.k8s.io';
/** A body like that of kube-apiserver. */
export const reviewOf = (token) =>
  Buffer.from(JSON.stringify({ apiVersion: `${group}/v1`, kind: 'TokenReview', spec: { token } }));
export const bodies = tokens.map(reviewOf);
const head = {
  ':method': 'POST',
  ':scheme': 'https',
  ':authority': 'localhost',
  ':path': `/apis/${group}/v1/tokenreviews`,
  authorization: `Bearer ${caller}`,
  'content-type': 'application/json',
  accept: 'application/json, */*',
  'user-agent': 'kube-apiserver/v1.36.3 (linux/amd64) kubernetes/abcdef0',
};

/** Starts a server script in this folder or at a path; resolves when it has printed its port. */
export const startPeer = (script, args, flags = []) =>
  new Promise((started, reject) => {
    const child = spawn(
      process.execPath,
      [...flags, resolve(import.meta.dirname, script), folder, ...args],
      {
        env: { ...process.env, WORKLOAD },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    child.on('exit', (code) => reject(new Error(`${script}: exit ${code}`)));
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => {
      const { port } = JSON.parse(line);
      if (port !== undefined) started({ child, lines, port });
    });
  });

/** Opens persistent connections, of which each sends the token. */
export const openConnections = (port, count, token = caller) =>
  Promise.all(
    Array.from({ length: count }, () =>
      openConnection({
        port,
        authority: made.authorityPem,
        head: { ...head, authorization: `Bearer ${token}` },
      }),
    ),
  );

/** Returns the user and system time of a process in microseconds, according to the kernel. */
export const processorTime = (pid) => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
};

const allProcessorTime = (pids) => pids.reduce((sum, pid) => sum + processorTime(pid), 0);

/**
 * Sends the next request on each connection after the response and the pause in milliseconds.
 * `pids` are the processes of the server, `reviews` the bodies that it gets.
 */
export const slice = async (peer, milliseconds, pauseMs = 0) => {
  const { connections, pids = [peer.child.pid], reviews = bodies } = peer;
  const before = allProcessorTime(pids);
  const end = performance.now() + milliseconds;
  const latencies = [];
  await Promise.all(
    connections.map(async (connection, place) => {
      for (let index = place * 131; performance.now() < end; index += 1) {
        const started = performance.now();
        await connection.ask(reviews[index % reviews.length]);
        latencies.push(performance.now() - started);
        if (pauseMs > 0) await pause(pauseMs);
      }
    }),
  );
  const used = allProcessorTime(pids) - before;
  latencies.sort((a, b) => a - b);
  const at = (share) => latencies[Math.floor(share * (latencies.length - 1))];
  return { cpu: used / latencies.length, count: latencies.length, p50: at(0.5), p99: at(0.99) };
};
