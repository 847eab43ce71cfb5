/** The invariants of the HTTP front end, tested with a whole server with every module enabled. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  proxyHeaderNames,
  withoutProxyHeaders,
} from '../../../engine/src/authenticators/authenticating-proxy/header-rules.ts';
import { headerList, withoutCredentials } from '../../../engine/src/model/header-list.ts';
import { withoutImpersonation } from '../../../engine/src/server/requests/impersonation.ts';
import { makeCert } from '../../attacks/lib/der.mjs';
import { type RawAnswer, rawExchange } from '../../support/raw-exchange.ts';
import { wholeServer } from '../../support/whole-server.ts';

const review = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const body = '{}';

let server: Awaited<ReturnType<typeof wholeServer>>;
beforeAll(async () => {
  server = await wholeServer();
}, 30_000);
afterAll(() => server?.close());

interface Certificate {
  readonly pem: string;
  readonly keyPem: string;
}

const send = (request: string, certificate?: Certificate): Promise<RawAnswer> => {
  const tls =
    certificate === undefined ? {} : { tls: { cert: certificate.pem, key: certificate.keyPem } };
  return rawExchange({ port: server.port, authorityPem: server.authorityPem, ...tls }, request);
};

interface Sending {
  readonly fields: readonly string[];
  readonly certificate?: Certificate | undefined;
  readonly path?: string;
}

const reviewWith = ({ fields, certificate, path = review }: Sending): Promise<RawAnswer> =>
  send(
    [
      `POST ${path} HTTP/1.1`,
      'Host: localhost',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
      ...fields,
      '',
      body,
    ].join('\r\n'),
    certificate,
  );

/** Returns the identity in a response. */
const nameIn = ({ body: text }: RawAnswer): string | undefined =>
  (/"username":"(.*?)"/.exec(text) ?? /User \\"(.*?)\\" cannot/.exec(text) ?? [])[1];

const admin = () => `Bearer ${server.tokens.admin}`;

describe('INV-H1 an identity has four sources and no others', () => {
  test.each<[string, () => Sending]>([
    ['a cookie', () => ({ fields: [`Cookie: Authorization=${admin()}; token=${admin()}`] })],
    ['a query', () => ({ fields: [], path: `${review}?access_token=${server.tokens.admin}` })],
    [
      'another query',
      () => ({ fields: [], path: `${review}?Authorization=${server.tokens.admin}` }),
    ],
    ['Proxy-Authorization', () => ({ fields: [`Proxy-Authorization: ${admin()}`] })],
    [
      'X-Forwarded-*',
      () => ({ fields: ['X-Forwarded-User: boss', 'X-Forwarded-Groups: system:masters'] }),
    ],
    ['X-Authorization', () => ({ fields: [`X-Authorization: ${admin()}`] })],
    [
      'a certificate in a field',
      () => ({ fields: ['X-Client-Cert: x', 'X-SSL-Client-S-DN: CN=boss'] }),
    ],
    [
      'basic',
      () => ({
        fields: [
          `Authorization: Basic ${Buffer.from(`boss:${server.tokens.admin}`).toString('base64')}`,
        ],
      }),
    ],
    [
      'X-Remote-* without a proxy certificate',
      () => ({ fields: ['X-Remote-User: boss', 'X-Remote-Group: system:masters'] }),
    ],
    [
      'a sub-protocol without an upgrade',
      () => ({ fields: [`Sec-WebSocket-Protocol: ${protocol()}`] }),
    ],
  ])('%s is not one', async (_name, sending) => {
    const answer = await reviewWith(sending());
    expect([answer.status, nameIn(answer)]).toEqual([401, undefined]);
  });

  const protocol = () =>
    `base64url.bearer.authorization.k8s.io.${Buffer.from(server.tokens.admin).toString('base64url')}, x`;

  test('these are the four', async () => {
    const { client, proxy } = server.certificates;
    expect(nameIn(await reviewWith({ fields: [`Authorization: ${admin()}`] }))).toBe('boss');
    expect(nameIn(await reviewWith({ fields: [], certificate: client }))).toBe('carol');
    const remote = await reviewWith({ fields: ['X-Remote-User: rita'], certificate: proxy });
    expect(nameIn(remote)).toBe('rita');
    const upgrade = ['Connection: close, Upgrade', 'Upgrade: websocket'];
    const fields = ['Host: localhost', ...upgrade, `Sec-WebSocket-Protocol: ${protocol()}`];
    const socket = await send([`GET /metrics HTTP/1.1`, ...fields, '', ''].join('\r\n'));
    expect(socket.status).toBe(200);
  });
});

