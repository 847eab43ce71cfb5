/**
 * Finds the configuration files that a file refers to: the values of the flag
 * `--authentication-config` in files of kubeadm, kind, k3s and RKE2. A path on a node is traced
 * back through the mounts in the same file.
 */
import { toFileSpan } from '../../source/position-map.ts';
import { type SourceFile, sourceFile } from '../../source/source-file.ts';
import { type Span, span } from '../../source/span.ts';
import type { DataNode, MapData, StringData } from '../yaml/data.ts';
import type { ScalarNode, YamlNode } from '../yaml/document.ts';
import { documentSlices } from '../yaml/document-slices.ts';
import { parseDocument } from '../yaml/parse.ts';
import { scalarText } from './nested-text.ts';

/** A file that is referenced by its path. */
export interface ReferencedFile {
  /** Position of the path. */
  readonly span: Span;
  /** The path outside of all mounts: relative to the file, or absolute on the host. */
  readonly path: string;
  /** Position of the file's content, if the same text contains it. */
  readonly content: Span | undefined;
}

const maxReferences = 50;
const searchDepth = 64;

/** Returns the referenced files; none if the text does not contain the flag. */
export const referencedFiles = (file: SourceFile): readonly ReferencedFile[] => {
  if (!file.text.includes(flag)) return [];
  const collected: Collected = {
    paths: [],
    mounts: [],
    volumes: new Map(),
    volumeMounts: [],
    contents: new Map(),
  };
  for (const slice of documentSlices(file.text)) {
    const own = file.text.slice(slice.start, slice.end);
    searchText(
      own,
      { toFile: ({ start, end }) => span(start + slice.start, end + slice.start), collected },
      0,
    );
  }
  return collected.paths.slice(0, maxReferences).map(({ path, span: where }) => {
    const paths = resolveMounts(path, mountsOf(collected));
    const content = paths.flatMap((step) => collected.contents.get(step) ?? [])[0];
    return { span: where, path: paths.at(-1) ?? path, content };
  });
};

const flag = 'authentication-config';

interface Mount {
  /** The path inside of the container. */
  readonly containerPath: string;
  readonly hostPath: string;
}

/** Collected over all documents: kind has the flag in a string of the file that has the mount. */
interface Collected {
  readonly paths: Pick<ReferencedFile, 'path' | 'span'>[];
  readonly mounts: Mount[];
  /** Paths of a pod's host volumes by name. */
  readonly volumes: Map<string, string>;
  readonly volumeMounts: { readonly name: string; readonly containerPath: string }[];
  readonly contents: Map<string, Span>;
}

interface SearchContext {
  readonly toFile: (own: Span) => Span;
  readonly collected: Collected;
}

const searchText = (text: string, context: SearchContext, level: number): void => {
  const source = sourceFile('', text);
  const { root, data } = parseDocument(source, { limits: 'refuse' });
  if (data !== undefined) readData(data, context, 0);
  // A kind file contains a kubeadm configuration as a string.
  if (root === undefined || level > 0) return;
  for (const node of nestedScalarsOf(root, 0)) {
    const nested = scalarText(source, node);
    const toFile = (own: Span): Span => context.toFile(nested.toFile(own));
    searchText(nested.source.text, { ...context, toFile }, level + 1);
  }
};

const nestedScalarsOf = (node: YamlNode, depth: number): readonly ScalarNode[] => {
  if (depth > searchDepth) return [];
  switch (node.kind) {
    case 'scalar':
      return node.text.includes(flag) && node.text.includes('\n') ? [node] : [];
    case 'sequence':
      return node.items.flatMap((item) => nestedScalarsOf(item, depth + 1));
    case 'mapping':
      return node.entries.flatMap(({ value }) => nestedScalarsOf(value, depth + 1));
    case 'alias':
      return [];
  }
};

