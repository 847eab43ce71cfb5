import { describe, expect, test } from 'vitest';
import {
  proxyHeaderNames,
  withoutProxyHeaders,
} from '../../../engine/src/authenticators/authenticating-proxy/header-rules.ts';
import type { HeaderList } from '../../../engine/src/model/header-list.ts';
import { type CertificateSpec, makeCert } from '../../attacks/lib/der.mjs';
import {
  askModule,
  authorityNamed,
  connectionWith,
  decideBy,
  headersOf,
  poolWith,
  proxyModule,
} from '../../support/certificate-fixtures.ts';

const ca = authorityNamed('proxy-ca');
const proxy = (spec: CertificateSpec = {}) =>
  connectionWith(makeCert({ subject: [['CN', 'front-proxy']], ...spec }, ca));
const userFor = async (headers: HeaderList) => {
  const decision = await decideBy(proxyModule(poolWith(ca)), { certificates: proxy(), headers });
  return decision.kind === 'accepted' ? decision.user : decision;
};
const user = { username: 'ada', uid: '', groups: [], extra: new Map() };

describe('INV-I1 without a verified proxy the headers have no effect', () => {
  const headers = headersOf(['X-Remote-User', 'root'], ['X-Remote-Group', 'system:masters']);
  const module = proxyModule(poolWith(ca), { allowedNames: ['front-proxy'] });

  test('no certificate', async () => {
    expect(await askModule(module, { headers })).toBe('no opinion');
  });

  test.each([
    ['of no authority', connectionWith(makeCert({ subject: [['CN', 'front-proxy']] }))],
    [
      'of another authority',
      connectionWith(makeCert({ subject: [['CN', 'front-proxy']] }, authorityNamed('proxy-ca'))),
    ],
    ['expired', proxy({ notAfter: -1 })],
    ['of a server', proxy({ eku: ['serverAuth'] })],
    ['of another name', proxy({ subject: [['CN', 'Front-Proxy']] })],
    [
      'with the name as alternative name only',
      proxy({ subject: [['CN', 'x']], san: [['dns', 'front-proxy']] }),
    ],
    [
      'with the name as the first of two',
      proxy({
        subject: [
          ['CN', 'front-proxy'],
          ['CN', 'x'],
        ],
      }),
    ],
    ['without a name', proxy({ subject: [] })],
  ])('a certificate %s', async (_name, certificates) => {
    expect(await askModule(module, { certificates, headers })).toMatch(/^x509: /);
    expect(await askModule(module, { certificates })).toMatch(/^x509: /);
  });

  test('with one they have an effect, unless the username is missing', async () => {
    expect(await askModule(module, { certificates: proxy(), headers })).toBe('accepted root');
    expect(await askModule(module, { certificates: proxy(), headers: headers.slice(1) })).toBe(
      'no opinion',
    );
    expect(await askModule(module, { certificates: proxy() })).toBe('no opinion');
  });
});

describe('INV-H2 names match ignoring ASCII case, and exactly otherwise', () => {
  test.each(['X-Remote-User', 'x-remote-user', 'X-REMOTE-USER', 'x-ReMoTe-uSeR'])(
    '%s',
    async (name) => {
      expect(await userFor(headersOf([name, 'ada']))).toEqual(user);
    },
  );

  test.each([
    'X_Remote_User',
    'X-Remote-User ',
    'X-Remote-User\t',
    ' X-Remote-User',
    'X-Remote-Users',
    'X-Remote-Use',
    'X-Remote-U\u017fer',
    '\uff38-Remote-User',
    'X-Remote-User\u0000',
  ])('%j is another name', async (name) => {
    expect(await userFor(headersOf([name, 'ada']))).toEqual({ kind: 'noOpinion' });
  });

  test('no look-alike of a letter sets an extra value', async () => {
    const headers = headersOf(
      ['X-Remote-User', 'ada'],
      ['X-Remote-E\u212atra-K', 'v'],
      ['X-Remote-Extra', 'v'],
    );
    expect(await userFor(headers)).toEqual(user);
  });
});

