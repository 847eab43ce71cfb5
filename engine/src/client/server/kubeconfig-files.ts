/**
 * Loads the kubeconfig as kubectl does: the file of `--kubeconfig`, or all files of `$KUBECONFIG`
 * together, or `~/.kube/config`. If several files define a name, the first one wins.
 */
import { devNull } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import {
  type FileContents,
  type Kubeconfig,
  readKubeconfig,
} from '../../documents/kubeconfig/kubeconfig.ts';
import { readSnapshot } from '../../node/files.ts';

/** Reads an environment variable. */
export type ReadVariable = (name: string) => string | undefined;

export type KubeconfigLoading =
  | { readonly kind: 'kubeconfig'; readonly kubeconfig: Kubeconfig }
  /** The message is client-go's. */
  | { readonly kind: 'error'; readonly message: string };

const maxKubeconfigBytes = 1024 * 1024;

/** Returns the files in order of precedence. An explicit file is the only one. */
export const kubeconfigPaths = (explicit: string, variable: ReadVariable): readonly string[] => {
  if (explicit !== '') return [explicit];
  const list = (variable('KUBECONFIG') ?? '').split(delimiter).filter((path) => path !== '');
  if (list.length > 0) return [...new Set(list)];
  const home = variable('HOME') ?? variable('USERPROFILE') ?? '';
  return home === '' ? [] : [join(home, '.kube', 'config')];
};

/** Reads and merges the files. Only an explicit file has to exist. */
export const loadKubeconfig = async (
  explicit: string,
  variable: ReadVariable,
): Promise<KubeconfigLoading> => {
  const read: Kubeconfig[] = [];
  const errors: string[] = [];
  for (const path of kubeconfigPaths(explicit, variable)) {
    const contents = await readFile(path);
    if (explicit === '' && contents.kind === 'unreadable' && isMissingReason(contents.reason))
      continue;
    const reading = readKubeconfig({ path, directory: dirname(resolve(path)), contents });
    if (reading.kind === 'error') errors.push(reading.message);
    else read.push(reading.kubeconfig);
  }
  const [first] = errors;
  if (first === undefined) return { kind: 'kubeconfig', kubeconfig: merge(read) };
  return { kind: 'error', message: errors.length === 1 ? first : `[${errors.join(', ')}]` };
};

/** The empty device is how users run a command without their kubeconfig. */
const readFile = async (path: string): Promise<FileContents> =>
  path === devNull
    ? { kind: 'read', bytes: new Uint8Array() }
    : readSnapshot(path, { maxBytes: maxKubeconfigBytes });

const isMissingReason = (reason: string): boolean => reason.endsWith('no such file or directory');

const merge = (kubeconfigs: readonly Kubeconfig[]): Kubeconfig => ({
  clusters: firstOfEach(kubeconfigs.map(({ clusters }) => clusters)),
  users: firstOfEach(kubeconfigs.map(({ users }) => users)),
  contexts: firstOfEach(kubeconfigs.map(({ contexts }) => contexts)),
  currentContext:
    kubeconfigs.map(({ currentContext }) => currentContext).find((name) => name !== '') ?? '',
});

const firstOfEach = <Value>(
  maps: readonly ReadonlyMap<string, Value>[],
): ReadonlyMap<string, Value> => new Map(maps.toReversed().flatMap((map) => [...map]));
