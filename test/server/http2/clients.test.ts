/** Node's HTTP/2 client, which is nghttp2, with the settings of other clients. */
import { type ClientHttp2Session, connect, type Settings } from 'node:http2';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startFake } from '../../support/fake-generation.ts';

const start = async (settings: Settings): Promise<ClientHttp2Session> => {
  const server = await startFake({ anonymousPaths: ['/livez'] });
  onTestFinished(() => server.close(100));
  const session = connect(server.url, { ca: server.authorityPem ?? '', settings });
  onTestFinished(() => session.destroy());
  return session;
};

const ask = async (session: ClientHttp2Session, token = 'tok-alice'): Promise<unknown> => {
  const stream = session.request({
    ':method': 'POST',
    ':path': '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  });
  stream.end('{}');
  const body = await buffer(stream);
  return JSON.parse(String(body)).status.userInfo.username;
};

test.each([0, 100, 4096, 65_536])('header table of %i bytes', async (bytes) => {
  const session = await start({ headerTableSize: bytes });
  expect([await ask(session), await ask(session), await ask(session)]).toEqual(
    Array.from({ length: 3 }, () => 'alice'),
  );
});

test('header table that shrinks, grows and shrinks again between responses', async () => {
  const session = await start({});
  for (const headerTableSize of [0, 4096, 20, 0]) {
    expect(await ask(session)).toBe('alice');
    await new Promise<void>((resolve) => session.settings({ headerTableSize }, () => resolve()));
  }
  expect(await ask(session)).toBe('alice');
});

test.each([0, 1, 100])(
  'initial window of %i bytes that is increased later',
  async (initialWindowSize) => {
    const session = await start({ initialWindowSize });
    const answers = [ask(session), ask(session, 'tok-monitor')];
    await new Promise<void>((resolve) =>
      session.settings({ initialWindowSize: 70_000 }, () => resolve()),
    );
    expect(await Promise.all(answers)).toEqual(['alice', 'monitor']);
  },
);

test('returns the matching response to each of a hundred concurrent requests', async () => {
  const session = await start({});
  const names = Array.from({ length: 100 }, (_, index) => (index % 3 === 0 ? 'monitor' : 'alice'));
  expect(await Promise.all(names.map((name) => ask(session, `tok-${name}`)))).toEqual(names);
});
