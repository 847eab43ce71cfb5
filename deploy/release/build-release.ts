/** Builds the parts of a release at the same time, and then the files that describe them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChangelogExcerpt, changelogExcerpt } from './changelog.ts';
import { chart } from './chart.ts';
import { executables } from './executables/executables.ts';
import type { Platform } from './executables/platforms.ts';
import { image } from './image.ts';
import { npmPackages } from './npm-packages.ts';
import type { PartName, Release, ReleaseFile } from './release.ts';
import { sbom } from './sbom.ts';
import { compilePackages, installPackages } from './source-tree.ts';
import { checksumsText, digestFile, provenanceStatement } from './statement.ts';
import { vsix } from './vsix.ts';

export interface BuildOptions {
  readonly parts: readonly PartName[];
  readonly platforms: readonly Platform[];
}

/** Throws an error with the messages of all parts that failed. */
export const buildRelease = async (release: Release, options: BuildOptions): Promise<void> => {
  const { source, version, report } = release;
  const changes = changelogExcerpt(readFileSync(join(source, 'CHANGELOG.md'), 'utf8'), version);
  if (changes.hasUnreleased)
    report(
      `warning: CHANGELOG.md has entries under "Unreleased", which are not among the changes of ${version}`,
    );
  const files = await buildParts(release, options);
  await describeFiles(release, { files, changes, parts: options.parts });
};

const buildParts = async (
  release: Release,
  { parts, platforms }: BuildOptions,
): Promise<readonly ReleaseFile[]> => {
  const installed = once(async () => {
    await installPackages(release.source);
    release.report('packages of the lockfile installed');
  });
  const compiled = once(async () => {
    await installed();
    await compilePackages(release.source);
    release.report('engine and language server compiled');
  });
  const builders: Readonly<Record<PartName, () => Promise<readonly ReleaseFile[]>>> = {
    npm: () => compiled().then(() => npmPackages(release)),
    vsix: () => installed().then(() => vsix(release)),
    image: () => image(release),
    chart: () => chart(release),
    executables: () => installed().then(() => executables(release, platforms)),
    sbom: () => sbom(release),
  };
  const results = await Promise.allSettled(
    parts.map(async (part) => {
      try {
        return await builders[part]();
      } catch (cause) {
        const message = cause instanceof Error ? cause.message : String(cause);
        // At once: the other parts can take minutes.
        release.report(`${part}: failed: ${message}`);
        throw new Error(`${part} failed`, { cause });
      }
    }),
  );
  const failed = results.filter((result) => result.status === 'rejected');
  if (failed.length > 0) throw new Error(failed.map(({ reason }) => reason.message).join(', '));
  return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
};

/** Runs the work on the first call, and returns the same promise to all callers. */
const once = (work: () => Promise<void>): (() => Promise<void>) => {
  let started: Promise<void> | undefined;
  return () => {
    started ??= work();
    return started;
  };
};

interface Described {
  readonly files: readonly ReleaseFile[];
  readonly changes: ChangelogExcerpt;
  readonly parts: readonly PartName[];
}

const describeFiles = async (
  { out, version, revision, source, report }: Release,
  { files, changes, parts }: Described,
): Promise<void> => {
  const write = (name: string, text: string) => writeFileSync(join(out, name), text);
  const digests = (names: readonly string[]) =>
    Promise.all(names.toSorted().map((name) => digestFile(out, name)));
  const names = files.map(({ name }) => name);
  const subjects = await digests(names);
  const byName = new Map(subjects.map((digest) => [digest.name, digest]));
  const list = files.map((file) => ({ ...file, ...byName.get(file.name) }));
  write('release.json', `${JSON.stringify({ version, revision, files: list }, undefined, 2)}\n`);
  write('CHANGES.md', changes.text);
  const statement = provenanceStatement(subjects, {
    ...{ revision, version, parts, source },
    environment: process.env,
  });
  write('provenance.intoto.json', `${JSON.stringify(statement, undefined, 2)}\n`);
  const all = [...names, 'release.json', 'CHANGES.md', 'provenance.intoto.json'];
  write('SHA256SUMS', checksumsText(await digests(all)));
  report(
    `${all.length + 1} files, ${shownSize(subjects.reduce((sum, { size }) => sum + size, 0))}`,
  );
};

const shownSize = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
