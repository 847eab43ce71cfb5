/** Random changes of bytes, and random chains. */
import { readCertificate } from '../../../engine/src/formats/x509/certificate.ts';
import { type MadeCertificate, makeCert, oid, seq, tlv } from '../../attacks/lib/der.mjs';
import type { Random } from '../random.ts';
import { certificateFromDer, hex, key, leaf, root, type Spec, writeCase } from './cases.ts';
import { dns } from './names.ts';
import { any, explicit, inhibitAny, mapping, policies } from './policies.ts';

const makeRich = () =>
  leaf(root, {
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

/** Writes cases with a few changed bytes in a certificate that has every extension. */
export const writeMutationCases = (count: number, random: Random): void => {
  const rich = makeRich();
  const changes = [0, 1, 0x7f, 0x80, 0xff, 0x30, 0x31, 0x02, 0x0c, 0x13, 0x1e];
  for (let round = 0; round < count; round += 1) {
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
    // Certificates that can be parsed are trusted, so that a broken signature does not hide other
    // errors.
    const changed = certificateFromDer(der);
    const trusted = typeof readCertificate(der) === 'string' ? root : changed;
    writeCase(`bytes ${places.join(', ')} changed`, [trusted], [changed]);
  }
};

/** Writes cases with random chains of a few keys and names, so that many of them match. */
export const writeRandomCases = (count: number, random: Random): void => {
  for (let round = 0; round < count; round += 1) {
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
    writeCase(`random ${round}`, trusted.length === 0 ? [root] : trusted, [last, ...others]);
  }
};
