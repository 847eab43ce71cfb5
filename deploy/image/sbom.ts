/**
 * The software bill of materials of an image in CycloneDX's format: the program and its npm packages, Node.js, and the
 * Debian packages, each with its package URL and digest.
 */
import { createHash } from 'node:crypto';
import type { Application } from './application.ts';
import type { Architecture } from './architectures.ts';
import type { Base } from './debian.ts';
import type { NodePackage, NodeRuntime } from './node-runtime.ts';

interface Parts {
  readonly application: Application;
  readonly base: Base;
  readonly runtime: NodeRuntime;
  readonly architecture: Architecture;
  /** Seconds since 1970. */
  readonly epoch: number;
}

export const billOfMaterials = (parts: Parts): string => {
  const content = contentOf(parts);
  const serialNumber = serialNumberOf(content);
  const bill = { bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber, ...content };
  return `${JSON.stringify(bill, undefined, 2)}\n`;
};

/** Returns a serial number that depends on the content, so that builds are reproducible. */
export const serialNumberOf = (content: unknown): string => {
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, 'urn:uuid:$1-$2-8$3-8$4-$5');
};

const contentOf = ({ application, base, runtime, architecture, epoch }: Parts) => ({
  version: 1,
  metadata: {
    timestamp: new Date(epoch * 1000).toISOString(),
    component: {
      ...component('container', 'authgraph', application.version, 'pkg:oci/authgraph'),
      licenses: [{ license: { id: 'Apache-2.0' } }],
    },
  },
  components: [
    ...application.packages.map(({ name, version, integrity, license }) => ({
      ...component('library', name, version, npmUrl(name, version)),
      hashes: [hashOf(integrity)],
      ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
    })),
    nodeComponent({ ...runtime, name: runtime.package }),
    ...base.packages.map(({ name, version, sha256 }) => ({
      ...component(
        'library',
        name,
        version,
        `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}&distro=${base.distribution}`,
      ),
      hashes: [{ alg: 'SHA-256', content: sha256 }],
    })),
  ],
});

/** Returns the component of an npm package with Node.js. */
export const nodeComponent = ({ name, version, integrity }: NodePackage) => ({
  ...component('platform', name, version, npmUrl(name, version)),
  hashes: [hashOf(integrity)],
});

const component = (type: string, name: string, version: string, purl: string) => ({
  'bom-ref': purl,
  type,
  name,
  version,
  purl,
});

const npmUrl = (name: string, version: string): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** Converts an integrity of npm. */
const hashOf = (integrity: string) => ({
  alg: 'SHA-512',
  content: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex'),
});
