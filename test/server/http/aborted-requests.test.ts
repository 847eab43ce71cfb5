/**
 * Requests that end before they are complete: the client disconnects, or the requested timeout
 * expires. An incomplete body has no effect, and nothing that the request holds is retained.
 */
import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect as connectHttp2,
} from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Decision } from '../../../engine/src/model/decision.ts';
import type { RunningServer } from '../../../engine/src/server/server.ts';
import { type FakeOptions, fakeGeneration, startFake } from '../../support/fake-generation.ts';
import { openMemoryObjects } from '../../support/memory-objects.ts';

const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const resource = 'clusterroles';
const wide = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: cut }
rules:
- apiGroups: ['']
  resources: [secrets]
  verbs: [get]
`;
/** Truncated before its last line, it grants more than intended. */
const narrow = `${wide}  resourceNames: [only-this]\n`;

const start = async (fake: Pick<FakeOptions, 'decide'> = {}) => {
  const { store, objectServices: world } = await openMemoryObjects();
  onTestFinished(() => world.close());
  const generations = { taken: 0, given: 0 };
  const statuses: unknown[] = [];
  const stage = fakeGeneration(fake);
  const server = await startFake({
    decisionLog: { event: (_level, _message, fields) => statuses.push(fields?.status) },
    settings: {
      objectServices: world,
      waitingLimits: { waitingForAuthentication: 2, waitingForBody: 2, waitingForReview: 2 },
      holder: {
        acquire() {
          generations.taken += 1;
          return {
            generation: stage,
            release() {
              generations.given += 1;
            },
          };
        },
      },
    },
  });
  onTestFinished(() => server.close(100));
  /** Waits until no request is in progress. */
  const settled = (begun: number) =>
    vi.waitFor(() => expect([generations.taken, generations.given]).toEqual([begun, begun]));
  const atWork = () => vi.waitFor(() => expect(generations.taken).toBe(1));
  const stored = (name: string) => store.get({ resource, namespace: '', name });
  return { server, statuses, atWork, settled, stored };
};

const admin = { authorization: 'Bearer tok-admin', 'content-type': 'application/yaml' };

const openHttp2 = async (server: RunningServer): Promise<ClientHttp2Session> => {
  const session = connectHttp2(server.url, { ca: server.authorityPem ?? '' });
  session.on('error', () => {});
  await once(session, 'connect');
  return session;
};

/** Settles when the first part of a body was sent whose announced length is greater. */
const beginHttp2 = async (
  session: ClientHttp2Session,
  request: { readonly method: string; readonly path: string; readonly part: string },
) => {
  const { method, path, part } = request;
  const stream = session.request(
    { ':method': method, ':path': path, ...admin, 'content-length': String(narrow.length) },
    { endStream: false },
  );
  stream.on('error', () => {});
  await new Promise((resolve) => stream.write(part, resolve));
  return stream;
};

describe('a connection that is closed in the middle of a body', () => {
  test.each([
    ['before any of it arrived', ''],
    ['when the received part is valid', wide],
  ])('HTTP/2, %s', async (_name, part) => {
    const { server, statuses, atWork, settled, stored } = await start();
    const session = await openHttp2(server);
    await beginHttp2(session, { method: 'POST', path: roles, part });
    await atWork();
    session.destroy();
    await settled(1);
    expect(statuses).toEqual([400]);
    expect(await stored('cut')).toBeUndefined();
  });

  test('HTTP/2, deletes nothing if the options of a deletion are truncated', async () => {
    const { server, statuses, atWork, settled, stored } = await start();
    const session = await openHttp2(server);
    await beginHttp2(session, { method: 'DELETE', path: `${roles}/view`, part: '' });
    await atWork();
    session.destroy();
    await settled(1);
    expect(statuses).toEqual([400]);
    expect(await stored('view')).toBeDefined();
  });

  test('HTTP/2, a stream that the client resets', async () => {
    const { server, statuses, atWork, settled, stored } = await start();
    const session = await openHttp2(server);
    const stream = await beginHttp2(session, { method: 'POST', path: roles, part: wide });
    await atWork();
    stream.close();
    await settled(1);
    expect(statuses).toEqual([400]);
    expect(await stored('cut')).toBeUndefined();
    session.destroy();
  });
});

describe('a complete body of a request that is canceled before the caller is authenticated', () => {
  const admin: Decision = {
    kind: 'accepted',
    user: { username: 'admin', uid: '', groups: ['system:masters'], extra: new Map() },
    audiences: [],
    by: 'webhook-token',
  };
  const dryRun = '{"kind":"DeleteOptions","apiVersion":"v1","dryRun":["All"]}';

  test.each([
    ['the stream is reset', '', (stream: ClientHttp2Stream) => stream.close()],
    ['the connection is closed', '', (stream: ClientHttp2Stream) => stream.session?.destroy()],
    [
      'its timeout expires',
      '?timeout=30ms',
      (_stream: ClientHttp2Stream, answered: Promise<unknown>) => answered,
    ],
  ])('HTTP/2, %s: the request has no effect', async (_name, query, end) => {
    let decided: (decision: Decision) => void = () => {};
    const { server, atWork, settled, stored } = await start({
      decide: () =>
        new Promise((resolve) => {
          decided = resolve;
        }),
    });
    const session = await openHttp2(server);
    const head = {
      ':method': 'DELETE',
      ':path': `${roles}/view${query}`,
      authorization: 'Bearer any',
      'content-type': 'application/json',
      expect: '100-continue',
    };
    const stream = session.request(head, { endStream: false });
    stream.on('error', () => {});
    const answered = once(stream, 'response').catch(() => {});
    let granted = 0;
    stream.on('continue', () => {
      granted += 1;
    });
    stream.end(dryRun);
    await atWork();
    // The body arrives together with the response to the PING.
    await new Promise((resolve) => session.ping(resolve));
    await end(stream, answered);
    if (!session.destroyed) await new Promise((resolve) => session.ping(resolve));
    decided(admin);
    await settled(1);
    expect(await stored('view')).toBeDefined();
    // It would follow the end of the response.
    expect(granted).toBe(0);
    session.destroy();
  });
});

describe('a timeout that expires in the middle of a body', () => {
  test('HTTP/2', async () => {
    const { server, statuses, settled, stored } = await start();
    const session = await openHttp2(server);
    for (let round = 1; round <= 3; round += 1) {
      const path = `${roles}?timeout=30ms`;
      const stream = await beginHttp2(session, { method: 'POST', path, part: wide });
      const [answer] = await once(stream, 'response');
      expect(answer[':status']).toBe(504);
      await settled(round);
    }
    expect(statuses).toEqual([504, 504, 504]);
    expect(await stored('cut')).toBeUndefined();
    session.destroy();
  });

  test('HTTP/1.1', async () => {
    const { server, statuses, settled, stored } = await start();
    for (let round = 1; round <= 3; round += 1) {
      const socket = connectTls({
        host: '127.0.0.1',
        port: server.port,
        servername: 'localhost',
        ca: server.authorityPem ?? '',
        ALPNProtocols: ['http/1.1'],
      });
      const head = [
        `POST ${roles}?timeout=30ms HTTP/1.1`,
        'Host: localhost',
        `Authorization: ${admin.authorization}`,
        `Content-Type: ${admin['content-type']}`,
        `Content-Length: ${narrow.length}`,
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n${wide}`);
      const [answer] = await once(socket, 'data');
      expect(String(answer)).toMatch(/^HTTP\/1\.1 504 /);
      await settled(round);
      socket.destroy();
    }
    expect(statuses).toEqual([504, 504, 504]);
    expect(await stored('cut')).toBeUndefined();
  });
});
