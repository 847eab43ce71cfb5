/** The version of a release: every file that names it must name the same. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** Returns the version; throws if two files of the tree differ. */
export const releaseVersion = (source: string): string => {
  const read = (path: string): string => readFileSync(join(source, path), 'utf8');
  const { version, workspaces } = JSON.parse(read('package.json'));
  const chart = parse(read('deploy/helm/authgraph/Chart.yaml'));
  const product = /productVersion = '(.*)'/.exec(read('engine/src/model/product-version.ts'));
  const versions: readonly (readonly [string, unknown])[] = [
    ...workspaces.map((folder: string) => {
      const path = `${folder}/package.json`;
      return [path, JSON.parse(read(path)).version];
    }),
    ['version in deploy/helm/authgraph/Chart.yaml', chart.version],
    ['appVersion in deploy/helm/authgraph/Chart.yaml', chart.appVersion],
    ['engine/src/model/product-version.ts', product?.[1]],
  ];
  const different = versions.filter(([, other]) => other !== version);
  if (different.length > 0) {
    const list = different.map(([place, other]) => `${place} (${other})`).join(', ');
    throw new Error(`package.json has version ${version}, but these differ: ${list}`);
  }
  return version;
};
