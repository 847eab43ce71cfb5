import { describe, expect, test } from 'vitest';
import { overlapProblem } from '../../../engine/src/authenticators/authenticating-proxy/config.ts';
import { type CertificateSpec, type MadeCertificate, makeCert } from '../../attacks/lib/der.mjs';
import {
  askModule,
  authorityNamed,
  certificatePorts,
  clientModule,
  connectionWith,
  decideBy,
  headersOf,
  poolWith,
  proxyModule,
} from '../../support/certificate-fixtures.ts';

const ca = authorityNamed('ca');
const ada = (spec: CertificateSpec = {}, issuer = ca): MadeCertificate =>
  makeCert(
    {
      subject: [
        ['O', 'crew'],
        ['CN', 'ada'],
      ],
      notAfter: 86_400,
      ...spec,
    },
    issuer,
  );
const through = (middle: CertificateSpec, spec: CertificateSpec = {}) => {
  const between = makeCert({ subject: [['CN', 'between']], ca: true, ...middle }, ca);
  return connectionWith(ada(spec, between), between);
};
const trusted = 'accepted ada';

describe('INV-X1 the chain is verified with every constraint', () => {
  const rejections: readonly (readonly [string, ReturnType<typeof through>, RegExp])[] = [
    ['purpose of the leaf', connectionWith(ada({ eku: ['serverAuth'] })), /incompatible key usage/],
    ['purpose of an intermediate', through({ eku: ['serverAuth'] }), /incompatible key usage/],
    ['time of the leaf', connectionWith(ada({ notAfter: -1 })), /has expired/],
    ['time of an intermediate', through({ notAfter: -1 }), /has expired/],
    ['no authority', through({ ca: false }), /cannot sign this kind/],
    ['key usage', through({ ku: ['digitalSignature'] }), /cannot sign this kind/],
    [
      'name constraints',
      through({ nc: { permitted: [['dns', 'a.example']] } }, { san: [['dns', 'b.example']] }),
      /not permitted by any constraint/,
    ],
    [
      'unknown critical extension',
      through({ unknown: [{ oid: '1.2.3', critical: true }] }),
      /unhandled critical extension/,
    ],
    ['damaged signature', connectionWith(ada({ flipSig: true })), /verification failure/],
    ['weak signature', connectionWith(ada({ sig: 'ec-sha1' })), /insecure algorithm ECDSA-SHA1/],
    ['another key', connectionWith(ada({}, authorityNamed('ca'))), /unknown authority/],
    ['missing intermediate', { chain: through({}).chain.slice(0, 1) }, /unknown authority/],
    [
      'more than ten certificates',
      connectionWith(ada(), ...Array.from({ length: 10 }, () => ca)),
      /^refused: more than 10 certificates$/,
    ],
    [
      'more than 64 KiB',
      connectionWith(
        ada({ unknown: [{ oid: '1.2.3', critical: false, hex: '00'.repeat(66_000) }] }),
      ),
      /^refused: certificates of more than 65536 bytes$/,
    ],
  ];

  test.each(rejections)('%s', async (_name, certificates, reason) => {
    expect(await askModule(clientModule(poolWith(ca)), { certificates })).toMatch(reason);
  });

  test('path length', async () => {
    const narrow = authorityNamed('narrow', { pathLen: 0 });
    const between = makeCert({ subject: [['CN', 'between']], ca: true }, narrow);
    const certificates = connectionWith(ada({}, between), between);
    expect(await askModule(clientModule(poolWith(narrow)), { certificates })).toMatch(
      /path length constraint$/,
    );
  });

  test('a valid chain, with intermediates in any order', async () => {
    const one = makeCert({ subject: [['CN', 'one']], ca: true }, ca);
    const two = makeCert({ subject: [['CN', 'two']], ca: true }, one);
    const leaf = ada({}, two);
    for (const others of [
      [two, one],
      [one, two],
      [ca, one, two],
    ]) {
      const certificates = connectionWith(leaf, ...others);
      expect(await askModule(clientModule(poolWith(ca)), { certificates })).toBe(trusted);
    }
  });

  test('arbitrary bytes never throw', async () => {
    const { der } = ada();
    for (let length = 0; length < der.length; length += 7) {
      const certificates = { chain: [der.subarray(0, length)] };
      expect(await askModule(clientModule(poolWith(ca)), { certificates })).toMatch(/^x509: /);
    }
  });
});