describe('INV-H2 names are compared by ASCII case, and similar names are rejected or different', () => {
  test.each(['X-Remote-User', 'x-remote-user', 'X-REMOTE-USER'])('%j', async (name) => {
    const certificate = server.certificates.proxy;
    expect(nameIn(await reviewWith({ fields: [`${name}: rita`], certificate }))).toBe('rita');
  });
  test.each([
    ['X_Remote_User', 401],
    ['X-Remote-Users', 401],
    ['X-Remote--User', 401],
    ['X-Remote-User ', 400],
    ['X-Remote-User\t', 400],
    [' X-Remote-User', 400],
    ['X-Remote-User\0', 400],
    // Full-width letters, the long s and the Kelvin sign, as UTF-8.
    ['X-Remote-\u00ef\u00bc\u00b5ser', 400],
    ['X-Remote-U\u00c5\u00bfer', 400],
    ['\u00e2\u0084\u00aa', 400],
  ])('%j', async (name, status) => {
    const certificate = server.certificates.proxy;
    const answer = await reviewWith({ fields: [`${name}: rita`], certificate });
    expect([answer.status, nameIn(answer)]).toEqual([status, undefined]);
  });
});

describe('INV-H3 a malformed message is a 400 and ends the connection, never parsed twice', () => {
  const hidden = `POST ${review} HTTP/1.1\r\nHost: x\r\nAuthorization: TOKEN\r\nContent-Length: 2\r\n\r\n{}`;
  const head = `POST ${review} HTTP/1.1\r\nHost: x\r\nAuthorization: TOKEN\r\n`;
  test.each([
    ['CL.TE', `${head}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`],
    [
      'TE.CL',
      `${head}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n5c\r\n${hidden}\r\n0\r\n\r\n`,
    ],
    ['two lengths', `${head}Content-Length: 2\r\nContent-Length: 0\r\n\r\n{}${hidden}`],
    ['a list of lengths', `${head}Content-Length: 2, 0\r\n\r\n{}${hidden}`],
    ['an unknown coding', `${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`],
    ['a folded field', `${head}X: a\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`],
    ['a bare line feed', `${head}X: a\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`],
    ['a bare carriage return', `${head}X: a\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`],
    ['a NUL', `${head}X: a\0b\r\n\r\n${hidden}`],
    ['a bad chunk', `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n${hidden}`],
    ['a space before the colon', `${head}Content-Length : 2\r\n\r\n{}${hidden}`],
  ])('%s', async (name, request) => {
    const answer = await send(request.replaceAll('TOKEN', admin()));
    expect(answer.status).toBe(400);
    // One response, although the bytes could be read as two requests.
    expect(answer.raw.split('HTTP/1.1 ')).toHaveLength(2);
    expect([name, nameIn(answer)]).toEqual([name, undefined]);
  });
});

test('INV-H4 no credential header is left after authentication', () => {
  const configured = proxyHeaderNames({
    username: ['X-Person'],
    uid: ['X-Person-Uid'],
    groups: ['X-Team'],
    extraPrefixes: ['X-More-'],
  });
  const all = headerList(
    [
      ...['Authorization', 'authorization', 'Accept', 'Impersonate-User', 'impersonate-group'],
      ...['Impersonate-Extra-a', 'Impersonate-Uid', 'X-Person', 'x-team', 'X-MORE-A', 'X-Trace'],
      ...['X-Remote-User', 'X-Remote-Group', 'X-Remote-Uid', 'X-Remote-Extra-a', 'X-Person-Uid'],
    ].flatMap((name) => [name, 'v']),
  );
  const left = withoutImpersonation(withoutProxyHeaders(withoutCredentials(all), configured));
  expect(left.map(({ name }) => name.toLowerCase())).toEqual(['accept', 'x-trace']);
});

test('INV-H5 the first Authorization header counts, none are joined', async () => {
  const good = `Authorization: ${admin()}`;
  const bad = 'Authorization: Bearer x';
  expect(nameIn(await reviewWith({ fields: [good, bad] }))).toBe('boss');
  expect((await reviewWith({ fields: [bad, good] })).status).toBe(401);
  expect((await reviewWith({ fields: ['Authorization:', good] })).status).toBe(401);
  const certificate = server.certificates.proxy;
  const users = ['X-Remote-User: rita', 'X-Remote-User: boss'];
  expect(nameIn(await reviewWith({ fields: users, certificate }))).toBe('rita');
});

test('INV-H6 the bytes of a name are decoded as UTF-8 once, and none turns into another', async () => {
  const certificate = server.certificates.proxy;
  const named = async (bytes: Buffer) =>
    nameIn(
      await reviewWith({ fields: [`X-Remote-User: ${bytes.toString('latin1')}`], certificate }),
    );
  // The helper decodes responses as latin-1 or UTF-8; both spellings differ from the plain name.
  const names = [
    await named(Buffer.from('zo\u00eb')),
    await named(Buffer.from('zo\u00eb', 'latin1')),
    await named(Buffer.from('zoe')),
    await named(Buffer.from(Buffer.from('zo\u00eb').toString('latin1'))),
  ];
  expect(new Set(names).size).toBe(4);
  expect(names.includes(undefined)).toBe(false);
});

