/**
 * The object that contains a nested text, for a name that distinguishes the text from others in the
 * file.
 */
import type { DataNode } from '../yaml/data.ts';
import type { YamlNode } from '../yaml/document.ts';

/** The containing object, and the path from it to the text. */
export interface ContainingObject {
  /** `kube-system/auth`, or the kind if the object has no name. */
  readonly object: string;
  /** `data.auth.yaml` or `write_files[0].content`, for example. */
  readonly path: string;
}

export const fileRoot: ContainingObject = { object: '', path: '' };

/** Returns a name such as `kube-system/auth · auth.yaml`; the `data` of a ConfigMap is omitted. */
export const configurationName = ({ object, path }: ContainingObject): string =>
  [object, path.replace(/^data\./, '')].filter((part) => part !== '').join(' · ');

/** A node of a YAML document, or the data of a JSON text. */
export type TreeNode = YamlNode | DataNode;

/** Enters an object. Objects without a name and a kind are part of the path. */
export const enterObject = (container: ContainingObject, node: TreeNode): ContainingObject => {
  const name = textAt(node, 'metadata', 'name');
  const namespace = textAt(node, 'metadata', 'namespace');
  const object = namespace === '' || name === '' ? name : `${namespace}/${name}`;
  const label = object || textAt(node, 'kind');
  return label === '' ? container : { object: label, path: '' };
};

const textAt = (node: TreeNode, ...names: readonly string[]): string => {
  const member = names.reduce<TreeNode | undefined>(memberOf, node);
  return member?.kind === 'scalar' || member?.kind === 'string' ? member.text : '';
};

const memberOf = (node: TreeNode | undefined, name: string): TreeNode | undefined => {
  if (node?.kind === 'object') return node.byKey.get(name)?.value;
  if (node?.kind !== 'mapping') return undefined;
  return node.entries.find(({ key }) => key.kind === 'scalar' && key.text === name)?.value;
};

export const atKey = ({ object, path }: ContainingObject, key: string): ContainingObject => ({
  object,
  path: path === '' ? key : `${path}.${key}`,
});

export const atIndex = ({ object, path }: ContainingObject, index: number): ContainingObject => ({
  object,
  path: `${path}[${index}]`,
});
