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

export const enterYamlNode = (container: ContainingObject, node: YamlNode): ContainingObject =>
  enterObject(container, (...names) => {
    const found = names.reduce<YamlNode | undefined>(
      (at, name) =>
        at?.kind === 'mapping'
          ? at.entries.find(({ key }) => key.kind === 'scalar' && key.text === name)?.value
          : undefined,
      node,
    );
    return found?.kind === 'scalar' ? found.text : '';
  });

export const enterJsonNode = (container: ContainingObject, node: DataNode): ContainingObject =>
  enterObject(container, (...names) => {
    const found = names.reduce<DataNode | undefined>(
      (at, name) => (at?.kind === 'object' ? at.byKey.get(name)?.value : undefined),
      node,
    );
    return found?.kind === 'string' ? found.text : '';
  });

export const atKey = ({ object, path }: ContainingObject, key: string): ContainingObject => ({
  object,
  path: path === '' ? key : `${path}.${key}`,
});

export const atIndex = ({ object, path }: ContainingObject, index: number): ContainingObject => ({
  object,
  path: `${path}[${index}]`,
});

/** Enters an object. Objects without a name and a kind are part of the path. */
const enterObject = (
  container: ContainingObject,
  textAt: (...names: readonly string[]) => string,
): ContainingObject => {
  const name = textAt('metadata', 'name');
  const namespace = textAt('metadata', 'namespace');
  const object = namespace === '' || name === '' ? name : `${namespace}/${name}`;
  const label = object || textAt('kind');
  return label === '' ? container : { object: label, path: '' };
};
