/** What stands around a text inside of an object, for a name that tells it from its neighbours. */
import type { DataNode } from '../yaml/data.ts';
import type { YamlNode } from '../yaml/document.ts';

/** The object, and the way from it to the text. */
export interface Around {
  /** `kube-system/auth`; the kind where it has no name. */
  readonly object: string;
  /** `data.auth.yaml`, `write_files[0].content`. */
  readonly path: string;
}

export const outermost: Around = { object: '', path: '' };

/** `kube-system/auth · auth.yaml`: what everybody knows of a ConfigMap is left out. */
export const aroundName = ({ object, path }: Around): string =>
  [object, path.replace(/^data\./, '')].filter((part) => part !== '').join(' · ');

export const inYaml = (around: Around, node: YamlNode): Around =>
  inObject(around, (...names) => {
    const found = names.reduce<YamlNode | undefined>(
      (at, name) =>
        at?.kind === 'mapping'
          ? at.entries.find(({ key }) => key.kind === 'scalar' && key.text === name)?.value
          : undefined,
      node,
    );
    return found?.kind === 'scalar' ? found.text : '';
  });

export const inJson = (around: Around, node: DataNode): Around =>
  inObject(around, (...names) => {
    const found = names.reduce<DataNode | undefined>(
      (at, name) => (at?.kind === 'object' ? at.byKey.get(name)?.value : undefined),
      node,
    );
    return found?.kind === 'string' ? found.text : '';
  });

export const atKey = ({ object, path }: Around, key: string): Around => ({
  object,
  path: path === '' ? key : `${path}.${key}`,
});

export const atIndex = ({ object, path }: Around, index: number): Around => ({
  object,
  path: `${path}[${index}]`,
});

/** The nearest one that says what it is; others are on the way. */
const inObject = (around: Around, textAt: (...names: readonly string[]) => string): Around => {
  const name = textAt('metadata', 'name');
  const namespace = textAt('metadata', 'namespace');
  const object = namespace === '' || name === '' ? name : `${namespace}/${name}`;
  const known = object || textAt('kind');
  return known === '' ? around : { object: known, path: '' };
};
