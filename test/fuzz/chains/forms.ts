/** Well-formed and malformed certificates. */
import { bool, int, octets, oid, seq, tlv } from '../../attacks/lib/der.mjs';
import { hex, type Spec, writeCaseUnderRoot } from './cases.ts';

export const writeFormCases = (): void => {
  writeCaseUnderRoot('serial number 0', { serial: 0 });
  writeCaseUnderRoot('serial number of 40 bytes', { serialRaw: `01${'ff'.repeat(39)}` });
  writeCaseUnderRoot('serial number below zero', { serialRaw: 'ff01' });
  writeCaseUnderRoot('serial number not in its shortest form', { serialRaw: '0001' });
  writeCaseUnderRoot('serial number of no bytes', { serialRaw: '' });
  writeCaseUnderRoot('bytes behind the certificate', { trailing: '00' });
  writeCaseUnderRoot('basic constraints twice', { ca: false, dupBC: true });
  writeCaseUnderRoot('the same unknown extension twice', {
    unknown: [
      { oid: '1.2.3', critical: false },
      { oid: '1.2.3', critical: false },
    ],
  });
  writeCaseUnderRoot('version 1', { version: 1 });
  writeCaseUnderRoot('version 2', { version: 2 });
  writeCaseUnderRoot('version 4', { version: 4 });
  writeCaseUnderRoot('no extensions', { noExt: true });
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
    [
      'lists of revocation',
      '2.5.29.31',
      hex(seq(seq(tlv(0xa0, tlv(0xa0, tlv(0x86, 'http://a/')))))),
    ],
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
    writeCaseUnderRoot(name, { ...plain, unknown: [{ oid: id, critical: false, hex: content }] });
  }
  writeCaseUnderRoot('access to the authority, critical', {
    unknown: [{ oid: '1.3.6.1.5.5.7.1.1', critical: true, hex: '3000' }],
  });
};
