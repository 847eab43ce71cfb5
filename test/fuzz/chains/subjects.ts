/** Subjects in every string type. */
import { int, oid, seq, set, tlv } from '../../attacks/lib/der.mjs';
import { hex, type Spec, writeCaseUnderRoot } from './cases.ts';

export const writeSubjectCases = (): void => {
  const named = (title: string, subject: NonNullable<Spec['subject']>) =>
    writeCaseUnderRoot(`subject: ${title}`, { subject });
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
  writeCaseUnderRoot('empty set in the subject', {
    subjectRaw: hex(seq(set(), set(seq(oid('2.5.4.3'), tlv(12, 'ada'))))),
  });
  writeCaseUnderRoot('attribute with more behind its value', {
    subjectRaw: hex(seq(set(seq(oid('2.5.4.3'), tlv(12, 'ada'), int(1))))),
  });
  writeCaseUnderRoot('attribute without a value', {
    subjectRaw: hex(seq(set(seq(oid('2.5.4.3'))))),
  });
  writeCaseUnderRoot('attribute of a long type', {
    subjectRaw: hex(
      seq(
        set(seq(oid('1.2.840.113549.1.9.1'), tlv(22, 'a@b'))),
        set(seq(oid('2.5.4.3'), tlv(12, 'ada'))),
      ),
    ),
  });
  writeCaseUnderRoot('subject without sets', {
    subjectRaw: hex(seq(seq(oid('2.5.4.3'), tlv(12, 'ada')))),
  });
};
