/** Certificate pools that are loaded from CA bundles and from files that change. */
import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { commonName } from '../../../engine/src/certificates/certificate.ts';
import {
  loadCertificatePool,
  poolsOverlap,
  type ReloadablePool,
} from '../../../engine/src/certificates/certificate-pool.ts';
import { poolWarnings } from '../../../engine/src/certificates/pool-warnings.ts';
import { watchCertificatePool } from '../../../engine/src/node/certificate-pool.ts';
import { type CertificateSpec, makeCert } from '../../attacks/lib/der.mjs';
import { testAuthority } from '../../support/certificates.ts';
import { fakeClock, fakePorts } from '../../support/fake-ports.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const one = testAuthority('one').pem;
const two = testAuthority('two').pem;
const name = 'client-ca-bundle::/etc/ca.crt';
const load = (text: string): ReloadablePool => {
  const pool = loadCertificatePool(name, bytes(text));
  if (typeof pool === 'string') throw new Error(pool);
  return pool;
};
const namesIn = (pool: ReloadablePool): readonly string[] => pool.authorities().map(commonName);

describe('a CA bundle', () => {
  test.each([
    ['', 'missing content for CA bundle "client-ca-bundle::/etc/ca.crt"'],
    [
      'garbage',
      'error loading CA bundle for "client-ca-bundle::/etc/ca.crt": data does not contain any valid RSA or ECDSA certificates',
    ],
    [
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      'error loading CA bundle for "client-ca-bundle::/etc/ca.crt": x509: malformed certificate',
    ],
  ])('%j is invalid', (text, problem) => {
    expect(loadCertificatePool(name, bytes(text))).toBe(problem);
  });

  test('is invalid if one certificate is', () => {
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    expect(loadCertificatePool(name, bytes(one + broken))).toMatch(/malformed certificate$/);
  });

  test('may contain text and other blocks between certificates', () => {
    const other = '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n';
    expect(namesIn(load(`# first\n${one}${other}second\n${two}`))).toEqual(['one', 'two']);
  });

  test('starts a new generation unless it is equal or invalid', () => {
    const pool = load(one);
    expect(pool.generation()).toBe(1);
    expect(pool.reload(bytes(one))).toEqual({ kind: 'unchanged' });
    expect(pool.reload(bytes('garbage')).kind).toBe('invalid');
    expect(pool.reload(new Uint8Array()).kind).toBe('invalid');
    expect([pool.generation(), namesIn(pool)]).toEqual([1, ['one']]);
    expect(pool.reload(bytes(two))).toEqual({ kind: 'changed' });
    expect([pool.generation(), namesIn(pool)]).toEqual([2, ['two']]);
  });

  test('overlaps another one if they share a certificate, not a name', () => {
    const all = [...load(one).authorities(), ...load(two).authorities()];
    expect(poolsOverlap(load(one).authorities(), all)).toBe(true);
    expect(poolsOverlap(load(one).authorities(), load(two).authorities())).toBe(false);
    const sameName = load(testAuthority('one').pem).authorities();
    expect(poolsOverlap(load(one).authorities(), sameName)).toBe(false);
  });
});

describe('warnings', () => {
  const advice = (spec: CertificateSpec, now = Date.now()): readonly string[] =>
    poolWarnings(
      load(makeCert({ subject: [['CN', 'x']], serial: 7, ca: true, ...spec }).pem).authorities(),
      now,
    );

  test.each([
    [{}, []],
    [
      { notAfter: -1 },
      [/^certificate "x" \(SN=7\) expired at .*Z; it cannot verify any certificate$/],
    ],
    [{ notBefore: 60 }, [/ is not valid before /]],
    [{ unknown: [{ oid: '1.2.3', critical: true }] }, [/critical extension/]],
    [{ eku: ['serverAuth'] }, [/is not for client authentication/]],
    [{ eku: ['any'] }, []],
    [{ ca: false }, [/is not a CA certificate/]],
    [{ noExt: true }, [/is not a CA certificate/]],
    [{ version: 1 }, []],
    [{ ku: ['cRLSign'] }, [/may not sign certificates/]],
    [{ subject: [['O', 'org']], ca: false }, [/^certificate "org" \(SN=7\) /]],
    [{ subject: [], ca: false }, [/^certificate SN=7 /]],
  ] as const)('%j', (spec, wanted) => {
    expect(advice(spec)).toEqual(wanted.map((pattern) => expect.stringMatching(pattern)));
  });
});

describe('a CA bundle file', () => {
  let folder = '';
  beforeEach(() => {
    folder = temporaryFolder(onTestFinished).path;
  });

  /** Writes the file atomically, so that no check reads a part of it. */
  const replace = (path: string, text: string): void => {
    writeFileSync(join(folder, 'fresh'), text);
    renameSync(join(folder, 'fresh'), path);
  };
  const watching = (path: string, text: string) => {
    replace(path, text);
    const pool = load(text);
    const ports = fakePorts({ clock: fakeClock(Date.now()) });
    const watch = watchCertificatePool(pool, path, { ...ports, debounceMs: 1 });
    const failures = (): number =>
      ports.counted.get(
        'authgraph_certificate_authority_reloads_total{"pool":"client-ca-bundle","status":"failure"}',
      ) ?? 0;
    return { pool, ports, watch, failures };
  };

  test('that becomes invalid is counted and logged once, and changes nothing', async () => {
    const path = join(folder, 'ca.crt');
    const { pool, ports, watch, failures } = watching(path, one);
    await watch.checkNow();
    expect([namesIn(pool), failures(), ports.events]).toEqual([['one'], 0, []]);
    replace(path, one.slice(0, 100));
    await watch.checkNow();
    await watch.checkNow();
    expect([namesIn(pool), failures() >= 2]).toEqual([['one'], true]);
    rmSync(path);
    await watch.checkNow();
    expect(namesIn(pool)).toEqual(['one']);
    expect(ports.events.map(({ level, fields }) => [level, fields?.reason])).toEqual([
      ['error', expect.stringMatching(/^error loading CA bundle for /)],
      ['error', `open ${path}: no such file or directory`],
    ]);
    replace(path, two);
    await watch.checkNow();
    expect(namesIn(pool)).toEqual(['two']);
    await watch.close();
  });

  test('is reloaded after its symbolic link is replaced', async () => {
    const path = join(folder, 'ca.crt');
    writeFileSync(join(folder, 'v1'), one);
    writeFileSync(join(folder, 'v2'), two);
    symlinkSync('v1', path);
    const pool = load(one);
    const changed = Promise.withResolvers<void>();
    const log = { event: () => changed.resolve() };
    const watch = watchCertificatePool(pool, path, {
      ...fakePorts({ clock: fakeClock(Date.now()) }),
      log,
      debounceMs: 1,
    });
    await watch.checkNow();
    symlinkSync('v2', join(folder, 'next'));
    renameSync(join(folder, 'next'), path);
    await changed.promise;
    expect(namesIn(pool)).toEqual(['two']);
    await watch.close();
  });
});