describe('INV-X2 the last common name is used', () => {
  const nameOf = async (subject: NonNullable<CertificateSpec['subject']>): Promise<string> =>
    askModule(clientModule(poolWith(ca)), { certificates: connectionWith(ada({ subject })) });

  test.each([
    [[['CN', 'boss\u0000.x']], 'accepted boss\u0000.x'],
    [[['CN', 'boss\u0000', 'ia5']], 'accepted boss\u0000'],
    [
      [
        ['CN', 'first'],
        ['CN', 'last'],
      ],
      'accepted last',
    ],
    [
      [
        ['CN', 'first'],
        ['CN', ''],
      ],
      'no opinion',
    ],
    [[['CN', '']], 'no opinion'],
    [[['O', 'crew']], 'no opinion'],
    [[['CN', 'Zo\u00eb', 't61']], 'accepted Zo\u00eb'],
    [[['CN', '\u540d\u524d', 'bmp']], 'accepted \u540d\u524d'],
    [[['CN', '__proto__']], 'accepted __proto__'],
  ] as const)('%j', async (subject, answer) => {
    expect(await nameOf(subject)).toBe(answer);
  });

  test.each([
    [[['CN', 'boss\u00ff', 'raw8']]],
    [[['CN', 'boss\u00e9', 'ia5']]],
    [[['CN', '\u{1f600}', 'bmp']]],
    [[['CN', 'boss', 'universal']]],
  ] as const)('%j is rejected', async (subject) => {
    expect(await nameOf(subject)).toMatch(/^x509: invalid RDNSequence: /);
  });
});

describe('INV-X3 groups are the organizations, and nothing else is used', () => {
  const userOf = async (spec: CertificateSpec) => {
    const certificates = connectionWith(ada(spec));
    const decision = await decideBy(clientModule(poolWith(ca)), { certificates });
    return decision.kind === 'accepted' ? decision.user : decision;
  };

  test('all in order, with duplicates and empty ones', async () => {
    const subject = [
      ['O', 'z'],
      ['CN', 'ada'],
      ['O', 'a'],
      ['O', ''],
      ['O', 'z'],
    ] as const;
    expect(await userOf({ subject })).toMatchObject({ groups: ['z', 'a', '', 'z'] });
  });

  test('not the unit, email address, alternative name or LDAP UID', async () => {
    const user = await userOf({
      subject: [
        ['OU', 'system:masters'],
        ['DC', 'example', 'ia5'],
        ['UID', 'root'],
        ['email', 'root@example.com', 'ia5'],
        ['serialNumber', '1'],
        ['CN', 'ada'],
      ],
      san: [
        ['dns', 'root'],
        ['email', 'root@example.com'],
      ],
    });
    expect(user).toEqual({
      username: 'ada',
      uid: '',
      groups: [],
      extra: new Map([
        [
          'authentication.kubernetes.io/credential-id',
          [expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/)],
        ],
      ]),
    });
  });

  test('an organization in the name is not a group', async () => {
    const subject = [['CN', 'ada,O=system:masters']] as const;
    expect(await userOf({ subject })).toMatchObject({ groups: [] });
  });
});

describe('INV-X4 the authorities of users and of proxies are separate', () => {
  const proxyCa = authorityNamed('proxy-ca');
  const user = connectionWith(ada());
  const proxy = connectionWith(makeCert({ subject: [['CN', 'proxy']] }, proxyCa));
  const headers = headersOf(['X-Remote-User', 'root']);

  test('a certificate of one is not trusted by the other', async () => {
    const users = clientModule(poolWith(ca));
    const proxies = proxyModule(poolWith(proxyCa));
    expect(await askModule(users, { certificates: user, headers })).toBe(trusted);
    expect(await askModule(proxies, { certificates: user, headers })).toMatch(/unknown authority/);
    expect(await askModule(proxies, { certificates: proxy, headers })).toBe('accepted root');
    expect(await askModule(users, { certificates: proxy, headers })).toMatch(/unknown authority/);
  });

  test('one certificate in both: an error, and a warning where names are allowed', () => {
    const bundle = (...list: readonly MadeCertificate[]) =>
      new TextEncoder().encode(list.map(({ pem }) => pem).join(''));
    const both = { clientBundle: bundle(ca, proxyCa), proxyBundle: bundle(proxyCa) };
    expect(overlapProblem({ ...both, allowedNames: [] })?.severity).toBe('error');
    expect(overlapProblem({ ...both, allowedNames: ['proxy'] })?.severity).toBe('warning');
    const apart = { clientBundle: bundle(ca), proxyBundle: bundle(proxyCa), allowedNames: [] };
    expect(overlapProblem(apart)).toBeUndefined();
  });
});