const readData = (data: DataNode, context: SearchContext, depth: number): void => {
  if (depth > searchDepth) return;
  if (data.kind === 'string') readArgument(data, context);
  else if (data.kind === 'array') {
    for (const item of data.items) readData(item, context, depth + 1);
  } else if (data.kind === 'object') {
    readMap(data, context);
    for (const { value } of data.byKey.values()) readData(value, context, depth + 1);
  }
};

/** Reads `--authentication-config=/etc/auth.yaml`, without dashes for k3s and RKE2. */
const readArgument = (data: StringData, { toFile, collected }: SearchContext): void => {
  const [, start = '', path = ''] =
    /^((?:--)?authentication-config=)([^\r\n]+)$/.exec(data.text) ?? [];
  if (path === '') return;
  const own = toFileSpan(data.map, span(start.length, data.text.length));
  collected.paths.push({ path, span: toFile(own) });
};

const readMap = (data: MapData, { toFile, collected }: SearchContext): void => {
  const at = (name: string): StringData | undefined => {
    const value = data.byKey.get(name)?.value;
    return value?.kind === 'string' ? value : undefined;
  };
  const flagValue = at(flag) ?? (at('name')?.text === flag ? at('value') : undefined);
  if (flagValue !== undefined) {
    const own = toFileSpan(flagValue.map, span(0, flagValue.text.length));
    collected.paths.push({ path: flagValue.text, span: toFile(own) });
  }

  const [name, hostPath, mountPath] = [at('name'), at('hostPath'), at('mountPath')];
  const inside = mountPath ?? at('containerPath');
  if (hostPath !== undefined && inside !== undefined) {
    collected.mounts.push({ containerPath: inside.text, hostPath: hostPath.text });
  } else if (name !== undefined && mountPath !== undefined) {
    collected.volumeMounts.push({ name: name.text, containerPath: mountPath.text });
  }
  const volume = data.byKey.get('hostPath')?.value;
  const volumePath = volume?.kind === 'object' ? volume.byKey.get('path')?.value : undefined;
  if (name !== undefined && volumePath?.kind === 'string') {
    collected.volumes.set(name.text, volumePath.text);
  }
  collected.mounts.push(...extraMounts(data));

  const [path, content] = [at('path'), at('content')];
  if (path !== undefined && content !== undefined) {
    collected.contents.set(path.text, toFile(content.span));
  }
};

/** Reads mounts of RKE2: `/on/the/node:/in/the/container:ro`. */
const extraMounts = (data: MapData): readonly Mount[] => {
  const value = data.byKey.get('kube-apiserver-extra-mount')?.value;
  const items = value?.kind === 'array' ? value.items : value === undefined ? [] : [value];
  return items.flatMap((item) => {
    const [hostPath = '', containerPath = ''] = item.kind === 'string' ? item.text.split(':') : [];
    return hostPath === '' || containerPath === '' ? [] : [{ containerPath, hostPath }];
  });
};

const mountsOf = ({ mounts, volumes, volumeMounts }: Collected): readonly Mount[] => [
  ...mounts,
  ...volumeMounts.flatMap(({ name, containerPath }) => {
    const hostPath = volumes.get(name);
    return hostPath === undefined ? [] : [{ containerPath, hostPath }];
  }),
];

/** Returns the path and its equivalents outside of each mount; every mount is resolved once. */
const resolveMounts = (path: string, mounts: readonly Mount[]): readonly string[] => {
  const fitting = mounts
    .filter(
      ({ containerPath }) =>
        path === containerPath || path.startsWith(`${containerPath.replace(/\/$/, '')}/`),
    )
    .sort((a, b) => b.containerPath.length - a.containerPath.length);
  const [mount] = fitting;
  if (mount === undefined) return [path];
  const outer =
    mount.hostPath.replace(/\/$/, '') + path.slice(mount.containerPath.replace(/\/$/, '').length);
  const others = mounts.filter((other) => other !== mount);
  return [path, ...resolveMounts(outer, others)];
};
