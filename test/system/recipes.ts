/** What the recipes for kubeadm, kind and k3s pass to kube-apiserver. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { deployFolder } from './chart.ts';

export const recipes = ['kubeadm', 'kind', 'k3s'] as const;

/** The directory of the files on a node, in every recipe. */
export const nodeDirectory = '/etc/kubernetes/authgraph';

interface ExtraArg {
  readonly name: string;
  readonly value: string;
}

interface ApiServerSection {
  /** A list in v1beta4 of kubeadm's API, a map before. */
  readonly extraArgs: readonly ExtraArg[] | Readonly<Record<string, string>>;
  readonly extraVolumes: readonly { readonly mountPath: string }[];
}

export interface Recipe {
  /** Flags of kube-apiserver. */
  readonly flags: readonly string[];
  /** Directories of the node that kube-apiserver can read. */
  readonly directories: readonly string[];
}

/** Reads a recipe; a recipe for several versions of kubeadm's API has an item for each. */
export const recipesOf = (name: (typeof recipes)[number]): readonly Recipe[] => {
  const file = name === 'k3s' ? 'config.yaml' : 'cluster.yaml';
  const recipe = parse(readFileSync(join(deployFolder, name, file), 'utf8'));
  if (name === 'k3s') {
    const args: readonly string[] = recipe['kube-apiserver-arg'];
    return [{ flags: args.map((flag) => `--${flag}`), directories: ['/'] }];
  }
  const configurations =
    name === 'kubeadm'
      ? [recipe]
      : recipe.nodes[0].kubeadmConfigPatches.map((patch: string) => parse(patch));
  return configurations.map(({ apiServer }: { readonly apiServer: ApiServerSection }) => ({
    flags: argumentsOf(apiServer.extraArgs).map(({ name: flag, value }) => `--${flag}=${value}`),
    directories: apiServer.extraVolumes.map(({ mountPath }) => mountPath),
  }));
};

const argumentsOf = (extraArgs: ApiServerSection['extraArgs']): readonly ExtraArg[] =>
  Array.isArray(extraArgs)
    ? extraArgs
    : Object.entries(extraArgs).map(([name, value]) => ({ name, value }));
