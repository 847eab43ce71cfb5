/** Signatures, names and keys, and chains that are crossed, circular or long. */
import type { MadeCertificate } from '../../attacks/lib/der.mjs';
import {
  authority,
  hex,
  intermediateCa,
  key,
  leaf,
  root,
  withoutSubjectKeyId,
  writeCase,
  writeCaseUnderIntermediate,
  writeCaseUnderRoot,
} from './cases.ts';

export const writeGraphCases = (): void => {
  // Signatures.
  writeCaseUnderRoot('signature damaged', { flipSig: true });
  writeCaseUnderRoot('signature of SHA-1', { sig: 'ec-sha1' });
  writeCaseUnderRoot('signature of SHA-384', { sig: 'ec-sha384' });
  writeCaseUnderRoot('algorithms that differ', { innerSig: 'ec-sha1' });
  writeCaseUnderRoot('signature made up', { forge: true });
  writeCaseUnderIntermediate('intermediate signed with SHA-1', { sig: 'ec-sha1' });
  {
    const rsa = authority({ keyPair: key('rsa', 'rsa2048'), subject: [['CN', 'rsa']] });
    writeCase('RSA', [rsa], [leaf(rsa)]);
    writeCase('RSA with MD5', [rsa], [leaf(rsa, { sig: 'rsa-md5' })]);
    writeCase('RSA with SHA-1', [rsa], [leaf(rsa, { sig: 'rsa-sha1' })]);
    writeCase('RSA, damaged', [rsa], [leaf(rsa, { flipSig: true })]);
    const weak = authority({ keyPair: key('weak', 'rsa1024'), subject: [['CN', 'weak']] });
    writeCase('RSA of 1024 bits', [weak], [leaf(weak)]);
    const weaker = authority({ keyPair: key('weaker', 'rsa1016'), subject: [['CN', 'weaker']] });
    writeCase('RSA of 1016 bits', [weaker], [leaf(weaker)]);
    const weakest = authority({ keyPair: key('weakest', 'rsa512'), subject: [['CN', 'weakest']] });
    writeCase('RSA of 512 bits', [weakest], [leaf(weakest)]);
    writeCase('leaf of 512 bits', [root], [leaf(root, { keyPair: key('weakest') })]);
    for (const kind of ['p224', 'p384', 'p521', 'ed25519']) {
      const anchor = authority({ keyPair: key(kind, kind), subject: [['CN', kind]] });
      writeCase(`signed with ${kind}`, [anchor], [leaf(anchor)]);
      writeCase(`signed with ${kind}, damaged`, [anchor], [leaf(anchor, { flipSig: true })]);
      writeCaseUnderRoot(`leaf with a key of ${kind}`, { keyPair: key(kind) });
    }
    writeCaseUnderRoot('leaf with a key of secp256k1', { keyPair: key('k256', 'k256') });
    // The name of an authority whose key has another algorithm.
    const forged = leaf(rsa, { issuerName: [['CN', 'root']] });
    writeCase('signed with RSA in the name of an authority of ECDSA', [root], [forged]);
  }

  // Names and keys of authorities.
  {
    const sameName = authority({ keyPair: key('same name') });
    writeCase('authority of the same name, another key', [sameName], [leaf(root)]);
    writeCase('two authorities of one name, the first is it', [root, sameName], [leaf(root)]);
    writeCase('two authorities of one name, the second is it', [sameName, root], [leaf(root)]);
    writeCase('the same authority twice', [root, root], [leaf(root)]);
    const bare = authority({ skid: false });
    writeCase('no identifiers at all', [bare], [leaf(withoutSubjectKeyId(bare))]);
    writeCase('authority without an identifier', [bare], [leaf(root)]);
    writeCase(
      'leaf without an identifier of its authority',
      [root],
      [leaf(withoutSubjectKeyId(root))],
    );
    writeCaseUnderRoot('wrong identifier of the authority', { akidHex: '00112233' });
    writeCaseUnderRoot('empty identifier of the authority', { akidHex: '' });
    writeCaseUnderRoot('no identifier of its own', { skid: false });
    writeCaseUnderRoot('empty identifier of its own', { skidHex: '' });
    writeCaseUnderRoot('identifier of its own of 64 bytes', { skidHex: 'ab'.repeat(64) });
    writeCase(
      'wrong identifier, two authorities of one name',
      [sameName, root],
      [leaf(root, { akidHex: hex(sameName.skid) })],
    );
    writeCase(
      'issuer name differs in kind of text',
      [root],
      [leaf(root, { issuerName: [['CN', 'root', 'printable']] })],
    );
    writeCase(
      'issuer name differs in case',
      [root],
      [leaf(root, { issuerName: [['CN', 'ROOT']] })],
    );
    const nameless = authority({ subject: [] });
    writeCase('authority without a name', [nameless], [leaf(nameless)]);
    writeCaseUnderRoot('subject identifier critical', {
      skid: false,
      unknown: [{ oid: '2.5.29.14', critical: true, hex: '0401aa' }],
    });
    writeCaseUnderRoot('authority identifier critical', {
      akid: false,
      unknown: [{ oid: '2.5.29.35', critical: true, hex: '30038001aa' }],
    });
    writeCaseUnderRoot('authority identifier by name and number', {
      akid: false,
      unknown: [{ oid: '2.5.29.35', critical: false, hex: '3003820101' }],
    });
    const middle = intermediateCa('middle');
    const stranger = intermediateCa('middle', { keyPair: key('stranger') });
    writeCase(
      'an intermediate of the same name sent too',
      [root],
      [leaf(middle), stranger, middle],
    );
    writeCase('only an intermediate of the same name', [root], [leaf(middle), stranger]);
    for (const subject of [[['O', 'only org']], []] as const) {
      const unnamed = intermediateCa('middle', { subject, ca: false });
      writeCase(
        `bad intermediate named by ${subject.length === 0 ? 'its number' : 'its organization'}`,
        [root],
        [leaf(unnamed), unnamed],
      );
    }
  }

  // Crossed, circular and long chains.
  {
    const other = authority({ subject: [['CN', 'other']], keyPair: key('other') });
    const crossed = intermediateCa(
      'root',
      { subject: [['CN', 'root']], keyPair: key('root') },
      other,
    );
    const back = intermediateCa(
      'other',
      { subject: [['CN', 'other']], keyPair: key('other') },
      root,
    );
    writeCase('crossed over to a trusted one', [other], [leaf(root), crossed]);
    writeCase('crossed both ways, trusted here', [root], [leaf(other), back, crossed]);
    writeCase('crossed both ways, trusted there', [other], [leaf(root), crossed, back]);
    const third = authority({ subject: [['CN', 'third']], keyPair: key('third') });
    writeCase('crossed both ways, trusted nowhere', [third], [leaf(root), crossed, back]);
    const a = intermediateCa('a', {}, root);
    const b = intermediateCa('b', {}, a);
    const again = intermediateCa('a', {}, b);
    writeCase('a loop among intermediates', [third], [leaf(b), b, again, a]);
    writeCase('a loop with a way out', [root], [leaf(b), again, b, a]);
    writeCase(
      'self-signed copy of an intermediate sent too',
      [root],
      [leaf(a), intermediateCa('a', {}, undefined as unknown as MadeCertificate), a],
    );
    const named = intermediateCa('a', { san: [['dns', 'a.example']] }, b);
    writeCase('a loop that changes its alternative names', [root], [leaf(named), named, b, a]);
    for (const length of [3, 6, 8]) {
      let above = root;
      const sent: MadeCertificate[] = [];
      for (let step = 0; step < length; step += 1) {
        above = intermediateCa(`level${step}`, {}, above);
        sent.push(above);
      }
      writeCase(`${length} intermediates in order`, [root], [leaf(above), ...sent.toReversed()]);
      writeCase(`${length} intermediates in reverse order`, [root], [leaf(above), ...sent]);
      writeCase(`${length} intermediates, one missing`, [root], [leaf(above), ...sent.slice(1)]);
      writeCase(`${length} intermediates, the root too`, [root], [leaf(above), ...sent, root]);
    }
    writeCase('leaf sent twice', [root], [leaf(root), leaf(root)]);
    writeCase('unrelated certificates sent too', [root], [leaf(root), third, other]);
    writeCase(
      'an unrelated certificate that is expired',
      [root],
      [leaf(root), authority({ subject: [['CN', 'x']], notAfter: -5 })],
    );
    const one = intermediateCa('many', { keyPair: key('many0') });
    const many = [1, 2, 3, 4, 5, 6, 7].map((n) =>
      intermediateCa('many', { keyPair: key(`many${n}`) }),
    );
    writeCase('eight intermediates of one name', [root], [leaf(one), ...many, one]);
  }
};
