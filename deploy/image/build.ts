/**
 * Builds the container image as an OCI image layout, without a container engine: Debian's C and C++ libraries, Node.js
 * from npm, and the program at a commit. Nothing of another architecture is executed, and two builds of a commit have
 * the same digest.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { stageApplication } from './application.ts';
import { architectures, isArchitecture } from './architectures.ts';
import { checkLayout } from './check.ts';
import { stageBase, updateLock } from './debian.ts';
import { type Image, writeLayout } from './layout.ts';
import { stageNode } from './node-runtime.ts';
import { billOfMaterials } from './sbom.ts';

const help = `Usage: npm run image -- [flags]

Builds the container image of AuthGraph as an OCI image layout, without a container engine.

Flags:
  --out DIR           folder of the results (default: deploy/image/out)
  --arch LIST         architectures, separated by commas (default: amd64,arm64)
  --revision COMMIT   commit to build (default: HEAD; uncommitted changes are not part of the image)
  --check             unpacks the image of this machine's architecture afterwards and starts it in a chroot, read-only
                      and as the user of the image; needs root
  --update-packages   writes the newest versions of the Debian packages to packages.lock.json and exits
  --help              prints this text

Needs git, npm, GNU tar, and Debian's apt-get and dpkg-deb. Downloads Debian packages and npm packages.

Results:
  authgraph-VERSION/            the OCI image layout
  authgraph-VERSION.oci.tar     the same in one file, for podman load or skopeo copy oci-archive:…
  authgraph-VERSION-ARCH.cdx.json   the software bill of materials (CycloneDX), which the layout contains too

Examples:
  npm run image -- --check
  skopeo copy --all oci:deploy/image/out/authgraph-0.1.0:0.1.0 docker://registry.example/authgraph:0.1.0
`;

const root = join(import.meta.dirname, '../..');

const flags = {
  out: { type: 'string', default: join(import.meta.dirname, 'out') },
  arch: { type: 'string', default: architectures.join(',') },
  revision: { type: 'string', default: 'HEAD' },
  check: { type: 'boolean', default: false },
  'update-packages': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: flags });
  if (values.help) return void process.stdout.write(help);
  const scratch = mkdtempSync(join(tmpdir(), 'authgraph-image-'));
  try {
    if (values['update-packages']) return updateLock(scratch);
    await build(values, scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

/** Prints progress to standard error, because standard output is for the results. */
const report = (step: string): void => void process.stderr.write(`${step}\n`);

interface BuildFlags {
  readonly out: string;
  readonly arch: string;
  readonly revision: string;
  readonly check: boolean;
}

const build = async (values: BuildFlags, scratch: string): Promise<void> => {
  const wanted = values.arch.split(',');
  for (const name of wanted) {
    if (!isArchitecture(name))
      throw new Error(`--arch: ${name} is not ${architectures.join(' or ')}`);
  }
  const revision = git('rev-parse', `${values.revision}^{commit}`);
  const epoch = Number(
    process.env.SOURCE_DATE_EPOCH ?? git('show', '-s', '--format=%ct', revision),
  );
  const out = resolve(values.out);
  report(`building the program at ${revision.slice(0, 12)}`);
  const application = stageApplication(join(scratch, 'application'), { root, revision });
  const lockfile = git('show', `${revision}:package-lock.json`);
  const images = wanted.filter(isArchitecture).map((architecture): Image => {
    const place = join(scratch, architecture);
    report(`${architecture}: Debian packages and Node.js`);
    const base = stageBase(join(place, 'base'), { architecture, scratch: join(place, 'apt') });
    const runtime = stageNode(join(place, 'node'), { architecture, lockfile, scratch: place });
    const sbom = billOfMaterials({ application, base, runtime, architecture, epoch });
    return { architecture, layers: [base, runtime, application], sbom };
  });
  const { version } = application;
  const layout = join(out, `authgraph-${version}`);
  report('writing the layout');
  mkdirSync(out, { recursive: true });
  const digest = writeLayout(layout, { images, version, revision, epoch, scratch });
  for (const { architecture, sbom } of images) {
    writeFileSync(join(out, `authgraph-${version}-${architecture}.cdx.json`), sbom);
  }
  process.stdout.write(`${layout}:${version} ${digest}\n`);
  if (!values.check) return;
  report('starting the image');
  await checkLayout(layout, { version, scratch: join(scratch, 'check') });
};

try {
  await main();
} catch (cause) {
  process.stderr.write(`error: ${cause instanceof Error ? cause.message : String(cause)}\n`);
  process.exitCode = 1;
}
