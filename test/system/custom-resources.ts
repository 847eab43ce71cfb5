/** The CustomResourceDefinitions of the operators that the chart supports, from their Go modules. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Module {
  readonly path: string;
  readonly version: string;
  /** Digest of the content, as in a go.sum. */
  readonly sum: string;
  readonly folder: string;
  /** Matches the files of the kinds that the chart has. */
  readonly files: RegExp;
}

const modules: readonly Module[] = [
  {
    path: 'github.com/prometheus-operator/prometheus-operator',
    version: 'v0.85.0',
    sum: 'h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s=',
    folder: 'example/prometheus-operator-crd',
    files: /_(?:servicemonitors|prometheusrules)\.yaml$/,
  },
  {
    path: 'github.com/cert-manager/cert-manager',
    version: 'v1.21.2',
    sum: 'h1:UWgoYM+KLNtRlqmoWOKjKBOBUPVHeepQ6/ac3ERJW68=',
    folder: 'deploy/crds',
    files: /(?:_|-)(?:certificates|issuers)\.yaml$/,
  },
];

/** Downloads the modules if they are not in the module cache; returns the manifests of the definitions. */
export const customResourceDefinitions = (): readonly string[] =>
  modules.flatMap(({ path, version, sum, folder, files }) => {
    const printed = execFileSync('go', ['mod', 'download', '-json', `${path}@${version}`], {
      cwd: tmpdir(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const { Dir: place, Sum: found } = JSON.parse(printed);
    if (found !== sum) throw new Error(`${path}@${version} has the digest ${found}`);
    return readdirSync(join(place, folder))
      .filter((name) => files.test(name))
      .map((name) => readFileSync(join(place, folder, name), 'utf8'));
  });
