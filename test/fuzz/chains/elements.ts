/** Single certificates and what stands above them: times, purposes, authorities, path lengths, extensions. */
import type { MadeCertificate } from '../../attacks/lib/der.mjs';
import { ask, authority, between, key, leaf, root, type Spec, through, under } from './asking.ts';

export const askElements = (): void => {
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
};
