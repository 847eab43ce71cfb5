/** Signatures, names and keys, and chains that cross, turn round or are long. */
import type { MadeCertificate } from '../../attacks/lib/der.mjs';
import {
  ask,
  authority,
  between,
  hex,
  key,
  leaf,
  root,
  through,
  under,
  without,
} from './asking.ts';

export const askGraphs = (): void => {
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
};
