/**
 * Properties of single certificates and their issuers: times, purposes, authorities, path lengths,
 * extensions.
 */
import type { MadeCertificate } from '../../attacks/lib/der.mjs';
import {
  authority,
  intermediateCa,
  key,
  leaf,
  root,
  type Spec,
  writeCase,
  writeCaseUnderIntermediate,
  writeCaseUnderRoot,
} from './cases.ts';

export const writeElementCases = (): void => {
  // Validity.
  writeCaseUnderRoot('ends this second', { notAfter: 0 });
  writeCaseUnderRoot('ended a second ago', { notAfter: -1 });
  writeCaseUnderRoot('begins this second', { notBefore: 0 });
  writeCaseUnderRoot('begins in a second', { notBefore: 1 });
  writeCaseUnderRoot('ends in a year beyond 2050', { notAfter: 86_400 * 365 * 40 });
  writeCaseUnderRoot('ends before it begins', { notBefore: 3600, notAfter: -3600 });
  writeCaseUnderIntermediate('intermediate expired', { notBefore: -7200, notAfter: -60 });
  writeCaseUnderIntermediate('intermediate not yet valid', { notBefore: 60, notAfter: 7200 });
  writeCaseUnderIntermediate('intermediate shorter than the leaf', { notAfter: 60 });
  {
    const old = authority({ notBefore: -7200, notAfter: -60 });
    writeCase('root expired', [old], [leaf(old)]);
    writeCase('root expired, the same key renewed beside it', [old, root], [leaf(root)]);
    writeCase('the same, in the other order', [root, old], [leaf(root)]);
    const middle = intermediateCa('middle');
    writeCase('root expired, through an intermediate', [old], [leaf(middle), middle]);
    const early = authority({ notBefore: 60 });
    writeCase('root not yet valid', [early], [leaf(early)]);
    const stale = intermediateCa('middle', { notBefore: -7200, notAfter: -60 });
    writeCase(
      'intermediate expired, a renewed one sent too',
      [root],
      [leaf(middle), stale, middle],
    );
    writeCase('intermediate expired, itself trusted', [stale], [leaf(middle)]);
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
    writeCaseUnderRoot(`leaf: ${title}`, { eku });
    writeCaseUnderIntermediate(`intermediate: ${title}`, { eku: eku === null ? null : [...eku] });
    const anchor = authority({
      eku: eku === null ? null : [...eku],
      subject: [['CN', `root ${title}`]],
    });
    writeCase(`root: ${title}`, [anchor], [leaf(anchor)]);
  }
  writeCaseUnderRoot('critical purposes', { ekuCritical: true });
  writeCaseUnderIntermediate(
    'intermediate any, leaf server',
    { eku: ['any'] },
    { eku: ['serverAuth'] },
  );
  {
    const bad = intermediateCa('middle', { eku: ['serverAuth'] });
    const good = intermediateCa('middle', { eku: ['clientAuth'] });
    writeCase('two intermediates of one key, one for servers', [root], [leaf(bad), bad, good]);
    writeCase('the same, in the other order', [root], [leaf(bad), good, bad]);
    const self = leaf(undefined, { eku: ['serverAuth'] });
    writeCase('trusted self-signed leaf for servers', [self], [self]);
  }

  // Authorities.
  writeCaseUnderIntermediate('intermediate without basic constraints', {
    ca: undefined as unknown as boolean,
    ku: null,
  });
  writeCaseUnderIntermediate('intermediate that is no authority', { ca: false });
  writeCaseUnderIntermediate('intermediate that is no authority, without key usage', {
    ca: false,
    ku: null,
  });
  writeCaseUnderIntermediate('intermediate whose key may not certify', {
    ku: ['digitalSignature', 'cRLSign'],
  });
  writeCaseUnderIntermediate('intermediate with no key usage', { ku: null });
  writeCaseUnderIntermediate('intermediate whose key usage is empty', { ku: [] });
  writeCaseUnderIntermediate('intermediate with key usage beyond eight bits', {
    ku: ['keyCertSign', 'decipherOnly'],
  });
  writeCaseUnderIntermediate('basic constraints not critical', { bcCritical: false });
  writeCaseUnderIntermediate('intermediate of version 1', { version: 1 });
  writeCaseUnderIntermediate('intermediate of version 2', { version: 2 });
  {
    const one = authority({ version: 1 });
    writeCase('root of version 1', [one], [leaf(one)]);
    const two = authority({ version: 2 });
    writeCase('root of version 2', [two], [leaf(two)]);
    const bare = authority({ noExt: true });
    writeCase('root of version 3 without extensions', [bare], [leaf(bare)]);
    const plain = authority({ ca: false });
    writeCase('root that is no authority', [plain], [leaf(plain)]);
    const silent = authority({ ku: ['digitalSignature'] });
    writeCase('root whose key may not certify', [silent], [leaf(silent)]);
    writeCase('that root itself', [silent], [silent]);
    writeCase('the root itself', [root], [root]);
    writeCase('the root itself, and again as intermediate', [root], [root, root]);
    writeCaseUnderRoot('leaf that is an authority', { ca: true });
    const middle = intermediateCa('middle');
    writeCase('an intermediate itself', [root], [middle]);
    writeCase('an intermediate as the only trusted one', [middle], [leaf(middle)]);
    writeCase(
      'an intermediate as the only trusted one, sent too',
      [middle],
      [leaf(middle), middle],
    );
    writeCase('intermediate missing', [root], [leaf(middle)]);
    writeCase(
      'nothing trusted that fits',
      [authority({ subject: [['CN', 'other']], keyPair: key('other') })],
      [leaf(root)],
    );
    const self = leaf(undefined);
    writeCase('trusted self-signed leaf', [self], [self]);
    writeCase('self-signed leaf', [root], [self]);
    writeCase(
      'self-signed leaf of the same name and key as a trusted one',
      [self],
      [leaf(undefined)],
    );
    const lame = leaf(undefined, { notAfter: -1 });
    writeCase('trusted self-signed leaf, expired', [lame], [lame]);
    const strange = leaf(root, { unknown: [{ oid: '1.2.3.4', critical: true }] });
    writeCase('trusted leaf with an unknown critical extension', [strange, root], [strange]);
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
      above = intermediateCa(`step${at}`, pathLen === undefined ? {} : { pathLen }, above);
      sent.unshift(above);
    }
    writeCase(`path length ${title}`, [anchor], [leaf(above), ...sent]);
  }
  writeCaseUnderIntermediate('path length -1', { pathLen: -1 });
  writeCaseUnderIntermediate('path length on a certificate that is no authority', {
    ca: false,
    pathLen: 0,
  });
  writeCaseUnderRoot('leaf with a path length', { ca: false, pathLen: 0 });
  {
    // Self-issued intermediates count, too.
    const anchor = authority({ pathLen: 0, subject: [['CN', 'same']] });
    const renewed = intermediateCa(
      'x',
      { subject: [['CN', 'same']], keyPair: key('renewed') },
      anchor,
    );
    writeCase('path length 0, self-issued intermediate', [anchor], [leaf(renewed), renewed]);
  }

  // Critical extensions.
  const unknownExtension = (critical: boolean, id = '1.2.3.4'): Spec => ({
    unknown: [{ oid: id, critical }],
  });
  writeCaseUnderRoot('unknown critical extension', unknownExtension(true));
  writeCaseUnderRoot('unknown extension', unknownExtension(false));
  writeCaseUnderIntermediate(
    'unknown critical extension of the intermediate',
    unknownExtension(true),
  );
  writeCaseUnderIntermediate('unknown extension of the intermediate', unknownExtension(false));
  {
    const anchor = authority(unknownExtension(true));
    writeCase('unknown critical extension of the root', [anchor], [leaf(anchor)]);
    writeCaseUnderRoot(
      'unknown critical extension below 2.5.29',
      unknownExtension(true, '2.5.29.99'),
    );
    writeCaseUnderRoot('freshest CRL, critical', unknownExtension(true, '2.5.29.46'));
    writeCaseUnderRoot('issuer alternative name, critical', {
      unknown: [{ oid: '2.5.29.18', critical: true, hex: '3000' }],
    });
    writeCaseUnderRoot('alternative names of unknown kinds only, critical', {
      san: [['dir', [['CN', 'x']]]],
      sanCritical: true,
    });
    writeCaseUnderRoot('alternative names of unknown kinds only', {
      san: [['dir', [['CN', 'x']]]],
    });
    writeCaseUnderRoot('no alternative names, critical', {
      unknown: [{ oid: '2.5.29.17', critical: true, hex: '3000' }],
    });
    writeCaseUnderRoot('alternative names, critical', {
      san: [['dns', 'a.example']],
      sanCritical: true,
    });
  }
};
