/** Bodies that do not arrive: a single response, as kube-apiserver sends it. */
import { once } from 'node:events';
import { connect } from 'node:http2';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { RunningServer } from '../../../engine/src/server/server.ts';
import { reach, startFake } from '../../support/fake-generation.ts';
import { type RawAnswer, rawExchange } from '../../support/raw-exchange.ts';

vi.mock('../../../engine/src/server/limits.ts', async (importOriginal) => {
  const limits = await importOriginal<typeof import('../../../engine/src/server/limits.ts')>();
  return {
    ...limits,
    requestLimits: { ...limits.requestLimits, deadlineMs: 300 },
    connectionLimits: { ...limits.connectionLimits, headersMs: 1000, requestMs: 1000 },
  };
});

const start = async () => {
  const statuses: unknown[] = [];
  const server = await startFake({
    decisionLog: { event: (_level, _message, fields) => statuses.push(fields?.status) },
  });
  onTestFinished(() => server.close(100));
  return { server, statuses };
};

const reviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const timeout =
  '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout","reason":"Timeout","details":{},"code":504}\n';

/** Returns the response to a request of whose body a single byte arrives. */
const responseTo = (server: RunningServer, path: string): Promise<RawAnswer> => {
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    'Authorization: Bearer tok-alice',
    'Content-Type: application/json',
    'Content-Length: 100',
  ];
  return rawExchange(reach(server), `${head.join('\r\n')}\r\n\r\n{`);
};

test.each([
  ['the deadline of the server', reviews],
  ['the timeout that the client requested', `${reviews}?timeout=30ms`],
])('HTTP/1.1, returns a 504 after %s', async (_name, path) => {
  const { server, statuses } = await start();
  const { status, headers, body } = await responseTo(server, path);
  expect(status).toBe(504);
  expect(headers.get('content-type')).toEqual(['text/plain; charset=utf-8']);
  expect(headers.get('connection')).toEqual(['close']);
  expect(body).toBe(timeout);
  expect(statuses).toEqual([504]);
});

test('HTTP/1.1, responds before the body is read', async () => {
  const { server } = await start();
  const { raw } = await responseTo(server, '/api/v1/namespaces');
  expect(raw.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 403']);
});

test('HTTP/2', async () => {
  const { server, statuses } = await start();
  const session = connect(server.url, { ca: server.authorityPem ?? '' });
  const stream = session.request(
    {
      ':method': 'POST',
      ':path': reviews,
      authorization: 'Bearer tok-alice',
      'content-type': 'application/json',
      'content-length': '100',
    },
    { endStream: false },
  );
  stream.on('error', () => {});
  stream.write('{');
  let body = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    body += text;
  });
  const [answer] = await once(stream, 'response');
  await once(stream, 'close');
  session.destroy();
  expect(answer[':status']).toBe(504);
  expect(body).toBe(timeout);
  expect(statuses).toEqual([504]);
});