describe('INV-H5 of duplicate headers the first one is used, or all in order', () => {
  test('username and UID: the first one, never joined', async () => {
    const headers = headersOf(
      ['X-Remote-User', 'ada'],
      ['x-remote-user', 'root'],
      ['X-Remote-Uid', '1'],
      ['X-Remote-Uid', '2'],
    );
    expect(await userFor(headers)).toEqual({ ...user, uid: '1' });
  });

  test('an empty first one hides the others', async () => {
    const headers = headersOf(['X-Remote-User', ''], ['X-Remote-User', 'root']);
    expect(await userFor(headers)).toEqual({ kind: 'noOpinion' });
  });

  test('groups and extra values: all in order, and commas do not split them', async () => {
    const headers = headersOf(
      ['X-Remote-Group', 'z'],
      ['X-Remote-Extra-Scope', 'b,c'],
      ['X-Remote-User', 'ada'],
      ['x-remote-group', 'a,b'],
      ['X-Remote-Group', ''],
      ['X-Remote-Group', 'z'],
      ['x-remote-extra-SCOPE', ''],
      ['X-Remote-Extra-Scope', 'a'],
    );
    expect(await userFor(headers)).toEqual({
      ...user,
      groups: ['z', 'a,b', 'z'],
      extra: new Map([['scope', ['b,c', '', 'a']]]),
    });
  });
});

describe('INV-H6 values are bytes, read as UTF-8 once', () => {
  /** One character per byte, as on the wire. */
  const wire = (bytes: readonly number[]): string => String.fromCharCode(...bytes);

  test('UTF-8 is decoded', async () => {
    expect(await userFor(headersOf(['X-Remote-User', wire([0xc3, 0xa9])]))).toEqual({
      ...user,
      username: '\u00e9',
    });
  });

  test('values that look like double-encoded UTF-8 stay unchanged', async () => {
    const name = wire([0xc3, 0x83, 0xc2, 0xa9]);
    expect(await userFor(headersOf(['X-Remote-User', name]))).toEqual({
      ...user,
      username: '\u00c3\u00a9',
    });
  });

  test('different invalid bytes give different names, which are not valid strings', async () => {
    const names = new Set<unknown>();
    for (const bytes of [[0xe9], [0xff], [0xfe], [0xc3], [0xc0, 0x80], [0xef, 0xbf, 0xbd]]) {
      const user = await userFor(headersOf(['X-Remote-User', wire(bytes)]));
      names.add('username' in user ? user.username : user);
    }
    expect(names.size).toBe(6);
  });

  test('escapes in extra keys are bytes as well', async () => {
    const headers = headersOf(
      ['X-Remote-User', 'ada'],
      ['X-Remote-Extra-%e2%82%AC', '1'],
      ['X-Remote-Extra-%ff', '2'],
      ['X-Remote-Extra-A%zz', '3'],
      ['X-Remote-Extra-A%2', '4'],
      ['X-Remote-Extra-%41+b%2fC', '5'],
      ['X-Remote-Extra-__proto__', '6'],
      ['X-Remote-Extra-', '7'],
    );
    const user = await userFor(headers);
    expect('extra' in user ? [...user.extra] : user).toEqual([
      ['\u20ac', ['1']],
      ['\udcff', ['2']],
      ['a%zz', ['3']],
      ['a%2', ['4']],
      ['A+b/c', ['5']],
      ['__proto__', ['6']],
      ['', ['7']],
    ]);
  });
});

test('INV-H4 the configured headers can be removed, all of them and no others', () => {
  const names = proxyHeaderNames({
    username: ['X-Who'],
    uid: ['X-Number'],
    groups: ['X-Team'],
    extraPrefixes: ['X-More-'],
  });
  const remaining = headersOf(['X-Whose', 'a'], ['X-More', 'b'], ['Accept', 'c']);
  const gone = headersOf(
    ['x-who', '1'],
    ['X-NUMBER', '2'],
    ['X-Team', '3'],
    ['x-more-', '4'],
    ['X-More-A', '5'],
  );
  expect(withoutProxyHeaders([...gone, ...remaining], names)).toEqual(remaining);
});
