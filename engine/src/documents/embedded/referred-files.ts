/**
 * Files that hold a configuration for the file at hand: what kubeadm, kind, k3s and RKE2 files give to
 * the flag `--authentication-config`. A path on a node is followed back through the mounts that stand
 * in the same file.
 */
import { toFileSpan } from '../../source/position-map.ts';
import { type SourceFile, sourceFile } from '../../source/source-file.ts';
import { type Span, span } from '../../source/span.ts';
import type { DataNode, MapData, TextData } from '../yaml/data.ts';
import type { ScalarNode, YamlNode } from '../yaml/document.ts';
import { documentSlices } from '../yaml/document-slices.ts';
import { parseDocument } from '../yaml/parse.ts';
import { scalarText } from './nested-text.ts';

/** A file that a text names by its path. */
export interface ReferredFile {
  /** Where the path stands. */
  readonly span: Span;
  /** As it is for the reader of this file: relative to it, or absolute on its machine. */
  readonly path: string;
  /** Where the same file is written out in this very text. */
  readonly content: Span | undefined;
}

const mostFound = 50;
const deepest = 64;

/** None for files that do not name the flag. */
export const referredFiles = (file: SourceFile): readonly ReferredFile[] => {
  if (!file.text.includes(flag)) return [];
  const seen: Seen = {
    paths: [],
    mounts: [],
    volumes: new Map(),
    volumeMounts: [],
    contents: new Map(),
  };
  for (const slice of documentSlices(file.text)) {
    const own = file.text.slice(slice.start, slice.end);
    look(
      own,
      { toFile: ({ start, end }) => span(start + slice.start, end + slice.start), seen },
      0,
    );
  }
  return seen.paths.slice(0, mostFound).map(({ path, span: where }) => {
    const stations = throughMounts(path, mountsOf(seen));
    const content = stations.flatMap((station) => seen.contents.get(station) ?? [])[0];
    return { span: where, path: stations.at(-1) ?? path, content };
  });
};

const flag = 'authentication-config';

interface Mount {
  /** As it is seen inside. */
  readonly inside: string;
  readonly outside: string;
}

/** Gathered over all documents: kind keeps the flag in a text inside of the file with the mount. */
interface Seen {
  readonly paths: Pick<ReferredFile, 'path' | 'span'>[];
  readonly mounts: Mount[];
  /** Paths on the node of a pod's volumes, by name. */
  readonly volumes: Map<string, string>;
  readonly volumeMounts: { readonly name: string; readonly inside: string }[];
  readonly contents: Map<string, Span>;
}

interface Looking {
  readonly toFile: (own: Span) => Span;
  readonly seen: Seen;
}

const look = (text: string, looking: Looking, level: number): void => {
  const source = sourceFile('', text);
  const { root, data } = parseDocument(source, { limits: 'refuse' });
  if (data !== undefined) readData(data, looking, 0);
  // A kubeadm configuration stands as a text in that of kind.
  if (root === undefined || level > 0) return;
  for (const node of textsOf(root, 0)) {
    const nested = scalarText(source, node);
    const toFile = (own: Span): Span => looking.toFile(nested.toFile(own));
    look(nested.source.text, { ...looking, toFile }, level + 1);
  }
};

const textsOf = (node: YamlNode, depth: number): readonly ScalarNode[] => {
  if (depth > deepest) return [];
  switch (node.kind) {
    case 'scalar':
      return node.text.includes(flag) && node.text.includes('\n') ? [node] : [];
    case 'sequence':
      return node.items.flatMap((item) => textsOf(item, depth + 1));
    case 'mapping':
      return node.entries.flatMap(({ value }) => textsOf(value, depth + 1));
    case 'alias':
      return [];
  }
};

const readData = (data: DataNode, looking: Looking, depth: number): void => {
  if (depth > deepest) return;
  if (data.kind === 'string') readArgument(data, looking);
  else if (data.kind === 'array') {
    for (const item of data.items) readData(item, looking, depth + 1);
  } else if (data.kind === 'object') {
    readMap(data, looking);
    for (const { value } of data.byKey.values()) readData(value, looking, depth + 1);
  }
};

/** `--authentication-config=/etc/auth.yaml`, without dashes for k3s and RKE2. */
const readArgument = (data: TextData, { toFile, seen }: Looking): void => {
  const [, start = '', path = ''] =
    /^((?:--)?authentication-config=)([^\r\n]+)$/.exec(data.text) ?? [];
  if (path === '') return;
  const own = toFileSpan(data.map, span(start.length, data.text.length));
  seen.paths.push({ path, span: toFile(own) });
};

const readMap = (data: MapData, { toFile, seen }: Looking): void => {
  const at = (name: string): TextData | undefined => {
    const value = data.byKey.get(name)?.value;
    return value?.kind === 'string' ? value : undefined;
  };
  const told = at(flag) ?? (at('name')?.text === flag ? at('value') : undefined);
  if (told !== undefined) {
    const own = toFileSpan(told.map, span(0, told.text.length));
    seen.paths.push({ path: told.text, span: toFile(own) });
  }

  const [name, hostPath, mountPath] = [at('name'), at('hostPath'), at('mountPath')];
  const inside = mountPath ?? at('containerPath');
  if (hostPath !== undefined && inside !== undefined) {
    seen.mounts.push({ inside: inside.text, outside: hostPath.text });
  } else if (name !== undefined && mountPath !== undefined) {
    seen.volumeMounts.push({ name: name.text, inside: mountPath.text });
  }
  const volume = data.byKey.get('hostPath')?.value;
  const volumePath = volume?.kind === 'object' ? volume.byKey.get('path')?.value : undefined;
  if (name !== undefined && volumePath?.kind === 'string') {
    seen.volumes.set(name.text, volumePath.text);
  }
  seen.mounts.push(...extraMounts(data));

  const [path, content] = [at('path'), at('content')];
  if (path !== undefined && content !== undefined) {
    seen.contents.set(path.text, toFile(content.span));
  }
};

/** RKE2: `/on/the/node:/in/the/container:ro`. */
const extraMounts = (data: MapData): readonly Mount[] => {
  const value = data.byKey.get('kube-apiserver-extra-mount')?.value;
  const items = value?.kind === 'array' ? value.items : value === undefined ? [] : [value];
  return items.flatMap((item) => {
    const [outside = '', inside = ''] = item.kind === 'string' ? item.text.split(':') : [];
    return outside === '' || inside === '' ? [] : [{ inside, outside }];
  });
};

const mountsOf = ({ mounts, volumes, volumeMounts }: Seen): readonly Mount[] => [
  ...mounts,
  ...volumeMounts.flatMap(({ name, inside }) => {
    const outside = volumes.get(name);
    return outside === undefined ? [] : [{ inside, outside }];
  }),
];

/** The path and what it is called one level further out, and so on; each mount is passed once. */
const throughMounts = (path: string, mounts: readonly Mount[]): readonly string[] => {
  const fitting = mounts
    .filter(({ inside }) => path === inside || path.startsWith(`${inside.replace(/\/$/, '')}/`))
    .sort((a, b) => b.inside.length - a.inside.length);
  const [mount] = fitting;
  if (mount === undefined) return [path];
  const outer =
    mount.outside.replace(/\/$/, '') + path.slice(mount.inside.replace(/\/$/, '').length);
  const others = mounts.filter((other) => other !== mount);
  return [path, ...throughMounts(outer, others)];
};