describe('INV-X5 an open connection is verified with every request', () => {
  const setUp = (leaf: MadeCertificate) => {
    const pool = poolWith(ca);
    const ports = certificatePorts();
    const module = clientModule(pool, ports);
    const certificates = connectionWith(leaf);
    return { pool, ports, ask: () => askModule(module, { certificates }) };
  };

  test('until exactly the expiry of its certificate', async () => {
    const { ports, ask } = setUp(ada({ notAfter: 60 }));
    expect(await ask()).toBe(trusted);
    ports.clock.advance(58_000);
    expect(await ask()).toBe(trusted);
    ports.clock.advance(3000);
    expect(await ask()).toMatch(/has expired/);
    ports.clock.jump(-3000);
    expect(await ask()).toBe(trusted);
  });

  test('from the start of its certificate', async () => {
    const { ports, ask } = setUp(ada({ notBefore: 60, notAfter: 120 }));
    expect(await ask()).toMatch(/is before/);
    ports.clock.advance(61_000);
    expect(await ask()).toBe(trusted);
  });

  test('until its authority is removed', async () => {
    const { pool, ask } = setUp(ada());
    expect(await ask()).toBe(trusted);
    pool.replace(authorityNamed('another'));
    expect(await ask()).toMatch(/unknown authority/);
    pool.replace(ca, authorityNamed('another'));
    expect(await ask()).toBe(trusted);
  });

  test('until its authority expires', async () => {
    const short = authorityNamed('short', { notAfter: 60 });
    const ports = certificatePorts();
    const module = clientModule(poolWith(short), ports);
    const certificates = connectionWith(ada({}, short));
    expect(await askModule(module, { certificates })).toBe(trusted);
    ports.clock.advance(61_000);
    expect(await askModule(module, { certificates })).toMatch(/has expired/);
  });

  test('signatures are verified once as long as nothing changes', async () => {
    const { pool, ports, ask } = setUp(ada());
    for (let request = 0; request < 10; request += 1) await ask();
    expect(ports.checks()).toBe(1);
    pool.replace(authorityNamed('another'), ca);
    for (let request = 0; request < 10; request += 1) await ask();
    expect(ports.checks()).toBe(2);
  });

  test('a verdict belongs to one connection and one authenticator', async () => {
    const pool = poolWith(ca);
    const module = clientModule(pool);
    const good = connectionWith(ada());
    const bad = connectionWith(ada({ flipSig: true }));
    expect(await askModule(module, { certificates: good })).toBe(trusted);
    expect(await askModule(module, { certificates: bad })).not.toBe(trusted);
    const other = clientModule(poolWith(authorityNamed('another')));
    expect(await askModule(other, { certificates: good })).toMatch(/unknown authority/);
  });

  test('a proxy is verified again as well', async () => {
    const pool = poolWith(ca);
    const ports = certificatePorts();
    const module = proxyModule(pool, { ports });
    const asked = {
      certificates: connectionWith(ada({ notAfter: 60 })),
      headers: headersOf(['X-Remote-User', 'eve']),
    };
    expect(await askModule(module, asked)).toBe('accepted eve');
    ports.clock.advance(61_000);
    expect(await askModule(module, asked)).toMatch(/has expired/);
    ports.clock.jump(-61_000);
    expect(await askModule(module, asked)).toBe('accepted eve');
    pool.replace(authorityNamed('another'));
    expect(await askModule(module, asked)).toMatch(/unknown authority/);
  });
});

describe('the remaining lifetime of a certificate is recorded with every request', () => {
  test('in seconds, trusted or not', async () => {
    const ports = certificatePorts();
    const name = 'apiserver_client_certificate_expiration_seconds{}';
    const module = clientModule(poolWith(ca), ports);
    await askModule(module, { certificates: connectionWith(ada({ notAfter: 100 })) });
    expect(ports.counted.get(name)).toBeGreaterThan(98);
    expect(ports.counted.get(name)).toBeLessThanOrEqual(101);
    await askModule(module, { certificates: connectionWith(ada({ notAfter: -100 })) });
    expect(ports.counted.get(name)).toBeLessThan(-98);
  });
});

test('an untrusted client causes few signature checks, whatever it sends', async () => {
  const maze = Array.from({ length: 9 }, (_, at) =>
    makeCert({ subject: [['CN', 'maze']], ca: true, san: [['dns', `a${at}`]] }),
  );
  const [first] = maze;
  // All have the same name and key, so that each could be the issuer of each.
  const alike = maze.map((_, at) =>
    makeCert(
      {
        subject: [['CN', 'maze']],
        ca: true,
        san: [['dns', `b${at}`]],
        ...(first === undefined ? {} : { keyPair: first.keyPair }),
      },
      first,
    ),
  );
  const ports = certificatePorts();
  const certificates = connectionWith(ada({}, first), ...alike);
  expect(await askModule(clientModule(poolWith(ca), ports), { certificates })).not.toBe(trusted);
  expect(ports.checks()).toBeLessThanOrEqual(12);
});
