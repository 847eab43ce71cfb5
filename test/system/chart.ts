/** Renders the chart with helm, and reads what was rendered. */
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { helmProgram } from '../../deploy/go-programs/helm-program.ts';
import { type Ran, runProgram } from '../support/serve-process.ts';

export const deployFolder = join(import.meta.dirname, '../../deploy');
export const chartFolder = join(deployFolder, 'helm/authgraph');

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  // biome-ignore lint/suspicious/noExplicitAny: manifests of many kinds, whose fields the cluster validates.
  readonly [field: string]: any;
}

/** Runs helm with a home of its own. */
export const helm = (folder: string, ...args: readonly string[]): Promise<Ran> =>
  runProgram(helmProgram(), args, { folder });

/** Returns the rendered manifests; throws with helm's error. */
export const render = async (folder: string, ...args: readonly string[]): Promise<string> => {
  const all = ['template', 'authgraph', chartFolder, '--namespace=auth', ...args];
  const { code, stdout, stderr } = await helm(folder, ...all);
  if (code !== 0) throw new Error(stderr);
  return stdout;
};

export const objectsIn = (manifests: string): readonly KubernetesObject[] =>
  parseAllDocuments(manifests)
    .map((document) => document.toJS())
    .filter((object) => object !== null);

/** Returns the only object of a kind with this end of its name; throws if there is none. */
export const find = (
  objects: readonly KubernetesObject[],
  kind: string,
  suffix = '',
): KubernetesObject => {
  const found = objects.find(
    (object) => object.kind === kind && object.metadata.name === `authgraph${suffix}`,
  );
  if (found === undefined) throw new Error(`no ${kind} authgraph${suffix}`);
  return found;
};
