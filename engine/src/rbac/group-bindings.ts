/**
 * Finds the groups that the bindings in a manifest name, with their places. Unlike the reader of
 * roles it skips other objects, because an editor only links to what it finds.
 */
import type { DataNode, MapData } from '../documents/yaml/data.ts';
import { parseDocument } from '../documents/yaml/parse.ts';
import { sourceFile } from '../source/source-file.ts';
import {
  documentsOf,
  type ManifestDocument,
  maxManifestDocuments,
  roleVersions,
  stringMember,
} from './role-manifests.ts';

/** A group among the subjects of a binding. */
export interface GroupBinding {
  readonly group: string;
  readonly kind: 'ClusterRoleBinding' | 'RoleBinding';
  readonly name: string;
  /** Empty for a ClusterRoleBinding. */
  readonly namespace: string;
  /** The kind and name of the role, such as `ClusterRole view`. */
  readonly role: string;
  /** The line of the group's name in the file, counted from 0. */
  readonly line: number;
  readonly column: number;
}

export interface GroupBindings {
  readonly groups: readonly GroupBinding[];
  /** Whether the manifest contains a binding, also of other subjects. */
  readonly hasBindings: boolean;
  /** False if a part of the manifest cannot be read. */
  readonly isComplete: boolean;
}

export const groupBindings = (text: string): GroupBindings => {
  // Most manifests have no binding.
  if (!text.includes('Binding')) return { groups: [], hasBindings: false, isComplete: true };
  const documents = documentsOf(text);
  const collected: CollectedBindings = { groups: [], bindings: 0 };
  let isComplete = documents.length <= maxManifestDocuments;
  for (const document of documents.slice(0, maxManifestDocuments)) {
    if (document.text.includes('Binding') && !readDocument(document, collected)) isComplete = false;
  }
  return { groups: collected.groups, hasBindings: collected.bindings > 0, isComplete };
};

interface CollectedBindings {
  readonly groups: GroupBinding[];
  bindings: number;
}

/** Returns whether the document can be read. */
const readDocument = (
  { text, offset }: ManifestDocument,
  collected: CollectedBindings,
): boolean => {
  const source = sourceFile('', text);
  const { data, failure } = parseDocument(source);
  if (failure !== undefined) return false;
  for (const node of data === undefined ? [] : objectsIn(data)) {
    readBinding(node, collected, (start) => {
      const { line, column } = source.positionAt(start);
      return { line: offset + line, column };
    });
  }
  return true;
};

/** Returns the object, or the items of a list. */
const objectsIn = (node: DataNode): readonly MapData[] => {
  if (node.kind !== 'object') return [];
  const items = node.byKey.get('items')?.value;
  if (!stringMember(node, 'kind').endsWith('List') || items?.kind !== 'array') return [node];
  return items.items.filter((item) => item.kind === 'object');
};

const readBinding = (
  node: MapData,
  collected: CollectedBindings,
  positionOf: (start: number) => Pick<GroupBinding, 'line' | 'column'>,
): void => {
  const kind = stringMember(node, 'kind');
  if (kind !== 'ClusterRoleBinding' && kind !== 'RoleBinding') return;
  if (!roleVersions.has(stringMember(node, 'apiVersion'))) return;
  collected.bindings += 1;
  const [metadata, roleRef] = [objectMember(node, 'metadata'), objectMember(node, 'roleRef')];
  const binding = {
    kind,
    name: metadata === undefined ? '' : stringMember(metadata, 'name'),
    namespace:
      metadata === undefined || kind === 'ClusterRoleBinding'
        ? ''
        : stringMember(metadata, 'namespace'),
    role:
      roleRef === undefined
        ? ''
        : `${stringMember(roleRef, 'kind')} ${stringMember(roleRef, 'name')}`,
  } as const;
  const subjects = node.byKey.get('subjects')?.value;
  for (const subject of subjects?.kind === 'array' ? subjects.items : []) {
    if (subject.kind !== 'object' || stringMember(subject, 'kind') !== 'Group') continue;
    const name = subject.byKey.get('name')?.value;
    if (name?.kind === 'string')
      collected.groups.push({ group: name.text, ...binding, ...positionOf(name.span.start) });
  }
};

const objectMember = (node: MapData, name: string): MapData | undefined => {
  const value = node.byKey.get(name)?.value;
  return value?.kind === 'object' ? value : undefined;
};
