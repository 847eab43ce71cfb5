/** Times, keys and algorithms in encodings that no ordinary tool writes. */
import { constants, createPublicKey, sign } from 'node:crypto';
import { readCertificate } from '../../../engine/src/formats/x509/certificate.ts';
import {
  bool,
  int,
  type MadeCertificate,
  octets,
  oid,
  seq,
  set,
  tlv,
} from '../../attacks/lib/der.mjs';
import { authority, certificateFromDer, key, leaf, root, writeCase } from './cases.ts';

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
  return certificateFromDer(seq(signed, algorithm, tlv(0x03, [0], signature)));
};

export const writeEncodingCases = (): void => {
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
    writeCase(`times: ${title}`, [root], [issuedBy(root, { times: seq(begin, end) })]);
  }
  writeCase(
    'identifiers of subject and issuer',
    [root],
    [issuedBy(root, { unique: Buffer.concat([tlv(0x81, [0, 1]), tlv(0x82, [0, 2])]) })],
  );
  writeCase(
    'identifier of the subject that is cut',
    [root],
    [issuedBy(root, { unique: Buffer.from([0x82, 5, 1]) })],
  );
  writeCase(
    'something strange before the extensions',
    [root],
    [issuedBy(root, { unique: int(1) })],
  );
  writeCase('extensions that are a text', [root], [issuedBy(root, { extensions: tlv(12, 'x') })]);
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
      sign(digest, bytes, {
        key: rsa.keyPem,
        padding: constants.RSA_PKCS1_PSS_PADDING,
        saltLength,
      });
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
      writeCase(`RSA-PSS: ${title}`, [rsa], [issuedBy(rsa, { algorithm, sign: made })]);
    }
    const pkcs1 = (number: number, digest: string) =>
      issuedBy(rsa, {
        algorithm: seq(oid(`1.2.840.113549.1.1.${number}`), none),
        sign: (bytes) => sign(digest, bytes, rsa.keyPem),
      });
    writeCase('RSA with SHA-384', [rsa], [pkcs1(12, 'sha384')]);
    writeCase('RSA with SHA-512', [rsa], [pkcs1(13, 'sha512')]);
    writeCase('RSA with SHA-224', [rsa], [pkcs1(14, 'sha224')]);
    writeCase('RSA with SHA-512/256', [rsa], [pkcs1(16, 'sha512-256')]);
    writeCase(
      'RSA without parameters',
      [rsa],
      [
        issuedBy(rsa, {
          algorithm: seq(oid('1.2.840.113549.1.1.11')),
          sign: (bytes) => sign('sha256', bytes, rsa.keyPem),
        }),
      ],
    );
    writeCase(
      'ECDSA with SHA-224',
      [root],
      [
        issuedBy(root, {
          algorithm: seq(oid('1.2.840.10045.4.3.1')),
          sign: (bytes) => sign('sha224', bytes, root.keyPem),
        }),
      ],
    );
    writeCase(
      'ECDSA with SHA-512',
      [root],
      [
        issuedBy(root, {
          algorithm: seq(oid('1.2.840.10045.4.3.4')),
          sign: (bytes) => sign('sha512', bytes, root.keyPem),
        }),
      ],
    );
    writeCase(
      'ECDSA with parameters',
      [root],
      [issuedBy(root, { algorithm: seq(oid('1.2.840.10045.4.3.2'), none) })],
    );
    const edwards = authority({ keyPair: key('ed25519', 'ed25519'), subject: [['CN', 'edwards']] });
    writeCase(
      'Ed25519 with parameters',
      [edwards],
      [
        issuedBy(edwards, {
          algorithm: seq(oid('1.3.101.112'), none),
          sign: (bytes) => sign(null, bytes, edwards.keyPem),
        }),
      ],
    );
    writeCase(
      'DSA in the name of ECDSA',
      [root],
      [issuedBy(root, { algorithm: seq(oid('2.16.840.1.101.3.4.3.2')) })],
    );

    const bits = (bytes: Buffer, padding = 0) => tlv(0x03, [padding], bytes);
    const number = (value: bigint | number) => int(value);
    const modulus = 2n ** 2047n + 12345n;
    const rsaInfo = (n: bigint, e: bigint | number, parameters: Buffer = none) =>
      seq(seq(oid('1.2.840.113549.1.1.1'), parameters), bits(seq(number(n), number(e))));
    const point = createPublicKey(root.keyPem)
      .export({ type: 'spki', format: 'der' })
      .subarray(-65);
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
      const certificate = issuedBy(root, { keyInfo });
      writeCase(`key: ${title}`, [root], [certificate]);
      // The same certificate as the authority of another: whether its key can verify a signature.
      if (typeof readCertificate(certificate.der) !== 'string') {
        const below = leaf({ ...root, subject: seq(set(seq(oid('2.5.4.3'), tlv(12, 'ada')))) });
        const constrained = issuedBy(root, {
          keyInfo,
          extensions: seq(seq(oid('2.5.29.19'), bool(true), octets(seq(bool(true))))),
        });
        writeCase(`key of an authority: ${title}`, [constrained], [below]);
      }
    }
  }
  {
    const sameNameAndKey = Array.from({ length: 101 }, (_, at) =>
      authority({ keyPair: key('root'), serial: at + 1, akid: false }),
    );
    const strangers = Array.from({ length: 100 }, (_, at) =>
      authority({ keyPair: key(`stranger${at % 5}`) }),
    );
    writeCase(
      'the hundredth candidate is it',
      [...strangers.slice(1), root],
      [leaf(root, { akidHex: '00' })],
    );
    writeCase(
      'the hundred and first candidate is it',
      [...strangers, root],
      [leaf(root, { akidHex: '00' })],
    );
    writeCase('a hundred and one that are it', sameNameAndKey, [leaf(root)]);
  }
};
