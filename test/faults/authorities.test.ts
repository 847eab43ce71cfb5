/**
 * F-11: an authority is removed from its file; its certificates are rejected, on open connections
 * too.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCert } from '../attacks/lib/der.mjs';
import { reviewPath, sendRequest } from './parts/ask.ts';
import { createEnvironment, type TestEnvironment } from './parts/environment.ts';
import { report, until } from './parts/form.ts';
import { answerText } from './parts/questions.ts';
import { type Served, serve } from './parts/served.ts';

const ours = makeCert({ subject: [['CN', 'ours']], ca: true });
const theirs = makeCert({ subject: [['CN', 'theirs']], ca: true });
const proxies = makeCert({ subject: [['CN', 'proxies']], ca: true });
const ada = makeCert(
  {
    subject: [
      ['CN', 'ada'],
      ['O', 'x'],
    ],
  },
  ours,
);
const bob = makeCert(
  {
    subject: [
      ['CN', 'bob'],
      ['O', 'x'],
    ],
  },
  theirs,
);
const proxy = makeCert({ subject: [['CN', 'front']] }, proxies);

let environment: TestEnvironment;
let server: Served;
const mostMs = 60_000;

beforeAll(async () => {
  environment = await createEnvironment({ issuers: 1 });
  environment.write('clients.pem', ours.pem);
  environment.write('proxies.pem', proxies.pem);
  server = await serve({
    folder: environment.folder,
    args: [
      ...environment.args,
      '--client-ca-file=clients.pem',
      '--requestheader-client-ca-file=proxies.pem',
      '--requestheader-username-headers=X-Remote-User',
      '--requestheader-group-headers=X-Remote-Group',
    ],
  });
});
afterAll(async () => {
  await server.stop();
  environment.end();
});

interface Line {
  ask(): Promise<string>;
  /** The number of connections so far. */
  connections(): number;
  close(): void;
}

/** A client over HTTP/1.1 that reuses one connection. */
const reusedConnection = (
  who: { readonly pem: string; readonly keyPem: string },
  headers: readonly (readonly [string, string])[] = [],
): Line => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, maxCachedSessions: 0 });
  let made = 0;
  const create = agent.createConnection.bind(agent);
  agent.createConnection = (...args) => {
    made += 1;
    return create(...args);
  };
  return {
    ask: async () =>
      answerText(await sendRequest({ ...server, agent, certificate: who }, { headers })),
    connections: () => made,
    close: () => agent.destroy(),
  };
};

/** A client over HTTP/2 on one session, and on a new one after the server ended it. */
const session = (who: { readonly pem: string; readonly keyPem: string }): Line => {
  let made = 0;
  const open = () => {
    made += 1;
    const opened = connectHttp2(`https://127.0.0.1:${server.port}`, {
      rejectUnauthorized: false,
      cert: who.pem,
      key: who.keyPem,
    });
    opened.on('error', () => {});
    return opened;
  };
  let current = open();
  return {
    ask: () =>
      new Promise((resolve, reject) => {
        if (current.closed || current.destroyed) current = open();
        const stream = current.request({
          ':method': 'POST',
          ':path': reviewPath,
          'content-type': 'application/json',
        });
        let status = 0;
        let body = '';
        stream.on('response', (fields) => {
          status = Number(fields[':status']);
        });
        stream.on('data', (chunk) => {
          body += String(chunk);
        });
        stream.on('end', () => resolve(answerText({ status, body, retryAfter: false })));
        stream.on('error', reject);
        stream.end('{}');
      }),
    connections: () => made,
    close: () => current.destroy(),
  };
};

const goneWithin = async (lines: readonly Line[]): Promise<number> =>
  Math.max(
    ...(await Promise.all(
      lines.map((line) => until(async () => (await line.ask()) === '401', mostMs, 100)),
    )),
  );

test.each([
  ['by a rename', (text: string) => environment.replace('clients.pem', text)],
  ['in place', (text: string) => writeFileSync(join(environment.folder, 'clients.pem'), text)],
  [
    'after it was away for a while',
    (text: string) => {
      const path = join(environment.folder, 'clients.pem');
      renameSync(path, `${path}.away`);
      writeFileSync(path, text);
    },
  ],
])('F-11 the client authority changes %s', async (name, change) => {
  change(ours.pem);
  const first = reusedConnection(ada);
  await until(async () => (await first.ask()) === 'ada [x]', mostMs, 100);
  const lines = [first, reusedConnection(ada), session(ada)];
  for (const line of lines) expect(await line.ask()).toBe('ada [x]');
  const connections = lines.map((line) => line.connections());
  change(theirs.pem);
  const tookMs = await goneWithin(lines.slice(0, 2));
  // The same connections: no client had to reconnect to be rejected.
  expect(lines.slice(0, 2).map((line) => line.connections())).toEqual(connections.slice(0, 2));
  const secondTookMs = await goneWithin(lines.slice(2));
  const others = reusedConnection(bob);
  const newMs = await until(async () => (await others.ask()) === 'bob [x]', mostMs, 100);
  report(`F-11 ${name}`, {
    'refused after ms': tookMs + secondTookMs,
    'new ones let in ms': newMs,
  });
  expect(tookMs + secondTookMs).toBeLessThan(mostMs);
  for (const line of [...lines, others]) line.close();
});

test('F-11 the proxy authority is removed: its identities are rejected', async () => {
  const line = reusedConnection(proxy, [
    ['X-Remote-User', 'carol'],
    ['X-Remote-Group', 'behind'],
  ]);
  expect(await line.ask()).toBe('carol [behind]');
  environment.replace('proxies.pem', theirs.pem);
  const tookMs = await until(async () => (await line.ask()) !== 'carol [behind]', mostMs, 100);
  const after = await line.ask();
  report('F-11 proxies', { 'refused after ms': tookMs, after });
  expect(after).toBe('401');
  line.close();
});

test('F-11 a broken or missing file changes no decision', async () => {
  environment.replace('clients.pem', ours.pem);
  const line = reusedConnection(ada);
  await until(async () => (await line.ask()) === 'ada [x]', mostMs, 100);
  const said = server.output().length;
  for (const text of ['', 'no certificate', ours.pem.slice(0, 200)]) {
    environment.replace('clients.pem', text);
    await until(
      () => server.output().slice(said).includes('the last valid ones remain in use'),
      10_000,
    );
    expect(await line.ask()).toBe('ada [x]');
    expect(await reusedConnection(bob).ask()).toBe('401');
  }
  line.close();
});