test('INV-H7 every 401 is identical, byte for byte', async () => {
  const jwt = await server.tokens.jwt();
  const expired = await server.tokens.jwt({ exp: 1 });
  const otherAudience = await server.tokens.jwt({ aud: 'other' });
  const rogue = makeCert({
    subject: [
      ['O', 'system:masters'],
      ['CN', 'boss'],
    ],
  });
  const refusals: readonly Sending[] = [
    { fields: [] },
    { fields: ['Authorization: Bearer x'] },
    { fields: [`Authorization: Bearer ${jwt}x`] },
    { fields: [`Authorization: Bearer ${expired}`] },
    { fields: [`Authorization: Bearer ${otherAudience}`] },
    { fields: ['Authorization: Bearer abcdef.0123456789abcdef'] },
    { fields: [`Authorization: Bearer ${server.tokens.static}x`] },
    { fields: ['Authorization: Basic eDp4'] },
    { fields: ['X-Remote-User: boss'] },
    { fields: [], certificate: rogue },
    { fields: ['X-Remote-User: boss'], certificate: rogue },
    { fields: ['Impersonate-User: boss'] },
  ];
  const seen = new Set<string>();
  for (const refusal of refusals) {
    const answer = await reviewWith(refusal);
    expect(answer.status).toBe(401);
    const head = [...answer.headers].filter(([name]) => !['audit-id', 'date'].includes(name));
    seen.add(JSON.stringify([head, answer.body]));
  }
  expect(seen.size).toBe(1);
  expect([...seen][0]).toContain('Unauthorized');
});

describe('INV-H8 the body is not read before the caller is authorized', () => {
  const request = (authorization: string) =>
    [
      `POST ${review} HTTP/1.1`,
      'Host: localhost',
      `Authorization: ${authorization}`,
      'Content-Type: application/json',
      'Content-Length: 3000000000',
      '',
      '{',
    ].join('\r\n');
  test('unauthenticated: rejected at the first byte', async () => {
    expect((await send(request('Bearer x'))).status).toBe(401);
  });
  test('authenticated and forbidden: also rejected at the first byte', async () => {
    const certificate = server.certificates.proxy;
    const fields = ['X-Remote-User: rita', 'Impersonate-User: boss'];
    const forbidden = request('').replace('Authorization: ', fields.join('\r\n'));
    expect((await send(forbidden, certificate)).status).toBe(403);
  });
});

describe('INV-P1 INV-P2 open paths are compared as routing sees them, decoded once', () => {
  test.each([
    ['/livez', 200],
    ['/livez?x=/api', 200],
    ['/%6civez', 200],
    ['//livez', 401],
    ['/livez/', 401],
    ['/LIVEZ', 401],
    ['/livez;/api', 401],
    ['/livez/../api/v1/secrets', 401],
    ['/livez%2f..%2fapi', 401],
    ['/%256civez', 401],
    ['/api/v1/secrets?/livez', 401],
    ['/api/v1/secrets#/livez', 401],
  ])('%s', async (path, status) => {
    const fields = ['Host: localhost', 'Connection: close'];
    const answer = await send([`GET ${path} HTTP/1.1`, ...fields, '', ''].join('\r\n'));
    expect(answer.status).toBe(status);
  });
});

describe('INV-P3 a rejected credential is unauthenticated, on open paths too', () => {
  test.each([
    ['Authorization: Bearer x', 401],
    ['Authorization: Bearer abcdef.0123456789abcdef', 401],
    ['Authorization: Basic eDp4', 200],
    ['X-Remote-User: boss', 200],
  ])('%s', async (field, status) => {
    const fields = ['Host: localhost', 'Connection: close', field];
    const answer = await send(['GET /livez HTTP/1.1', ...fields, '', ''].join('\r\n'));
    expect(answer.status).toBe(status);
  });
});

describe('INV-I1 INV-X4 only the proxy sets identities, and each authority is invalid for the other purpose', () => {
  test('a user’s certificate with proxy headers is the user', async () => {
    const { client, proxy } = server.certificates;
    const fields = ['X-Remote-User: boss', 'X-Remote-Group: system:masters'];
    expect(nameIn(await reviewWith({ fields, certificate: client }))).toBe('carol');
    // The proxy itself is unauthenticated: its authority signs no users.
    expect((await reviewWith({ fields: [], certificate: proxy })).status).toBe(401);
  });
});
