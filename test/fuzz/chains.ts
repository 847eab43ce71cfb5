/**
 * Chains of certificates, good and bad in every way that a chain can be, as questions of the module
 * x509 without answers. The recorded answers of one run are test/engine/certificates/chains.jsonl.
 *
 *   node test/fuzz/chains.ts [--mutations 500] [--random 500] [--seed 1] > cases.jsonl
 */
import { constants, createPublicKey, sign } from 'node:crypto';
import { parseArgs } from 'node:util';
import { readCertificate } from '../../engine/src/formats/certificate.ts';
import {
  bool,
  type CertificateSpec,
  genKey,
  int,
  type MadeCertificate,
  makeCert,
  octets,
  oid,
  seq,
  set,
  tlv,
} from '../attacks/lib/der.mjs';
import { randomOf } from './random.ts';

const { values: options } = parseArgs({
  options: {
    mutations: { type: 'string', default: '0' },
    random: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
  },
});

const clock = `${new Date().toISOString().slice(0, 19)}Z`;
let count = 0;
const ask = (
  title: string,
  trusted: readonly MadeCertificate[],
  sent: readonly MadeCertificate[],
) => {
  count += 1;
  const line = {
    id: `chain-${String(count).padStart(4, '0')}`,
    module: 'x509',
    title,
    clock,
    config: { clientCA: trusted.map(({ pem }) => pem).join('') },
    input: { peerCerts: sent.map(({ pem }) => pem) },
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

type Spec = CertificateSpec;
const keys = new Map<string, object>();
/** Keys are made once by name: making them takes the most time. */
const key = (name: string, kind?: string): object => {
  const known = keys.get(name) ?? genKey(kind);
  keys.set(name, known);
  return known;
};
const authority = (spec: Spec = {}, issuer?: MadeCertificate): MadeCertificate =>
  makeCert({ subject: [['CN', 'root']], keyPair: key('root'), ca: true, ...spec }, issuer);
const root = authority();
const between = (name: string, spec: Spec = {}, issuer = root): MadeCertificate =>
  makeCert({ subject: [['CN', name]], keyPair: key(name), ca: true, ...spec }, issuer);
const leafKey = key('leaf');
const leaf = (issuer: MadeCertificate | undefined, spec: Spec = {}): MadeCertificate =>
  makeCert(
    {
      subject: [
        ['O', 'crew'],
        ['CN', 'ada'],
      ],
      keyPair: leafKey,
      ...spec,
    },
    issuer,
  );
const hex = (bytes: Buffer): string => bytes.toString('hex');
const without = (certificate: MadeCertificate): MadeCertificate => ({
  ...certificate,
  skid: undefined as unknown as Buffer,
});

const under = (title: string, spec: Spec) => ask(title, [root], [leaf(root, spec)]);
/** Through one intermediate. */
const through = (title: string, middle: Spec, spec: Spec = {}) => {
  const intermediate = between('middle', middle);
  ask(title, [root], [leaf(intermediate, spec), intermediate]);
};

/** Wraps changed bytes as PEM; nothing else of it is looked at. */
const asMade = (der: Buffer): MadeCertificate => ({
  ...root,
  der,
  pem: `-----BEGIN CERTIFICATE-----\n${(der.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`,
});
const random = randomOf(Number(options.seed));

// Time.
under('ends this second', { notAfter: 0 });
under('ended a second ago', { notAfter: -1 });
under('begins this second', { notBefore: 0 });
under('begins in a second', { notBefore: 1 });
under('ends in a year beyond 2050', { notAfter: 86_400 * 365 * 40 });
under('ends before it begins', { notBefore: 3600, notAfter: -3600 });
through('intermediate expired', { notBefore: -7200, notAfter: -60 });
through('intermediate not yet valid', { notBefore: 60, notAfter: 7200 });
through('intermediate shorter than the leaf', { notAfter: 60 });
{
  const old = authority({ notBefore: -7200, notAfter: -60 });
  ask('root expired', [old], [leaf(old)]);
  ask('root expired, the same key renewed beside it', [old, root], [leaf(root)]);
  ask('the same, in the other order', [root, old], [leaf(root)]);
  const middle = between('middle');
  ask('root expired, through an intermediate', [old], [leaf(middle), middle]);
  const early = authority({ notBefore: 60 });
  ask('root not yet valid', [early], [leaf(early)]);
  const stale = between('middle', { notBefore: -7200, notAfter: -60 });
  ask('intermediate expired, a renewed one sent too', [root], [leaf(middle), stale, middle]);
  ask('intermediate expired, itself trusted', [stale], [leaf(middle)]);
}

// Purposes.
for (const [title, eku] of [
  ['no purposes', null],
  ['an empty list of purposes', []],
  ['client', ['clientAuth']],
  ['server', ['serverAuth']],
  ['both', ['serverAuth', 'clientAuth']],
  ['any', ['any']],
  ['unknown', ['1.2.3.4.5']],
  ['unknown and any', ['1.2.3.4.5', 'any']],
  ['mail', ['emailProtection']],
  ['code and client', ['codeSigning', 'clientAuth']],
] as const) {
  under(`leaf: ${title}`, { eku });
  through(`intermediate: ${title}`, { eku: eku === null ? null : [...eku] });
  const anchor = authority({
    eku: eku === null ? null : [...eku],
    subject: [['CN', `root ${title}`]],
  });
  ask(`root: ${title}`, [anchor], [leaf(anchor)]);
}
under('critical purposes', { ekuCritical: true });
through('intermediate any, leaf server', { eku: ['any'] }, { eku: ['serverAuth'] });
{
  const bad = between('middle', { eku: ['serverAuth'] });
  const good = between('middle', { eku: ['clientAuth'] });
  ask('two intermediates of one key, one for servers', [root], [leaf(bad), bad, good]);
  ask('the same, in the other order', [root], [leaf(bad), good, bad]);
  const self = leaf(undefined, { eku: ['serverAuth'] });
  ask('trusted self-signed leaf for servers', [self], [self]);
}

// Authorities.
through('intermediate without basic constraints', {
  ca: undefined as unknown as boolean,
  ku: null,
});
through('intermediate that is no authority', { ca: false });
through('intermediate that is no authority, without key usage', { ca: false, ku: null });
through('intermediate whose key may not certify', { ku: ['digitalSignature', 'cRLSign'] });
through('intermediate with no key usage', { ku: null });
through('intermediate whose key usage is empty', { ku: [] });
through('intermediate with key usage beyond eight bits', { ku: ['keyCertSign', 'decipherOnly'] });
through('basic constraints not critical', { bcCritical: false });
through('intermediate of version 1', { version: 1 });
through('intermediate of version 2', { version: 2 });
{
  const one = authority({ version: 1 });
  ask('root of version 1', [one], [leaf(one)]);
  const two = authority({ version: 2 });
  ask('root of version 2', [two], [leaf(two)]);
  const bare = authority({ noExt: true });
  ask('root of version 3 without extensions', [bare], [leaf(bare)]);
  const plain = authority({ ca: false });
  ask('root that is no authority', [plain], [leaf(plain)]);
  const silent = authority({ ku: ['digitalSignature'] });
  ask('root whose key may not certify', [silent], [leaf(silent)]);
  ask('that root itself', [silent], [silent]);
  ask('the root itself', [root], [root]);
  ask('the root itself, and again as intermediate', [root], [root, root]);
  under('leaf that is an authority', { ca: true });
  const middle = between('middle');
  ask('an intermediate itself', [root], [middle]);
  ask('an intermediate as the only trusted one', [middle], [leaf(middle)]);
  ask('an intermediate as the only trusted one, sent too', [middle], [leaf(middle), middle]);
  ask('intermediate missing', [root], [leaf(middle)]);
  ask(
    'nothing trusted that fits',
    [authority({ subject: [['CN', 'other']], keyPair: key('other') })],
    [leaf(root)],
  );
  const self = leaf(undefined);
  ask('trusted self-signed leaf', [self], [self]);
  ask('self-signed leaf', [root], [self]);
  ask('self-signed leaf of the same name and key as a trusted one', [self], [leaf(undefined)]);
  const lame = leaf(undefined, { notAfter: -1 });
  ask('trusted self-signed leaf, expired', [lame], [lame]);
  const strange = leaf(root, { unknown: [{ oid: '1.2.3.4', critical: true }] });
  ask('trusted leaf with an unknown critical extension', [strange, root], [strange]);
}

// Path lengths.
for (const [title, lengths] of [
  ['0 at the root, no intermediate', [0]],
  ['0 at the root, one intermediate', [0, undefined]],
  ['1 at the root, one intermediate', [1, undefined]],
  ['1 at the root, two intermediates', [1, undefined, undefined]],
  ['0 at the first, a second', [undefined, 0, undefined]],
  ['1 and 0', [undefined, 1, 0]],
  ['growing', [undefined, 0, 5]],
  ['huge', [2 ** 40]],
] as const) {
  const anchor = authority({
    ...(lengths[0] === undefined ? {} : { pathLen: lengths[0] }),
    subject: [['CN', title]],
  });
  let above = anchor;
  const sent: MadeCertificate[] = [];
  for (const [at, pathLen] of lengths.slice(1).entries()) {
    above = between(`step${at}`, pathLen === undefined ? {} : { pathLen }, above);
    sent.unshift(above);
  }
  ask(`path length ${title}`, [anchor], [leaf(above), ...sent]);
}
through('path length -1', { pathLen: -1 });
through('path length on a certificate that is no authority', { ca: false, pathLen: 0 });
under('leaf with a path length', { ca: false, pathLen: 0 });
{
  // Self-issued intermediates count too.
  const anchor = authority({ pathLen: 0, subject: [['CN', 'same']] });
  const renewed = between('x', { subject: [['CN', 'same']], keyPair: key('renewed') }, anchor);
  ask('path length 0, self-issued intermediate', [anchor], [leaf(renewed), renewed]);
}

// Critical extensions.
const odd = (critical: boolean, id = '1.2.3.4'): Spec => ({ unknown: [{ oid: id, critical }] });
under('unknown critical extension', odd(true));
under('unknown extension', odd(false));
through('unknown critical extension of the intermediate', odd(true));
through('unknown extension of the intermediate', odd(false));
{
  const anchor = authority(odd(true));
  ask('unknown critical extension of the root', [anchor], [leaf(anchor)]);
  under('unknown critical extension below 2.5.29', odd(true, '2.5.29.99'));
  under('freshest CRL, critical', odd(true, '2.5.29.46'));
  under('issuer alternative name, critical', {
    unknown: [{ oid: '2.5.29.18', critical: true, hex: '3000' }],
  });
  under('alternative names of unknown kinds only, critical', {
    san: [['dir', [['CN', 'x']]]],
    sanCritical: true,
  });
  under('alternative names of unknown kinds only', { san: [['dir', [['CN', 'x']]]] });
  under('no alternative names, critical', {
    unknown: [{ oid: '2.5.29.17', critical: true, hex: '3000' }],
  });
  under('alternative names, critical', { san: [['dns', 'a.example']], sanCritical: true });
}

// Signatures.
under('signature damaged', { flipSig: true });
under('signature of SHA-1', { sig: 'ec-sha1' });
under('signature of SHA-384', { sig: 'ec-sha384' });
under('algorithms that differ', { innerSig: 'ec-sha1' });
under('signature made up', { forge: true });
through('intermediate signed with SHA-1', { sig: 'ec-sha1' });
{
  const rsa = authority({ keyPair: key('rsa', 'rsa2048'), subject: [['CN', 'rsa']] });
  ask('RSA', [rsa], [leaf(rsa)]);
  ask('RSA with MD5', [rsa], [leaf(rsa, { sig: 'rsa-md5' })]);
  ask('RSA with SHA-1', [rsa], [leaf(rsa, { sig: 'rsa-sha1' })]);
  ask('RSA, damaged', [rsa], [leaf(rsa, { flipSig: true })]);
  const weak = authority({ keyPair: key('weak', 'rsa1024'), subject: [['CN', 'weak']] });
  ask('RSA of 1024 bits', [weak], [leaf(weak)]);
  const weaker = authority({ keyPair: key('weaker', 'rsa1016'), subject: [['CN', 'weaker']] });
  ask('RSA of 1016 bits', [weaker], [leaf(weaker)]);
  const weakest = authority({ keyPair: key('weakest', 'rsa512'), subject: [['CN', 'weakest']] });
  ask('RSA of 512 bits', [weakest], [leaf(weakest)]);
  ask('leaf of 512 bits', [root], [leaf(root, { keyPair: key('weakest') })]);
  for (const kind of ['p224', 'p384', 'p521', 'ed25519']) {
    const anchor = authority({ keyPair: key(kind, kind), subject: [['CN', kind]] });
    ask(`signed with ${kind}`, [anchor], [leaf(anchor)]);
    ask(`signed with ${kind}, damaged`, [anchor], [leaf(anchor, { flipSig: true })]);
    under(`leaf with a key of ${kind}`, { keyPair: key(kind) });
  }
  under('leaf with a key of secp256k1', { keyPair: key('k256', 'k256') });
  // The name of another algorithm than that of the key.
  const forged = leaf(rsa, { issuerName: [['CN', 'root']] });
  ask('signed with RSA in the name of an authority of ECDSA', [root], [forged]);
}

// Names and keys of authorities.
{
  const twin = authority({ keyPair: key('twin') });
  ask('authority of the same name, another key', [twin], [leaf(root)]);
  ask('two authorities of one name, the first is it', [root, twin], [leaf(root)]);
  ask('two authorities of one name, the second is it', [twin, root], [leaf(root)]);
  ask('the same authority twice', [root, root], [leaf(root)]);
  const bare = authority({ skid: false });
  ask('no identifiers at all', [bare], [leaf(without(bare))]);
  ask('authority without an identifier', [bare], [leaf(root)]);
  ask('leaf without an identifier of its authority', [root], [leaf(without(root))]);
  under('wrong identifier of the authority', { akidHex: '00112233' });
  under('empty identifier of the authority', { akidHex: '' });
  under('no identifier of its own', { skid: false });
  under('empty identifier of its own', { skidHex: '' });
  under('identifier of its own of 64 bytes', { skidHex: 'ab'.repeat(64) });
  ask(
    'wrong identifier, two authorities of one name',
    [twin, root],
    [leaf(root, { akidHex: hex(twin.skid) })],
  );
  ask(
    'issuer name differs in kind of text',
    [root],
    [leaf(root, { issuerName: [['CN', 'root', 'printable']] })],
  );
  ask('issuer name differs in case', [root], [leaf(root, { issuerName: [['CN', 'ROOT']] })]);
  const nameless = authority({ subject: [] });
  ask('authority without a name', [nameless], [leaf(nameless)]);
  under('subject identifier critical', {
    skid: false,
    unknown: [{ oid: '2.5.29.14', critical: true, hex: '0401aa' }],
  });
  under('authority identifier critical', {
    akid: false,
    unknown: [{ oid: '2.5.29.35', critical: true, hex: '30038001aa' }],
  });
  under('authority identifier by name and number', {
    akid: false,
    unknown: [{ oid: '2.5.29.35', critical: false, hex: '3003820101' }],
  });
  const middle = between('middle');
  const stranger = between('middle', { keyPair: key('stranger') });
  ask('an intermediate of the same name sent too', [root], [leaf(middle), stranger, middle]);
  ask('only an intermediate of the same name', [root], [leaf(middle), stranger]);
  for (const subject of [[['O', 'only org']], []] as const) {
    const unnamed = between('middle', { subject, ca: false });
    ask(
      `bad intermediate named by ${subject.length === 0 ? 'its number' : 'its organization'}`,
      [root],
      [leaf(unnamed), unnamed],
    );
  }
}

// Crossings, loops, lengths.
{
  const other = authority({ subject: [['CN', 'other']], keyPair: key('other') });
  const crossed = between('root', { subject: [['CN', 'root']], keyPair: key('root') }, other);
  const back = between('other', { subject: [['CN', 'other']], keyPair: key('other') }, root);
  ask('crossed over to a trusted one', [other], [leaf(root), crossed]);
  ask('crossed both ways, trusted here', [root], [leaf(other), back, crossed]);
  ask('crossed both ways, trusted there', [other], [leaf(root), crossed, back]);
  const third = authority({ subject: [['CN', 'third']], keyPair: key('third') });
  ask('crossed both ways, trusted nowhere', [third], [leaf(root), crossed, back]);
  const a = between('a', {}, root);
  const b = between('b', {}, a);
  const again = between('a', {}, b);
  ask('a loop among intermediates', [third], [leaf(b), b, again, a]);
  ask('a loop with a way out', [root], [leaf(b), again, b, a]);
  ask(
    'self-signed copy of an intermediate sent too',
    [root],
    [leaf(a), between('a', {}, undefined as unknown as MadeCertificate), a],
  );
  const named = between('a', { san: [['dns', 'a.example']] }, b);
  ask('a loop that changes its alternative names', [root], [leaf(named), named, b, a]);
  for (const length of [3, 6, 8]) {
    let above = root;
    const sent: MadeCertificate[] = [];
    for (let step = 0; step < length; step += 1) {
      above = between(`level${step}`, {}, above);
      sent.push(above);
    }
    ask(`${length} intermediates in order`, [root], [leaf(above), ...sent.toReversed()]);
    ask(`${length} intermediates in reverse order`, [root], [leaf(above), ...sent]);
    ask(`${length} intermediates, one missing`, [root], [leaf(above), ...sent.slice(1)]);
    ask(`${length} intermediates, the root too`, [root], [leaf(above), ...sent, root]);
  }
  ask('leaf sent twice', [root], [leaf(root), leaf(root)]);
  ask('unrelated certificates sent too', [root], [leaf(root), third, other]);
  ask(
    'an unrelated certificate that is expired',
    [root],
    [leaf(root), authority({ subject: [['CN', 'x']], notAfter: -5 })],
  );
  const one = between('many', { keyPair: key('many0') });
  const many = [1, 2, 3, 4, 5, 6, 7].map((n) => between('many', { keyPair: key(`many${n}`) }));
  ask('eight intermediates of one name', [root], [leaf(one), ...many, one]);
}

// Name constraints.
const ip = (text: string): string =>
  text
    .split('.')
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('');
type Names = NonNullable<Spec['san']>;
const constrained = (title: string, nc: NonNullable<Spec['nc']>, ...names: readonly Names[]) => {
  const intermediate = between('narrow', { nc });
  for (const san of names) {
    ask(
      `${title}: ${san.map(([kind, name]) => `${kind} ${String(name)}`).join(', ') || 'no names'}`,
      [root],
      [leaf(intermediate, san.length === 0 ? {} : { san }), intermediate],
    );
  }
};
const dns = (...names: readonly string[]): Names => names.map((name) => ['dns', name] as const);
const mail = (...names: readonly string[]): Names => names.map((name) => ['email', name] as const);
const uri = (...names: readonly string[]): Names => names.map((name) => ['uri', name] as const);
const address = (...names: readonly string[]): Names => names.map((name) => ['ip', name] as const);
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
  { permitted: [['ip', `${'0'.repeat(20)}ffff${'0'.repeat(8)}${'f'.repeat(24)}${'0'.repeat(8)}`]] },
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
  const outer = between('outer', { nc: { permitted: [['dns', 'com']] } });
  const inner = between('inner', { nc: { permitted: [['dns', 'example.com']] } }, outer);
  for (const name of ['a.example.com', 'a.com', 'a.org'])
    ask(`constraints twice: ${name}`, [root], [leaf(inner, { san: dns(name) }), inner, outer]);
  const named = between('named', { san: dns('x.org') }, outer);
  ask('an intermediate breaks the constraint', [root], [leaf(named), named, outer]);
  const anchor = authority({
    nc: { permitted: [['dns', 'com']] },
    subject: [['CN', 'narrow root']],
  });
  ask('constraint of the root', [anchor], [leaf(anchor, { san: dns('a.org') })]);
  ask('constraint of the root, kept', [anchor], [leaf(anchor, { san: dns('a.com') })]);
  under('constraint of the leaf itself', {
    nc: { permitted: [['dns', 'com']] },
    san: dns('a.org'),
  });
  const wide = between('narrow', {});
  const narrow = between('narrow', { nc: { permitted: [['dns', 'com']] } });
  ask(
    'constrained and free intermediates of one key',
    [root],
    [leaf(wide, { san: dns('a.org') }), narrow, wide],
  );
}

// Policies.
const policies = (...ids: readonly string[]) => ({
  oid: '2.5.29.32',
  critical: false,
  hex: hex(seq(...ids.map((id) => seq(oid(id))))),
});
const explicit = (value: number) => ({
  oid: '2.5.29.36',
  critical: true,
  hex: hex(seq(tlv(0x80, [value]))),
});
const inhibitMapping = (value: number) => ({
  oid: '2.5.29.36',
  critical: true,
  hex: hex(seq(tlv(0x81, [value]))),
});
const inhibitAny = (value: number) => ({ oid: '2.5.29.54', critical: true, hex: hex(int(value)) });
const mapping = (...pairs: readonly (readonly [string, string])[]) => ({
  oid: '2.5.29.33',
  critical: true,
  hex: hex(seq(...pairs.map(([from, to]) => seq(oid(from), oid(to))))),
});
const any = '2.5.29.32.0';
type Extra = NonNullable<Spec['unknown']>[number];
const withPolicies = (title: string, ...levels: readonly (readonly Extra[])[]) => {
  let above = root;
  const sent: MadeCertificate[] = [];
  for (const [at, unknown] of levels.slice(0, -1).entries()) {
    above = between(`policy${at}`, { unknown: [...unknown] }, above);
    sent.push(above);
  }
  ask(
    `policies: ${title}`,
    [root],
    [leaf(above, { unknown: [...(levels.at(-1) ?? [])] }), ...sent],
  );
};
withPolicies('one, not asked for', [policies('1.2.3')], [policies('1.2.4')]);
withPolicies('asked for, the same', [policies('1.2.3'), explicit(0)], [policies('1.2.3')]);
withPolicies('asked for, another', [policies('1.2.3'), explicit(0)], [policies('1.2.4')]);
withPolicies('asked for, none', [policies('1.2.3'), explicit(0)], []);
withPolicies('asked for, none above', [explicit(0)], [policies('1.2.3')]);
withPolicies('asked for after one more', [policies('1.2.3'), explicit(1)], [policies('1.2.4')]);
withPolicies(
  'asked for after two more',
  [policies('1.2.3'), explicit(2)],
  [policies('1.2.4')],
  [policies('1.2.4')],
);
withPolicies('asked for by the leaf', [policies('1.2.3')], [policies('1.2.4'), explicit(0)]);
withPolicies('any above', [policies(any), explicit(0)], [policies('1.2.4')]);
withPolicies('any below', [policies('1.2.3'), explicit(0)], [policies(any)]);
withPolicies(
  'any below, inhibited',
  [policies('1.2.3'), explicit(0), inhibitAny(0)],
  [policies(any)],
);
withPolicies(
  'any below, inhibited after one more',
  [policies('1.2.3'), explicit(0), inhibitAny(1)],
  [policies(any)],
);
withPolicies(
  'mapped',
  [policies('1.2.3'), explicit(0), mapping(['1.2.3', '1.2.9'])],
  [policies('1.2.9')],
);
withPolicies(
  'mapped, the old name used',
  [policies('1.2.3'), explicit(0), mapping(['1.2.3', '1.2.9'])],
  [policies('1.2.3')],
);
withPolicies(
  'mapped to several',
  [policies('1.2.3'), explicit(0), mapping(['1.2.3', '1.2.9'], ['1.2.3', '1.2.10'])],
  [policies('1.2.10')],
);
withPolicies('mapped from any', [policies(any), mapping([any, '1.2.9'])], [policies('1.2.9')]);
withPolicies('mapped to any', [policies('1.2.3'), mapping(['1.2.3', any])], [policies('1.2.9')]);
withPolicies(
  'mapped below any',
  [policies(any), explicit(0), mapping(['1.2.3', '1.2.9'])],
  [policies('1.2.9')],
);
withPolicies(
  'mapping inhibited',
  [policies('1.2.3'), inhibitMapping(0)],
  [policies('1.2.3'), explicit(0), mapping(['1.2.3', '1.2.9'])],
  [policies('1.2.9')],
);
withPolicies(
  'mapping inhibited, the old name used',
  [policies('1.2.3'), inhibitMapping(0)],
  [policies('1.2.3'), explicit(0), mapping(['1.2.3', '1.2.9'])],
  [policies('1.2.3')],
);
withPolicies(
  'three levels',
  [policies('1.2.3', '1.2.4'), explicit(0)],
  [policies('1.2.4')],
  [policies('1.2.4')],
);
withPolicies(
  'three levels, changed at the end',
  [policies('1.2.3', '1.2.4'), explicit(0)],
  [policies('1.2.4')],
  [policies('1.2.3')],
);
withPolicies(
  'three levels, none in the middle',
  [policies('1.2.3'), explicit(0)],
  [],
  [policies('1.2.3')],
);
withPolicies('the same one twice', [policies('1.2.3', '1.2.3')], []);
withPolicies(
  'negative number',
  [{ oid: '2.5.29.36', critical: true, hex: hex(seq(tlv(0x80, [0xff]))) }],
  [],
);
{
  const strict = between('strict', { unknown: [policies('1.2.3'), explicit(0)] });
  const server = between('strict', { eku: ['serverAuth'] });
  ask('policies and purposes both wrong', [root], [leaf(strict), strict, server]);
}

// Subjects.
const named = (title: string, subject: NonNullable<Spec['subject']>) =>
  under(`subject: ${title}`, { subject });
for (const kind of [
  'utf8',
  'printable',
  'ia5',
  't61',
  'bmp',
  'universal',
  'numeric',
  'raw8',
  'octet',
  'visible',
]) {
  named(`common name as ${kind}`, [['CN', kind === 'numeric' ? '12 3' : 'ada', kind]]);
  named(`organization as ${kind}`, [
    ['O', kind === 'numeric' ? '12 3' : 'crew', kind],
    ['CN', 'ada'],
  ]);
}
named('T61 beyond ASCII', [['CN', 'Zo\u00eb', 't61']]);
named('BMP beyond ASCII', [
  ['O', '\u540d\u524d', 'bmp'],
  ['CN', '\u540d', 'bmp'],
]);
named('BMP with surrogates', [['CN', '\u{1f600}', 'bmp']]);
named('BMP with a character that is none', [['CN', 'a\uffff', 'bmp']]);
named('BMP with a zero at its end', [['CN', 'ada\u0000', 'bmp']]);
named('BMP of nothing but a zero', [['CN', '\u0000', 'bmp']]);
named('broken UTF-8', [['CN', '\u00ff\u00fe', 'raw8']]);
named('overlong UTF-8', [['CN', '\u00c0\u0080', 'raw8']]);
named('UTF-8 of a surrogate', [['CN', '\u00ed\u00a0\u0080', 'raw8']]);
named('byte order mark', [['CN', '\ufeffada']]);
named('zero in the common name', [['CN', 'ada\u0000.evil']]);
named('line end in the common name', [['CN', 'ada\r\nX-Remote-User: root']]);
named('letters that look alike', [['CN', '\u0430da']]);
named('two common names', [
  ['CN', 'first'],
  ['CN', 'second'],
]);
named('two common names, the last one empty', [
  ['CN', 'first'],
  ['CN', ''],
]);
named('three common names in one set', [
  [
    ['CN', 'a'],
    ['CN', 'b'],
    ['CN', 'c'],
  ],
]);
named('no common name', [['O', 'crew']]);
named('common name with commas', [['CN', 'a,O=system:masters']]);
named('organizations in their order', [
  ['O', 'z'],
  ['O', 'a'],
  ['CN', 'ada'],
  ['O', 'm'],
]);
named('organizations in one set', [
  [
    ['O', 'z'],
    ['O', 'a'],
  ],
  ['CN', 'ada'],
]);
named('empty organization', [
  ['O', ''],
  ['CN', 'ada'],
]);
named('the same organization twice', [
  ['O', 'a'],
  ['O', 'a'],
  ['CN', 'ada'],
]);
named('organizational unit', [
  ['OU', 'system:masters'],
  ['CN', 'ada'],
]);
named('system name', [
  ['O', 'system:masters'],
  ['CN', 'system:admin'],
]);
named('UID', [
  ['k8sUID', 'u-1'],
  ['CN', 'ada'],
]);
named('empty UID', [
  ['k8sUID', ''],
  ['CN', 'ada'],
]);
named('empty UID and no common name', [['k8sUID', '']]);
named('two UIDs', [
  ['k8sUID', 'a'],
  ['k8sUID', 'b'],
  ['CN', 'ada'],
]);
named('two UIDs in one set', [
  [
    ['k8sUID', 'a'],
    ['k8sUID', 'a'],
  ],
  ['CN', 'ada'],
]);
named('three UIDs', [
  ['k8sUID', 'a'],
  ['k8sUID', ''],
  ['k8sUID', 'c'],
  ['CN', 'ada'],
]);
named('UID of numbers', [
  ['k8sUID', '5', 'int'],
  ['CN', 'ada'],
]);
named('UID as BMP', [
  ['k8sUID', 'u\u00efd', 'bmp'],
  ['CN', 'ada'],
]);
named('UID of LDAP', [
  ['UID', 'u-1'],
  ['CN', 'ada'],
]);
named('mail address and serial number', [
  ['email', 'a@b.c', 'ia5'],
  ['serialNumber', '1', 'printable'],
  ['CN', 'ada'],
]);
named('printable with an at sign', [['CN', 'a@b', 'printable']]);
named('printable with star and ampersand', [['CN', '*&a', 'printable']]);
named('IA5 beyond ASCII', [['CN', '\u00e9', 'ia5']]);
named('numeric with a letter', [['CN', '1a', 'numeric']]);
named('long', [['CN', 'n'.repeat(5000)]]);
named('100 organizations', [
  ...Array.from({ length: 100 }, (_, at) => ['O', `g${at}`] as const),
  ['CN', 'ada'],
]);
under('empty set in the subject', {
  subjectRaw: hex(seq(set(), set(seq(oid('2.5.4.3'), tlv(12, 'ada'))))),
});
under('attribute with more behind its value', {
  subjectRaw: hex(seq(set(seq(oid('2.5.4.3'), tlv(12, 'ada'), int(1))))),
});
under('attribute without a value', { subjectRaw: hex(seq(set(seq(oid('2.5.4.3'))))) });
under('attribute of a long type', {
  subjectRaw: hex(
    seq(
      set(seq(oid('1.2.840.113549.1.9.1'), tlv(22, 'a@b'))),
      set(seq(oid('2.5.4.3'), tlv(12, 'ada'))),
    ),
  ),
});
under('subject without sets', { subjectRaw: hex(seq(seq(oid('2.5.4.3'), tlv(12, 'ada')))) });

// Forms.
under('serial number 0', { serial: 0 });
under('serial number of 40 bytes', { serialRaw: `01${'ff'.repeat(39)}` });
under('serial number below zero', { serialRaw: 'ff01' });
under('serial number not in its shortest form', { serialRaw: '0001' });
under('serial number of no bytes', { serialRaw: '' });
under('bytes behind the certificate', { trailing: '00' });
under('basic constraints twice', { ca: false, dupBC: true });
under('the same unknown extension twice', {
  unknown: [
    { oid: '1.2.3', critical: false },
    { oid: '1.2.3', critical: false },
  ],
});
under('version 1', { version: 1 });
under('version 2', { version: 2 });
under('version 4', { version: 4 });
under('no extensions', { noExt: true });
for (const [title, id, content] of [
  ['key usage of no bits', '2.5.29.15', '030100'],
  ['key usage that is broken', '2.5.29.15', '0300'],
  ['purposes that are broken', '2.5.29.37', '30020601'],
  ['alternative names that are broken', '2.5.29.17', '3003820561'],
  ['alternative name beyond ASCII', '2.5.29.17', '30048202c3a9'],
  ['mail address beyond ASCII', '2.5.29.17', '30048102c3a9'],
  ['address of 5 bytes', '2.5.29.17', '300787050102030405'],
  ['URI that is none', '2.5.29.17', hex(seq(tlv(0x86, 'http://a b/')))],
  ['URI with a bad port', '2.5.29.17', hex(seq(tlv(0x86, 'http://a:x/')))],
  ['URI with an empty label', '2.5.29.17', hex(seq(tlv(0x86, 'http://a..b/')))],
  ['URI with a control character', '2.5.29.17', hex(seq(tlv(0x86, 'http://a/\n')))],
  ['lists of revocation', '2.5.29.31', hex(seq(seq(tlv(0xa0, tlv(0xa0, tlv(0x86, 'http://a/'))))))],
  ['lists of revocation that are broken', '2.5.29.31', hex(seq(seq(tlv(0xa0, int(1)))))],
  [
    'access to the authority',
    '1.3.6.1.5.5.7.1.1',
    hex(seq(seq(oid('1.3.6.1.5.5.7.48.1'), tlv(0x86, 'http://a/')))),
  ],
  ['access to the authority that is broken', '1.3.6.1.5.5.7.1.1', hex(seq(seq(int(1))))],
  ['policies that are broken', '2.5.29.32', hex(seq(seq(int(1))))],
  ['policy of no number', '2.5.29.32', '300430020600'],
  ['mappings that are broken', '2.5.29.33', hex(seq(seq(oid('1.2.3'))))],
  ['inhibited any of a text', '2.5.29.54', hex(tlv(12, 'a'))],
  ['constraint of policies that is broken', '2.5.29.36', hex(seq(tlv(0x80, [])))],
  ['subject identifier that is none', '2.5.29.14', '0201aa'],
  ['authority identifier that is none', '2.5.29.35', '0401aa'],
  ['basic constraints of a number first', '2.5.29.19', hex(seq(int(1)))],
  ['basic constraints with more behind', '2.5.29.19', hex(seq(bool(true), int(1), int(2)))],
  ['boolean of 1', '2.5.29.19', '3003010101'],
  ['an octet string inside', '2.5.29.14', hex(octets(Buffer.alloc(0)))],
] as const) {
  const name = `extension: ${title}`;
  const plain: Spec =
    id === '2.5.29.15'
      ? { ku: null }
      : id === '2.5.29.37'
        ? { eku: null }
        : id === '2.5.29.14'
          ? { skid: false }
          : id === '2.5.29.35'
            ? { akid: false }
            : {};
  under(name, { ...plain, unknown: [{ oid: id, critical: false, hex: content }] });
}
under('access to the authority, critical', {
  unknown: [{ oid: '1.3.6.1.5.5.7.1.1', critical: true, hex: '3000' }],
});

// What `makeCert` does not write: times, keys and algorithms of other forms.
interface Parts {
  readonly times?: Buffer;
  readonly keyInfo?: Buffer;
  readonly algorithm?: Buffer;
  readonly sign?: (signed: Buffer) => Buffer;
  readonly unique?: Buffer;
  readonly extensions?: Buffer;
}
const issuedBy = (issuer: MadeCertificate, parts: Parts): MadeCertificate => {
  const plain = seq(oid('1.2.840.10045.4.3.2'));
  const algorithm = parts.algorithm ?? plain;
  const signed = seq(
    tlv(0xa0, int(2)),
    int(77),
    algorithm,
    issuer.subject,
    parts.times ?? seq(tlv(0x17, '200101000000Z'), tlv(0x17, '491231235959Z')),
    seq(set(seq(oid('2.5.4.3'), tlv(12, 'ada')))),
    parts.keyInfo ?? createPublicKey(issuer.keyPem).export({ type: 'spki', format: 'der' }),
    ...(parts.unique === undefined ? [] : [parts.unique]),
    ...(parts.extensions === undefined ? [] : [tlv(0xa3, parts.extensions)]),
  );
  const signature = (parts.sign ?? ((bytes) => sign('sha256', bytes, issuer.keyPem)))(signed);
  return asMade(seq(signed, algorithm, tlv(0x03, [0], signature)));
};
const from = '200101000000Z';
for (const [title, begin, end] of [
  ['minutes', tlv(0x17, '2001010000Z'), tlv(0x17, '4912312359Z')],
  ['a zone', tlv(0x17, '200101000000+0130'), tlv(0x17, '491231235959-0800')],
  ['a zone of nothing', tlv(0x17, '200101000000+0000'), tlv(0x17, '491231235959Z')],
  ['a zone of a day', tlv(0x17, '200101000000+2400'), tlv(0x17, '491231235959Z')],
  ['a zone of 60 minutes', tlv(0x17, '200101000000+0060'), tlv(0x17, '491231235959Z')],
  ['generalized', tlv(0x18, '20200101000000Z'), tlv(0x18, '20491231235959Z')],
  ['generalized with a zone', tlv(0x18, '20200101000000-0100'), tlv(0x18, '20491231235959+0100')],
  ['generalized with a fraction', tlv(0x18, '20200101000000.5Z'), tlv(0x18, '20491231235959Z')],
  ['generalized in minutes', tlv(0x18, '202001010000Z'), tlv(0x18, '20491231235959Z')],
  ['a year of three digits', tlv(0x18, '02000101000000Z'), tlv(0x18, '99991231235959Z')],
  ['the year 0', tlv(0x18, '00000101000000Z'), tlv(0x18, '99991231235959Z')],
  ['the 29th of February', tlv(0x17, '200229000000Z'), tlv(0x17, '480229000000Z')],
  ['a 29th of February that is none', tlv(0x17, '210229000000Z'), tlv(0x17, '491231235959Z')],
  ['month 13', tlv(0x17, '201301000000Z'), tlv(0x17, '491231235959Z')],
  ['hour 24', tlv(0x17, '200101240000Z'), tlv(0x17, '491231235959Z')],
  ['second 60', tlv(0x17, '200101000060Z'), tlv(0x17, '491231235959Z')],
  ['the year 50', tlv(0x17, '500101000000Z'), tlv(0x17, '491231235959Z')],
  ['the year 69', tlv(0x17, '690101000000Z'), tlv(0x17, '681231235959Z')],
  ['no zone', tlv(0x17, '200101000000'), tlv(0x17, '491231235959Z')],
  ['no end', tlv(0x17, from), Buffer.alloc(0)],
  ['a text', tlv(12, from), tlv(12, from)],
] as const) {
  ask(`times: ${title}`, [root], [issuedBy(root, { times: seq(begin, end) })]);
}
ask(
  'identifiers of subject and issuer',
  [root],
  [issuedBy(root, { unique: Buffer.concat([tlv(0x81, [0, 1]), tlv(0x82, [0, 2])]) })],
);
ask(
  'identifier of the subject that is cut',
  [root],
  [issuedBy(root, { unique: Buffer.from([0x82, 5, 1]) })],
);
ask('something strange before the extensions', [root], [issuedBy(root, { unique: int(1) })]);
ask('extensions that are a text', [root], [issuedBy(root, { extensions: tlv(12, 'x') })]);
{
  const rsa = authority({ keyPair: key('rsa', 'rsa2048'), subject: [['CN', 'rsa']] });
  const none = Buffer.from([5, 0]);
  const sha = (bits: number) =>
    seq(oid(`2.16.840.1.101.3.4.2.${{ 256: 1, 384: 2, 512: 3 }[bits] ?? 4}`), none);
  const pss = (digest: Buffer, mask: Buffer, salt: number, ...more: readonly Buffer[]) =>
    seq(
      oid('1.2.840.113549.1.1.10'),
      seq(
        tlv(0xa0, digest),
        tlv(0xa1, seq(oid('1.2.840.113549.1.1.8'), mask)),
        tlv(0xa2, int(salt)),
        ...more,
      ),
    );
  const pssSign = (digest: string, saltLength: number) => (bytes: Buffer) =>
    sign(digest, bytes, { key: rsa.keyPem, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength });
  for (const [title, algorithm, made] of [
    ['SHA-256', pss(sha(256), sha(256), 32), pssSign('sha256', 32)],
    ['SHA-384', pss(sha(384), sha(384), 48), pssSign('sha384', 48)],
    ['SHA-512', pss(sha(512), sha(512), 64), pssSign('sha512', 64)],
    ['SHA-224', pss(sha(224), sha(224), 28), pssSign('sha224', 28)],
    ['salt of 20', pss(sha(256), sha(256), 20), pssSign('sha256', 20)],
    ['salt of 20 that says 32', pss(sha(256), sha(256), 32), pssSign('sha256', 20)],
    ['two digests', pss(sha(256), sha(512), 32), pssSign('sha256', 32)],
    ['trailer 1', pss(sha(256), sha(256), 32, tlv(0xa3, int(1))), pssSign('sha256', 32)],
    ['trailer 2', pss(sha(256), sha(256), 32, tlv(0xa3, int(2))), pssSign('sha256', 32)],
    ['no parameters', seq(oid('1.2.840.113549.1.1.10')), pssSign('sha256', 32)],
    [
      'digest without parameters',
      pss(seq(oid('2.16.840.1.101.3.4.2.1')), seq(oid('2.16.840.1.101.3.4.2.1')), 32),
      pssSign('sha256', 32),
    ],
  ] as const) {
    ask(`RSA-PSS: ${title}`, [rsa], [issuedBy(rsa, { algorithm, sign: made })]);
  }
  const pkcs1 = (number: number, digest: string) =>
    issuedBy(rsa, {
      algorithm: seq(oid(`1.2.840.113549.1.1.${number}`), none),
      sign: (bytes) => sign(digest, bytes, rsa.keyPem),
    });
  ask('RSA with SHA-384', [rsa], [pkcs1(12, 'sha384')]);
  ask('RSA with SHA-512', [rsa], [pkcs1(13, 'sha512')]);
  ask('RSA with SHA-224', [rsa], [pkcs1(14, 'sha224')]);
  ask('RSA with SHA-512/256', [rsa], [pkcs1(16, 'sha512-256')]);
  ask(
    'RSA without parameters',
    [rsa],
    [
      issuedBy(rsa, {
        algorithm: seq(oid('1.2.840.113549.1.1.11')),
        sign: (bytes) => sign('sha256', bytes, rsa.keyPem),
      }),
    ],
  );
  ask(
    'ECDSA with SHA-224',
    [root],
    [
      issuedBy(root, {
        algorithm: seq(oid('1.2.840.10045.4.3.1')),
        sign: (bytes) => sign('sha224', bytes, root.keyPem),
      }),
    ],
  );
  ask(
    'ECDSA with SHA-512',
    [root],
    [
      issuedBy(root, {
        algorithm: seq(oid('1.2.840.10045.4.3.4')),
        sign: (bytes) => sign('sha512', bytes, root.keyPem),
      }),
    ],
  );
  ask(
    'ECDSA with parameters',
    [root],
    [issuedBy(root, { algorithm: seq(oid('1.2.840.10045.4.3.2'), none) })],
  );
  const edwards = authority({ keyPair: key('ed25519', 'ed25519'), subject: [['CN', 'edwards']] });
  ask(
    'Ed25519 with parameters',
    [edwards],
    [
      issuedBy(edwards, {
        algorithm: seq(oid('1.3.101.112'), none),
        sign: (bytes) => sign(null, bytes, edwards.keyPem),
      }),
    ],
  );
  ask(
    'DSA in the name of ECDSA',
    [root],
    [issuedBy(root, { algorithm: seq(oid('2.16.840.1.101.3.4.3.2')) })],
  );

  const bits = (bytes: Buffer, padding = 0) => tlv(0x03, [padding], bytes);
  const number = (value: bigint | number) => int(value);
  const modulus = 2n ** 2047n + 12345n;
  const rsaInfo = (n: bigint, e: bigint | number, parameters: Buffer = none) =>
    seq(seq(oid('1.2.840.113549.1.1.1'), parameters), bits(seq(number(n), number(e))));
  const point = createPublicKey(root.keyPem).export({ type: 'spki', format: 'der' }).subarray(-65);
  const ec = (curve: string, bytes: Buffer) =>
    seq(seq(oid('1.2.840.10045.2.1'), oid(curve)), bits(bytes));
  for (const [title, keyInfo] of [
    ['RSA', rsaInfo(modulus, 65537)],
    ['RSA, even', rsaInfo(modulus + 1n, 65537)],
    ['RSA, exponent 1', rsaInfo(modulus, 1)],
    ['RSA, exponent 0', rsaInfo(modulus, 0)],
    ['RSA, exponent of 8 bytes', rsaInfo(modulus, 2n ** 62n + 1n)],
    ['RSA, exponent of 9 bytes', rsaInfo(modulus, 2n ** 64n + 1n)],
    ['RSA, negative', rsaInfo(-5n, 3)],
    ['RSA, without parameters', rsaInfo(modulus, 3, Buffer.alloc(0))],
    ['P-256', ec('1.2.840.10045.3.1.7', point)],
    [
      'P-256, not on the curve',
      ec(
        '1.2.840.10045.3.1.7',
        Buffer.concat([point.subarray(0, 64), Buffer.from([(point[64] ?? 0) ^ 1])]),
      ),
    ],
    [
      'P-256, compressed',
      ec('1.2.840.10045.3.1.7', Buffer.concat([Buffer.from([2]), point.subarray(1, 33)])),
    ],
    ['P-256, the point of P-384', ec('1.3.132.0.34', point)],
    ['a curve that is not known', ec('1.3.132.0.10', point)],
    [
      'P-256 shifted',
      seq(
        seq(oid('1.2.840.10045.2.1'), oid('1.2.840.10045.3.1.7')),
        bits(Buffer.concat([point.subarray(0, 64), Buffer.from([(point[64] ?? 0) & 0xf0])]), 4),
      ),
    ],
    ['Ed25519', seq(seq(oid('1.3.101.112')), bits(Buffer.alloc(32, 7)))],
    ['Ed25519, short', seq(seq(oid('1.3.101.112')), bits(Buffer.alloc(31, 7)))],
    ['X25519', seq(seq(oid('1.3.101.110')), bits(Buffer.alloc(32, 7)))],
    ['X25519 with parameters', seq(seq(oid('1.3.101.110'), none), bits(Buffer.alloc(32, 7)))],
    [
      'DSA',
      seq(seq(oid('1.2.840.10040.4.1'), seq(number(7), number(5), number(3))), bits(number(2))),
    ],
    [
      'DSA, zero',
      seq(seq(oid('1.2.840.10040.4.1'), seq(number(7), number(0), number(3))), bits(number(2))),
    ],
    ['DSA without parameters', seq(seq(oid('1.2.840.10040.4.1')), bits(number(2)))],
    ['RSA-PSS', seq(seq(oid('1.2.840.113549.1.1.10')), bits(seq(number(modulus), number(3))))],
    ['a kind that is not known', seq(seq(oid('1.2.3.4')), bits(Buffer.from([1])))],
    ['an algorithm that is a number', seq(seq(number(1)), bits(Buffer.from([1])))],
    ['bits that are broken', seq(seq(oid('1.2.3.4')), tlv(0x03, [9], Buffer.from([1])))],
  ] as const) {
    const odd = issuedBy(root, { keyInfo });
    ask(`key: ${title}`, [root], [odd]);
    // The same as the authority of another: its key checks a signature, or cannot.
    if (typeof readCertificate(odd.der) !== 'string') {
      const below = leaf({ ...root, subject: seq(set(seq(oid('2.5.4.3'), tlv(12, 'ada')))) });
      const constrained = issuedBy(root, {
        keyInfo,
        extensions: seq(seq(oid('2.5.29.19'), bool(true), octets(seq(bool(true))))),
      });
      ask(`key of an authority: ${title}`, [constrained], [below]);
    }
  }
}
{
  const twins = Array.from({ length: 101 }, (_, at) =>
    authority({ keyPair: key('root'), serial: at + 1, akid: false }),
  );
  const strangers = Array.from({ length: 100 }, () =>
    authority({ keyPair: key(`stranger${random.below(5)}`) }),
  );
  ask(
    'the hundredth candidate is it',
    [...strangers.slice(1), root],
    [leaf(root, { akidHex: '00' })],
  );
  ask(
    'the hundred and first candidate is it',
    [...strangers, root],
    [leaf(root, { akidHex: '00' })],
  );
  ask('a hundred and one that are it', twins, [leaf(root)]);
}

const rich = leaf(root, {
  subject: [
    [
      ['O', 'a', 'bmp'],
      ['O', 'b'],
    ],
    ['k8sUID', 'u'],
    ['CN', 'ada', 't61'],
  ],
  san: [
    ['dns', 'a.example'],
    ['uri', 'https://a.example/x'],
    ['email', 'a@b.c'],
    ['ip', '0a000001'],
  ],
  nc: {
    permitted: [
      ['dns', 'example'],
      ['ip', '0a000000ff000000'],
    ],
    excluded: [
      ['email', 'x@y'],
      ['uri', '.z'],
    ],
  },
  ca: true,
  pathLen: 3,
  unknown: [
    policies('1.2.3', any),
    explicit(3),
    inhibitAny(2),
    mapping(['1.2.3', '1.2.4']),
    {
      oid: '2.5.29.31',
      critical: false,
      hex: hex(seq(seq(tlv(0xa0, tlv(0xa0, tlv(0x86, 'http://a/')))))),
    },
    {
      oid: '1.3.6.1.5.5.7.1.1',
      critical: false,
      hex: hex(seq(seq(oid('1.3.6.1.5.5.7.48.1'), tlv(0x86, 'http://a/')))),
    },
  ],
});
const changes = [0, 1, 0x7f, 0x80, 0xff, 0x30, 0x31, 0x02, 0x0c, 0x13, 0x1e];
for (let round = 0; round < Number(options.mutations); round += 1) {
  const der = Buffer.from(rich.der);
  const places: number[] = [];
  for (let left = 1 + random.below(3); left > 0; left -= 1) {
    const at = random.below(der.length);
    const what = random.below(4);
    if (what === 0) der[at] = random.below(256);
    else if (what === 1) der[at] = (der[at] ?? 0) ^ (1 << random.below(8));
    else if (what === 2) der[at] = random.pick(changes);
    else der.copyWithin(at, at + 1);
    places.push(at);
  }
  // Trusted as it is where it can be read, so that nothing hides behind a broken signature.
  const changed = asMade(der);
  const trusted = typeof readCertificate(der) === 'string' ? root : changed;
  ask(`bytes ${places.join(', ')} changed`, [trusted], [changed]);
}

/** Random chains: a few keys and names, so that much fits by accident. */
for (let round = 0; round < Number(options.random); round += 1) {
  const names = ['p', 'q', 'r'];
  const made: MadeCertificate[] = [];
  const spec = (name: string): Spec => ({
    subject: [['CN', name]],
    keyPair: key(`random ${name}${random.chance(0.2) ? '2' : ''}`),
    ca: random.chance(0.9),
    ...(random.chance(0.2) ? { pathLen: random.below(3) } : {}),
    ...(random.chance(0.2)
      ? { eku: random.pick([['clientAuth'], ['serverAuth'], ['any'], []]) }
      : {}),
    ...(random.chance(0.1) ? { ku: random.pick([null, ['cRLSign'], ['keyCertSign']]) } : {}),
    ...(random.chance(0.1) ? { notAfter: -10 } : {}),
    ...(random.chance(0.1) ? { version: random.pick([1, 2]) } : {}),
    ...(random.chance(0.1) ? { akid: false } : {}),
    ...(random.chance(0.1) ? { skid: false } : {}),
    ...(random.chance(0.2)
      ? {
          nc: random.pick([
            { permitted: dns('com') },
            { excluded: dns('org') },
            { permitted: dns('org', 'a.com') },
          ]),
        }
      : {}),
    ...(random.chance(0.1) ? { san: dns(random.pick(['a.com', 'b.org'])) } : {}),
    ...(random.chance(0.2)
      ? {
          unknown: [
            random.pick([
              explicit(random.below(3)),
              policies('1.2.3'),
              policies(any),
              inhibitAny(0),
            ]),
          ],
        }
      : {}),
  });
  for (let step = 0; step < 2 + random.below(6); step += 1) {
    const issuer = made.length === 0 || random.chance(0.2) ? undefined : random.pick(made);
    made.push(makeCert(spec(random.pick(names)), issuer));
  }
  const last = leaf(random.pick(made), {
    ...(random.chance(0.3) ? { san: dns(random.pick(['a.com', 'b.org', 'x.a.com'])) } : {}),
    ...(random.chance(0.2) ? { unknown: [policies(random.pick(['1.2.3', any]))] } : {}),
  });
  const trusted = made.filter(() => random.chance(0.4));
  const others = made.filter(() => random.chance(0.8));
  ask(`random ${round}`, trusted.length === 0 ? [root] : trusted, [last, ...others]);
}
