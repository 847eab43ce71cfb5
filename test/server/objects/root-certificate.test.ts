/** The source of `ca.crt` in service account Secrets. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultServeOptions } from '../../../engine/src/server/flags/options.ts';
import { loadRootCertificate } from '../../../engine/src/server/objects/root-certificate.ts';
import { testAuthority } from '../../support/certificates.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const { path: folder, write } = temporaryFolder();

const authority = testAuthority();
const leaf = authority.issue();
const bundle = write('ca.pem', authority.pem);
const alone = write('leaf.pem', leaf.pem);
const chain = write('chain.pem', `${leaf.pem}${authority.pem}`);
const broken = write('broken.pem', 'no certificate');

const load = (rootCaFile: string | undefined, tlsCertFile: string | undefined) =>
  loadRootCertificate({ ...defaultServeOptions(), rootCaFile, tlsCertFile });

const bodyOf = (pem: string | undefined): string | undefined => pem?.replaceAll(/\s/g, '');

test('returns the file of the flag', async () => {
  expect(await load(bundle, alone)).toEqual({ kind: 'loaded', pem: authority.pem });
});

test('returns the authorities in the chain of the server, without the leaf', async () => {
  const loaded = await load(undefined, chain);
  expect(loaded.kind === 'loaded' && bodyOf(loaded.pem)).toBe(bodyOf(authority.pem));
  expect(await load(undefined, alone)).toEqual({ kind: 'loaded', pem: undefined });
  expect(await load(undefined, undefined)).toEqual({ kind: 'loaded', pem: undefined });
});

test("an unusable file prevents the start, with kube-controller-manager's message", async () => {
  const absent = join(folder, 'absent.pem');
  expect(await load(absent, undefined)).toEqual({
    kind: 'failed',
    error: `error parsing root-ca-file at ${absent}: open ${absent}: no such file or directory`,
  });
  expect(await load(broken, undefined)).toEqual({
    kind: 'failed',
    error: `error parsing root-ca-file at ${broken}: data does not contain any valid RSA or ECDSA certificates`,
  });
});
