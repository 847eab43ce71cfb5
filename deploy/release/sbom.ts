/**
 * The software bill of materials of the packages, the extension and the executables, in CycloneDX's format: npm writes
 * it from the lockfile. The container image has bills of its own, with its Debian packages.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeComponent, serialNumberOf } from '../image/sbom.ts';
import { platforms } from './executables/platforms.ts';
import type { Release, ReleaseFile } from './release.ts';
import { runProgram } from './run-program.ts';

export const sbom = async (release: Release): Promise<readonly ReleaseFile[]> => {
  const { source, out, version, epoch, report } = release;
  const args = [
    'sbom',
    '--sbom-format=cyclonedx',
    '--sbom-type=application',
    '--package-lock-only',
  ];
  const text = await runProgram('npm', args, { cwd: source });
  const { serialNumber: _, metadata, ...bill }: Bill = JSON.parse(text);
  const { component } = metadata;
  const references = usedReferences(source, bill);
  const lockfile = JSON.parse(readFileSync(join(source, 'package-lock.json'), 'utf8'));
  const nodes = platforms.map(({ package: name }) =>
    nodeComponent({ name, ...lockfile.packages[`node_modules/${name}`] }),
  );
  const content = {
    ...bill,
    metadata: {
      ...metadata,
      // npm writes the current time, and the name of the folder.
      timestamp: new Date(epoch * 1000).toISOString(),
      component: { ...component, name: 'authgraph' },
    },
    components: [...bill.components.filter((one) => references.has(one['bom-ref'])), ...nodes],
    dependencies: [
      { ref: component['bom-ref'], dependsOn: publishedReferences(source) },
      ...bill.dependencies
        .filter(({ ref }) => references.has(ref))
        .map(({ ref, dependsOn }) => ({
          ref,
          dependsOn: dependsOn.filter((other) => references.has(other)),
        })),
    ],
  };
  const name = `authgraph-${version}.cdx.json`;
  const written = { serialNumber: serialNumberOf(content), ...content };
  writeFileSync(join(out, name), `${JSON.stringify(written, undefined, 2)}\n`);
  report(`sbom: ${content.components.length} components in ${name}`);
  return [{ name, part: 'sbom', content: 'bill of materials of everything except the image' }];
};

interface Component {
  readonly 'bom-ref': string;
}

/** The fields of the bill that npm writes which are read here. */
interface Bill {
  readonly serialNumber: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly workspaces?: readonly string[];
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const workspacesOf = (source: string): readonly Manifest[] => {
  const read = (path: string): Manifest => JSON.parse(readFileSync(join(source, path), 'utf8'));
  return (read('package.json').workspaces ?? []).map((name) => read(`${name}/package.json`));
};

const publishedReferences = (source: string): readonly string[] =>
  workspacesOf(source).map(({ name, version }) => `${name}@${version}`);

/**
 * Returns the references of what the workspaces use when they run. npm's own `--omit=dev` would also leave out what
 * the repository uses as a development dependency in addition.
 */
const usedReferences = (
  source: string,
  { dependencies }: Pick<Bill, 'dependencies'>,
): ReadonlySet<string> => {
  const developmentOf = new Map(
    workspacesOf(source).map(({ name, version, devDependencies = {} }) => [
      `${name}@${version}`,
      new Set(Object.entries(devDependencies).map(([other, wanted]) => `${other}@${wanted}`)),
    ]),
  );
  const edges = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const used = new Set(developmentOf.keys());
  // A set is iterated over the references that are added meanwhile, too.
  for (const reference of used) {
    const left = developmentOf.get(reference);
    for (const next of edges.get(reference) ?? []) if (left?.has(next) !== true) used.add(next);
  }
  return used;
};
