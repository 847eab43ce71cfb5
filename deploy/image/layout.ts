/** Writes an OCI image layout: blobs by their digest, one manifest per architecture, and an index of them. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Architecture, Layer } from './architectures.ts';

export interface Image {
  readonly architecture: Architecture;
  /** The lowest layer first. */
  readonly layers: readonly Layer[];
  /** CycloneDX, JSON. */
  readonly sbom: string;
}

export interface LayoutOptions {
  readonly images: readonly Image[];
  readonly version: string;
  /** The commit. */
  readonly revision: string;
  /** Seconds since 1970: the time of every file and of the image. */
  readonly epoch: number;
  readonly scratch: string;
}

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

const type = (name: string): string => `application/vnd.oci.image.${name}`;
const sbomType = 'application/vnd.cyclonedx+json';

/** Writes the layout and, next to it, the same as one tar file; returns the digest of the image. */
export const writeLayout = (folder: string, options: LayoutOptions): string => {
  const { images, version, epoch, scratch } = options;
  const place = join(scratch, 'layout');
  mkdirSync(join(place, 'blobs/sha256'), { recursive: true });
  const blob = (mediaType: string, content: string | Uint8Array): Descriptor => {
    const digest = digestOf(content);
    writeFileSync(join(place, 'blobs', digest.replace(':', '/')), content);
    return { mediaType, digest, size: Buffer.byteLength(content) };
  };
  const json = (mediaType: string, value: unknown): Descriptor =>
    blob(mediaType, JSON.stringify(value));
  const layersByFolder = new Map<string, { readonly diffId: string; readonly layer: Descriptor }>();
  const layerOf = ({ folder: content }: Layer) => {
    const known = layersByFolder.get(content);
    if (known !== undefined) return known;
    const archive = archiveOf(content, epoch);
    const compressed = gzipSync(archive, { level: 9 });
    const one = { diffId: digestOf(archive), layer: blob(type('layer.v1.tar+gzip'), compressed) };
    layersByFolder.set(content, one);
    return one;
  };
  const manifests = images.map(({ architecture, layers, sbom }) => {
    const written = layers.map(layerOf);
    const config = json(type('config.v1+json'), {
      ...configOf(options),
      architecture,
      os: 'linux',
      rootfs: { type: 'layers', diff_ids: written.map(({ diffId }) => diffId) },
      history: layers.map(({ title }) => ({ created: timeOf(epoch), created_by: title })),
    });
    const manifest = json(type('manifest.v1+json'), {
      schemaVersion: 2,
      mediaType: type('manifest.v1+json'),
      config,
      layers: written.map(({ layer }) => layer),
      annotations: labelsOf(options),
    });
    // A referrer: tools find the bill of materials of an image by `subject`.
    const bill = json(type('manifest.v1+json'), {
      schemaVersion: 2,
      mediaType: type('manifest.v1+json'),
      artifactType: sbomType,
      config: blob('application/vnd.oci.empty.v1+json', '{}'),
      layers: [blob(sbomType, sbom)],
      subject: manifest,
    });
    return { architecture, manifest, bill };
  });
  const index = json(type('index.v1+json'), {
    schemaVersion: 2,
    mediaType: type('index.v1+json'),
    manifests: manifests.map(({ architecture, manifest }) => ({
      ...manifest,
      platform: { architecture, os: 'linux' },
    })),
    annotations: labelsOf(options),
  });
  const entry = {
    schemaVersion: 2,
    mediaType: type('index.v1+json'),
    manifests: [
      { ...index, annotations: { 'org.opencontainers.image.ref.name': version } },
      ...manifests.map(({ bill }) => ({ ...bill, artifactType: sbomType })),
    ],
  };
  writeFileSync(join(place, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  writeFileSync(join(place, 'index.json'), JSON.stringify(entry));
  writeFileSync(`${folder}.oci.tar`, archiveOf(place, epoch));
  rmSync(folder, { recursive: true, force: true });
  try {
    renameSync(place, folder);
  } catch {
    // On another file system.
    execFileSync('cp', ['-r', place, folder]);
  }
  return index.digest;
};

const digestOf = (content: string | Uint8Array): string =>
  `sha256:${createHash('sha256').update(content).digest('hex')}`;

const timeOf = (epoch: number): string => new Date(epoch * 1000).toISOString().replace('.000', '');

const labelsOf = ({ version, revision, epoch }: LayoutOptions) => ({
  'org.opencontainers.image.title': 'authgraph',
  'org.opencontainers.image.description': 'The authentication layer of kube-apiserver as a server',
  'org.opencontainers.image.version': version,
  'org.opencontainers.image.revision': revision,
  'org.opencontainers.image.created': timeOf(epoch),
  'org.opencontainers.image.licenses': 'Apache-2.0',
});

const configOf = (options: LayoutOptions) => ({
  created: timeOf(options.epoch),
  config: {
    User: '65532:65532',
    Env: ['PATH=/usr/local/bin:/usr/bin'],
    Entrypoint: ['/usr/local/bin/authgraph'],
    Cmd: ['serve'],
    WorkingDir: '/',
    ExposedPorts: { '6443/tcp': {} },
    StopSignal: 'SIGTERM',
    Labels: labelsOf(options),
  },
});

/** Returns a tar archive that depends only on the names, modes and contents of the files. */
const archiveOf = (folder: string, epoch: number): Buffer => {
  const file = `${folder}.tar`;
  execFileSync('tar', [
    ...['--create', `--file=${file}`, `--directory=${folder}`, '--format=posix', '--sort=name'],
    ...[
      `--mtime=@${epoch}`,
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--mode=u+rwX,go+rX,go-w',
    ],
    ...['--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime', '.'],
  ]);
  const archive = readFileSync(file);
  rmSync(file);
  return archive;
};
