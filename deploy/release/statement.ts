/**
 * The provenance of a release as an in-toto statement (v1) with a SLSA predicate (provenance v1). It is not signed: the
 * workflow that runs the release signs it with its own identity.
 */
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { repositoryAddress } from '../../.ci/repository-address.ts';
import { platforms } from './executables/platforms.ts';
import type { PartName } from './release.ts';

export interface Digest {
  readonly name: string;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** Reads a file once. */
export const digestFile = async (folder: string, name: string): Promise<Digest> => {
  const hash = createHash('sha256');
  let size = 0;
  await pipeline(createReadStream(join(folder, name)), async (chunks) => {
    for await (const chunk of chunks) {
      size += chunk.length;
      hash.update(chunk);
    }
  });
  return { name, sha256: hash.digest('hex'), size };
};

/** The format of sha256sum(1). */
export const checksumsText = (digests: readonly Digest[]): string =>
  digests.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');

export interface StatementOptions {
  readonly revision: string;
  readonly version: string;
  readonly parts: readonly PartName[];
  /** The tree of the commit. */
  readonly source: string;
  /** The environment, which names the workflow and the run of GitHub Actions. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Returns the statement about these files. It is the same in each run of a commit on the same builder. */
export const provenanceStatement = (files: readonly Digest[], options: StatementOptions) => ({
  _type: 'https://in-toto.io/Statement/v1',
  subject: files.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {
    buildDefinition: {
      buildType: `${repositoryOf(options)}/docs/releasing.md#provenance`,
      externalParameters: {
        repository: repositoryOf(options),
        revision: options.revision,
        version: options.version,
        parts: options.parts,
      },
      internalParameters: { node: process.versions.node },
      resolvedDependencies: dependenciesOf(options),
    },
    runDetails: { builder: { id: builderOf(options) }, metadata: metadataOf(options) },
  },
});

/** A URI of this repository that does not depend on where it is published. */
const localRepository = 'urn:authgraph:repository';

const repositoryOf = ({ environment }: StatementOptions): string =>
  repositoryAddress(environment) ?? localRepository;

const builderOf = (options: StatementOptions): string => {
  const { GITHUB_WORKFLOW_REF: reference, GITHUB_SERVER_URL: server } = options.environment;
  return reference === undefined || server === undefined
    ? 'urn:authgraph:builder:local'
    : `${server}/${reference}`;
};

const metadataOf = (options: StatementOptions) => {
  const { GITHUB_RUN_ID: run, GITHUB_RUN_ATTEMPT: attempt } = options.environment;
  if (run === undefined) return {};
  return {
    invocationId: `${repositoryOf(options)}/actions/runs/${run}/attempts/${attempt ?? '1'}`,
  };
};

/** The commit, the lockfile, which has the digests of all npm packages, and each program of Node.js. */
const dependenciesOf = (options: StatementOptions) => {
  const lockfile = readFileSync(join(options.source, 'package-lock.json'));
  const { packages } = JSON.parse(lockfile.toString());
  const commit = {
    uri: `git+${repositoryOf(options)}`,
    digest: { gitCommit: options.revision },
  };
  const lock = {
    name: 'package-lock.json',
    digest: { sha256: createHash('sha256').update(lockfile).digest('hex') },
  };
  if (!options.parts.includes('executables')) return [commit, lock];
  const nodes = platforms.map(({ package: name }) => {
    const { version, integrity } = packages[`node_modules/${name}`];
    const sha512 = Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex');
    return { uri: `pkg:npm/${name}@${version}`, digest: { sha512 } };
  });
  return [commit, lock, ...nodes];
};
