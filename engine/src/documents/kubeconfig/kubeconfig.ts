/**
 * Reads kubeconfig files like client-go: unknown fields are ignored, wrong types are rejected,
 * names must be unique, and paths are relative to the file. The result contains secrets; nothing
 * here prints it.
 */

import { goQuote } from '../../formats/go-quote.ts';
import { decodeObject, type Fields } from '../../formats/go-struct/decode.ts';
import { listField, mapField, stringField } from '../../formats/go-struct/fields.ts';
import { notRegistered, readTypeMeta } from '../../formats/go-struct/type-meta.ts';
import type { PlainValue } from '../../formats/json-with-positions.ts';
import { readPlainYaml } from '../yaml/plain-value.ts';
import { kubeconfigShape } from './kubeconfig-shape.ts';
import { cleanPath } from './server-address.ts';

export interface KubeconfigSource {
  /** The path as it was specified, which messages print. */
  readonly path: string;
  /** The absolute directory of the file, which its paths are relative to. */
  readonly directory: string;
  readonly contents: FileContents;
}

/** The content of a file, or why it could not be read: `open /etc/x: no such file or directory`. */
export type FileContents =
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  | { readonly kind: 'unreadable'; readonly reason: string };

export interface Kubeconfig {
  readonly clusters: ReadonlyMap<string, Fields>;
  readonly users: ReadonlyMap<string, Fields>;
  readonly contexts: ReadonlyMap<string, Fields>;
  readonly currentContext: string;
}

export type KubeconfigReading =
  | { readonly kind: 'kubeconfig'; readonly kubeconfig: Kubeconfig }
  /** The message is kube-apiserver's. */
  | { readonly kind: 'error'; readonly message: string };

/** Levels of nesting in an untrusted file. */
const maxDepth = 64;

export const readKubeconfig = (source: KubeconfigSource): KubeconfigReading => {
  const { path, contents } = source;
  if (contents.kind === 'unreadable') {
    // A missing file is detected before it is opened.
    const missing = /^open (.*: no such file or directory)$/s.exec(contents.reason)?.[1];
    if (missing !== undefined) return { kind: 'error', message: `stat ${missing}` };
    return loadError(path, contents.reason);
  }
  if (contents.bytes.length === 0) return { kind: 'kubeconfig', kubeconfig: emptyKubeconfig };
  const plain = readPlainYaml(contents.bytes, { depth: maxDepth });
  if (plain.kind === 'error') return loadError(path, plain.message);
  const wrongKind = kindProblem(plain.value);
  if (wrongKind !== undefined) return loadError(path, wrongKind);
  const decoded = decodeObject(plain.value, kubeconfigShape);
  if (decoded.kind === 'error') return loadError(path, decoded.message);
  return toKubeconfig(source, decoded.fields);
};

const emptyKubeconfig: Kubeconfig = {
  clusters: new Map(),
  users: new Map(),
  contexts: new Map(),
  currentContext: '',
};

const loadError = (path: string, problem: string): KubeconfigReading => ({
  kind: 'error',
  message: `error loading config file "${path}": ${problem}`,
});

const kindProblem = (value: PlainValue): string | undefined => {
  const typeMeta = readTypeMeta(value);
  if (typeMeta.kind === 'error') return typeMeta.message;
  const { apiVersion, objectKind } = typeMeta;
  const kind = objectKind === '' ? 'Config' : objectKind;
  const version = apiVersion === '' || apiVersion === '/' ? 'v1' : apiVersion.replace(/^\//, '');
  if (kind === 'Config' && version === 'v1') return undefined;
  return notRegistered(kind, version);
};

const toKubeconfig = (source: KubeconfigSource, fields: Fields): KubeconfigReading => {
  const clusters = decodeNamedList(fields, 'cluster', 'Cluster');
  const users = decodeNamedList(fields, 'user', 'AuthInfo');
  const contexts = decodeNamedList(fields, 'context', 'Context');
  if (typeof clusters === 'string') return loadError(source.path, clusters);
  if (typeof users === 'string') return loadError(source.path, users);
  if (typeof contexts === 'string') return loadError(source.path, contexts);
  const { directory } = source;
  return {
    kind: 'kubeconfig',
    kubeconfig: {
      clusters: withAbsolutePaths(clusters, ['certificate-authority'], directory),
      users: withAbsolutePlugins(
        withAbsolutePaths(users, ['client-certificate', 'client-key', 'tokenFile'], directory),
        directory,
      ),
      contexts,
      currentContext: stringField(fields, 'current-context'),
    },
  };
};

/**
 * Returns the error as a string. kube-apiserver prints the whole list after it, including its
 * secrets.
 */
const decodeNamedList = (
  fields: Fields,
  member: string,
  goType: string,
): ReadonlyMap<string, Fields> | string => {
  const entries = new Map<string, Fields>();
  for (const item of listField(fields, `${member}s`)) {
    if (!(item instanceof Map)) continue;
    const name = stringField(item, 'name');
    if (entries.has(name)) {
      return `error converting *[]Named${goType} into *map[string]*api.${goType}: duplicate name ${goQuote(name)} in list`;
    }
    entries.set(name, mapField(item, member));
  }
  return entries;
};

const withAbsolutePaths = (
  entries: ReadonlyMap<string, Fields>,
  names: readonly string[],
  directory: string,
): ReadonlyMap<string, Fields> =>
  new Map(
    Array.from(entries, ([name, fields]) => {
      const absolute = new Map(fields);
      for (const field of names) {
        const path = stringField(fields, field);
        if (path !== '') absolute.set(field, absolutePath(directory, path));
      }
      return [name, absolute];
    }),
  );

/** Resolves commands of credential plugins, except for names that are searched in $PATH. */
const withAbsolutePlugins = (
  users: ReadonlyMap<string, Fields>,
  directory: string,
): ReadonlyMap<string, Fields> =>
  new Map(
    Array.from(users, ([name, user]) => {
      const exec = mapField(user, 'exec');
      const command = stringField(exec, 'command');
      if (!command.includes('/')) return [name, user];
      const absolute = new Map(exec).set('command', absolutePath(directory, command));
      return [name, new Map(user).set('exec', absolute)];
    }),
  );

/**
 * Returns an absolute path as it is; resolves other paths from the directory, without `.` and `..`.
 */
const absolutePath = (directory: string, path: string): string =>
  path.startsWith('/') ? path : cleanPath(`${directory}/${path}`);
