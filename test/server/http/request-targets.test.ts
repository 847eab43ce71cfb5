/**
 * Targets that are not paths: `*`, and the authority of CONNECT; expectations from kube-apiserver
 * 1.36.
 */
import { once } from 'node:events';
import { connect } from 'node:http2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningServer } from '../../../engine/src/server/server.ts';
import { reach, startFake } from '../../support/fake-generation.ts';
import { rawExchange } from '../../support/raw-exchange.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startFake();
});
afterAll(() => server.close(100));

const forbidden = (path: string): string =>
  `forbidden: User "alice" cannot connect path ${JSON.stringify(path)}`;

describe('HTTP/1.1', () => {
  const ask = (line: string) => {
    const head = [`${line} HTTP/1.1`, 'Host: localhost', 'Connection: close'];
    return rawExchange(
      reach(server),
      `${[...head, 'Authorization: Bearer tok-alice'].join('\r\n')}\r\n\r\n`,
    );
  };

  test('answers OPTIONS * without authentication', async () => {
    const { status, headers, body } = await ask('OPTIONS *');
    expect([status, body]).toEqual([200, '']);
    expect([...headers.keys()].sort()).toEqual(['connection', 'content-length', 'date']);
    expect(headers.get('content-length')).toEqual(['0']);
  });

  test.each([
    ['a:1', ''],
    ['/version', '/version'],
  ])('CONNECT %s', async (target, path) => {
    const { status, body } = await ask(`CONNECT ${target}`);
    expect(status).toBe(403);
    expect(JSON.parse(body).message).toBe(forbidden(path));
  });

  test('closes the connection of a pipelined CONNECT and keeps serving', async () => {
    const next = 'HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const { raw } = await rawExchange(reach(server), `GET /version ${next}CONNECT a:1 ${next}`);
    expect(raw).toBe('');
    expect((await ask('OPTIONS *')).status).toBe(200);
  });
});

test('keeps an HTTP/2 connection open', async () => {
  const session = connect(server.url, { ca: server.authorityPem ?? '' });
  let isLeft = false;
  session.on('goaway', () => {
    isLeft = true;
  });
  const ask = async (fields: Readonly<Record<string, string>>) => {
    const stream = session.request({ ...fields, authorization: 'Bearer tok-alice' });
    let body = '';
    stream.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    const [answer] = await once(stream.end(), 'response');
    await once(stream, 'close');
    return { answer, body };
  };
  for (const authority of ['a:1', '/version', '/api/v1/namespaces', '/%zz']) {
    const tunnel = await ask({ ':method': 'CONNECT', ':authority': authority });
    expect(tunnel.answer[':status']).toBe(403);
    expect(JSON.parse(tunnel.body).message).toBe(forbidden(''));
  }
  for (const path of ['http:', 'http:foo', 'http:?x', 'http://localhost']) {
    const { body } = await ask({ ':method': 'CONSULT', ':path': path });
    expect(JSON.parse(body).message).toBe('forbidden: User "alice" cannot consult path ""');
  }
  for (const path of ['http:/version', 'http://a:1/version', 'http:///version']) {
    const { body } = await ask({ ':method': 'CONSULT', ':path': path });
    expect(JSON.parse(body).message).toBe('forbidden: User "alice" cannot consult path "/version"');
  }
  const options = await ask({ ':method': 'OPTIONS', ':path': '*' });
  expect([options.answer[':status'], options.answer['content-length']]).toEqual([200, '0']);
  const all = await ask({ ':method': 'GET', ':path': '*' });
  expect(JSON.parse(all.body).message).toBe('forbidden: User "alice" cannot get path "*"');
  expect(isLeft).toBe(false);
  session.destroy();
});
