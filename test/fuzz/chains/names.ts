/** Name constraints of every kind. */
import {
  authority,
  intermediateCa,
  leaf,
  root,
  type Spec,
  writeCase,
  writeCaseUnderRoot,
} from './cases.ts';

type Names = NonNullable<Spec['san']>;
export const dns = (...names: readonly string[]): Names =>
  names.map((name) => ['dns', name] as const);

export const writeNameCases = (): void => {
  const ip = (text: string): string =>
    text
      .split('.')
      .map((part) => Number(part).toString(16).padStart(2, '0'))
      .join('');
  const constrained = (title: string, nc: NonNullable<Spec['nc']>, ...names: readonly Names[]) => {
    const intermediate = intermediateCa('narrow', { nc });
    for (const san of names) {
      writeCase(
        `${title}: ${san.map(([kind, name]) => `${kind} ${String(name)}`).join(', ') || 'no names'}`,
        [root],
        [leaf(intermediate, san.length === 0 ? {} : { san }), intermediate],
      );
    }
  };
  const mail = (...names: readonly string[]): Names =>
    names.map((name) => ['email', name] as const);
  const uri = (...names: readonly string[]): Names => names.map((name) => ['uri', name] as const);
  const address = (...names: readonly string[]): Names =>
    names.map((name) => ['ip', name] as const);
  constrained(
    'permitted example.com',
    { permitted: [['dns', 'example.com']] },
    [],
    dns('example.com'),
    dns('a.example.com'),
    dns('A.EXAMPLE.Com'),
    dns('aexample.com'),
    dns('example.org'),
    dns('*.example.com'),
    dns('a.example.com', 'b.org'),
    dns(''),
    dns('example.com.'),
    mail('a@b.org'),
    uri('https://b.org/'),
    address(ip('10.0.0.1')),
    [['dir', [['CN', 'x']]]],
  );
  constrained(
    'permitted .example.com',
    { permitted: [['dns', '.example.com']] },
    dns('example.com'),
    dns('a.example.com'),
    dns('a.b.example.com'),
  );
  constrained('permitted everything', { permitted: [['dns', '']] }, dns('example.com'), dns(''));
  constrained(
    'permitted several',
    {
      permitted: [
        ['dns', 'a.com'],
        ['dns', 'a-b.com'],
        ['dns', 'b.a.com'],
        ['dns', 'c.org'],
      ],
    },
    dns('a.com'),
    dns('x.b.a.com'),
    dns('a-b.com'),
    dns('x.a-b.com'),
    dns('c.org'),
    dns('b.com'),
    dns('-b.com'),
  );
  constrained(
    'excluded example.com',
    { excluded: [['dns', 'example.com']] },
    [],
    dns('example.com'),
    dns('a.example.com'),
    dns('example.org'),
    dns('*.com'),
    dns('*.example.com'),
    dns('*.org'),
    mail('a@example.com'),
  );
  constrained(
    'excluded a.example.com',
    { excluded: [['dns', 'a.example.com']] },
    dns('*.example.com'),
    dns('*.EXAMPLE.com'),
    dns('b.example.com'),
    dns('*.b.example.com'),
  );
  constrained(
    'excluded everything',
    { excluded: [['dns', '']] },
    [],
    dns('example.com'),
    mail('a@b.c'),
  );
  constrained(
    'permitted and excluded',
    { permitted: [['dns', 'example.com']], excluded: [['dns', 'secret.example.com']] },
    dns('a.example.com'),
    dns('secret.example.com'),
    dns('x.secret.example.com'),
    dns('xsecret.example.com'),
  );
  constrained(
    'permitted mail of a host',
    { permitted: [['email', 'example.com']] },
    mail('a@example.com'),
    mail('a@EXAMPLE.com'),
    mail('a@b.example.com'),
    mail('a@example.org'),
    mail('nobody'),
    mail('"a b"@example.com'),
    mail('a..b@example.com'),
    mail('a\\@b@example.com'),
    mail('@example.com'),
    mail('a@'),
    dns('other.org'),
  );
  constrained(
    'permitted mail of a domain',
    { permitted: [['email', '.example.com']] },
    mail('a@example.com'),
    mail('a@b.example.com'),
  );
  constrained(
    'permitted one mailbox',
    { permitted: [['email', 'ada@example.com']] },
    mail('ada@example.com'),
    mail('ADA@example.com'),
    mail('ada@Example.com'),
    mail('bob@example.com'),
  );
  constrained(
    'excluded one mailbox',
    { excluded: [['email', 'ada@example.com']] },
    mail('ada@example.com'),
    mail('Ada@example.com'),
    mail('bob@example.com'),
  );
  constrained(
    'excluded mail of a host',
    { excluded: [['email', 'example.com']] },
    mail('a@example.com'),
    mail('a@example.org'),
  );
  constrained(
    'permitted addresses',
    { permitted: [['ip', ip('10.0.0.0') + ip('255.0.0.0')]] },
    address(ip('10.1.2.3')),
    address(ip('11.1.2.3')),
    address('20010db8'.padEnd(32, '0')),
    address(`${'0'.repeat(20)}ffff${ip('10.1.2.3')}`),
    dns('a.b'),
  );
  constrained(
    'permitted addresses with host bits',
    {
      permitted: [
        ['ip', ip('10.0.0.9') + ip('255.255.255.0')],
        ['ip', ip('10.0.0.128') + ip('255.255.255.128')],
        ['ip', ip('192.168.0.0') + ip('255.255.0.0')],
      ],
    },
    address(ip('10.0.0.1')),
    address(ip('10.0.0.9')),
    address(ip('10.0.0.200')),
    address(ip('192.168.255.255')),
    address(ip('192.169.0.0')),
  );
  constrained(
    'excluded addresses',
    {
      excluded: [
        ['ip', ip('10.0.0.0') + ip('255.0.0.0')],
        ['ip', '20010db8'.padEnd(32, '0') + 'ffffffff'.padEnd(32, '0')],
      ],
    },
    address(ip('10.1.2.3')),
    address(ip('11.1.2.3')),
    address('20010db8'.padEnd(32, '1')),
    address('20010db9'.padEnd(32, '1')),
  );
  constrained(
    'permitted all addresses of version 6',
    { permitted: [['ip', '0'.repeat(64)]] },
    address('20010db8'.padEnd(32, '1')),
    address(`${'0'.repeat(20)}ffff${ip('10.1.2.3')}`),
    address(ip('10.1.2.3')),
  );
  constrained(
    'permitted mapped addresses',
    {
      permitted: [['ip', `${'0'.repeat(20)}ffff${'0'.repeat(8)}${'f'.repeat(24)}${'0'.repeat(8)}`]],
    },
    address(`${'0'.repeat(20)}ffff${ip('10.1.2.3')}`),
    address(ip('10.1.2.3')),
  );
  constrained(
    'permitted URIs',
    { permitted: [['uri', 'example.com']] },
    uri('https://example.com/a'),
    uri('https://a.example.com/'),
    uri('https://example.org/'),
    uri('https://example.com:443/'),
    uri('https://EXAMPLE.com/'),
    uri('urn:a:b'),
    uri('https://10.0.0.1/'),
    uri('https://[::1]/'),
    uri('https://[::1]:80/'),
    uri('https://user@example.com/'),
    uri('spiffe://example.com/ns/a'),
    uri('spiffe://a:1:2/'),
    uri('/path'),
    uri('https://example.com./'),
  );
  constrained(
    'permitted URIs of a domain',
    { permitted: [['uri', '.example.com']] },
    uri('https://example.com/'),
    uri('https://a.example.com/'),
  );
  constrained(
    'excluded URIs',
    { excluded: [['uri', 'example.com']] },
    uri('https://example.com/'),
    uri('https://example.org/'),
  );
  constrained('permitted directory names', { permitted: [['dir', [['CN', 'x']]]] }, [], dns('a.b'));
  for (const [title, nc] of [
    ['constraint with a dot at its end', { permitted: [['dns', 'example.com.']] }],
    ['constraint with an empty label', { permitted: [['dns', 'a..b']] }],
    ['constraint with a blank', { permitted: [['dns', 'a b']] }],
    ['URI constraint that is an address', { permitted: [['uri', '10.0.0.1']] }],
    ['URI constraint that is an address of version 6', { permitted: [['uri', '::1']] }],
    ['mail constraint that is none', { permitted: [['email', 'a b@c']] }],
    ['address of 5 bytes', { permitted: [['ip', '0102030405']] }],
    ['mask with a hole', { permitted: [['ip', '0a000000ff00ff00']] }],
    ['nothing permitted', { permitted: [] }],
  ] as const) {
    constrained(title, nc as unknown as NonNullable<Spec['nc']>, []);
  }
  {
    const outer = intermediateCa('outer', { nc: { permitted: [['dns', 'com']] } });
    const inner = intermediateCa('inner', { nc: { permitted: [['dns', 'example.com']] } }, outer);
    for (const name of ['a.example.com', 'a.com', 'a.org'])
      writeCase(
        `constraints twice: ${name}`,
        [root],
        [leaf(inner, { san: dns(name) }), inner, outer],
      );
    const named = intermediateCa('named', { san: dns('x.org') }, outer);
    writeCase('an intermediate breaks the constraint', [root], [leaf(named), named, outer]);
    const anchor = authority({
      nc: { permitted: [['dns', 'com']] },
      subject: [['CN', 'narrow root']],
    });
    writeCase('constraint of the root', [anchor], [leaf(anchor, { san: dns('a.org') })]);
    writeCase('constraint of the root, kept', [anchor], [leaf(anchor, { san: dns('a.com') })]);
    writeCaseUnderRoot('constraint of the leaf itself', {
      nc: { permitted: [['dns', 'com']] },
      san: dns('a.org'),
    });
    const wide = intermediateCa('narrow', {});
    const narrow = intermediateCa('narrow', { nc: { permitted: [['dns', 'com']] } });
    writeCase(
      'constrained and free intermediates of one key',
      [root],
      [leaf(wide, { san: dns('a.org') }), narrow, wide],
    );
  }
};
