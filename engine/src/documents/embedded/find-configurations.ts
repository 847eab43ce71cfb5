/**
 * Finds the configurations in a file: the whole file, some of its documents, or strings in other
 * objects, such as the value of a ConfigMap or the content of a file that a provisioning tool
 * writes.
 */
import type { SourceFile } from '../../source/source-file.ts';
import type { Span } from '../../source/span.ts';
import type { YamlNode } from '../yaml/document.ts';
import { documentSlices } from '../yaml/document-slices.ts';
import { type ParseOptions, parseDocument } from '../yaml/parse.ts';
import {
  atIndex,
  atKey,
  type ContainingObject,
  configurationName,
  enterObject,
  fileRoot,
  type TreeNode,
} from './containing-object.ts';
import {
  jsonStringText,
  type NestedText,
  scalarText,
  slicedText,
  textWithin,
  wholeText,
} from './nested-text.ts';
import { peekTypeMeta, type TypeMeta } from './type-meta.ts';

/** What is known about a file apart from its text. */
export interface FindOptions {
  /**
   * True if the user declared the file to be a configuration, even if its content does not say so
   * yet.
   */
  readonly isDeclared: boolean;
  /** Further configurations are ignored; `maxConfigurations` if absent. */
  readonly most?: number;
  /** What happens to documents beyond a limit of AuthGraph; they are not searched if absent. */
  readonly limits?: ParseOptions['limits'];
}

/** A configuration in a file. */
export interface EmbeddedConfiguration extends NestedText {
  /** `kube-system/auth · auth.yaml`, for example; absent for a document of its own. */
  readonly name?: string;
  /** The string in which it is, decoded; absent for a document of its own. */
  readonly value?: string;
}

/** Further configurations in a file are ignored. */
const maxConfigurations = 50;

/**
 * Returns the configurations in the order of the text. If the first document is one, the whole file
 * is that configuration, because kube-apiserver reads only the first document.
 */
export const findConfigurations = (
  file: SourceFile,
  { isDeclared, most = maxConfigurations, limits = 'refuse' }: FindOptions,
): readonly EmbeddedConfiguration[] => {
  const { text } = file;
  const configurations = mentionsConfiguration(text) ? searchFile(file, { most, limits }) : [];
  return configurations.length === 0 && isDeclared ? [wholeText(file)] : configurations;
};

/** Rules out most files without parsing them. */
const mentionsConfiguration = (text: string): boolean =>
  text.includes(configurationKind) || text.includes(configurationGroup);

const configurationKind = 'AuthenticationConfiguration';
const configurationGroup = 'apiserver.config.';

const searchFile = (
  file: SourceFile,
  { most, limits }: Required<Pick<FindOptions, 'most' | 'limits'>>,
): readonly EmbeddedConfiguration[] => {
  const { text } = file;
  if (/^\s*\{/.test(text)) {
    return isConfiguration(peekTypeMeta(text))
      ? [wholeText(file)]
      : valuesOf(file, parseDocument(file, { limits }).data).slice(0, most);
  }
  const slices = documentSlices(text);
  const [first] = slices;
  if (first !== undefined && isConfiguration(peekTypeMeta(text.slice(first.start, first.end)))) {
    return [wholeText(file)];
  }
  const configurations: EmbeddedConfiguration[] = [];
  for (const slice of slices) {
    if (configurations.length >= most) break;
    const documentText = text.slice(slice.start, slice.end);
    if (!mentionsConfiguration(documentText)) continue;
    if (isConfiguration(peekTypeMeta(documentText))) configurations.push(slicedText(file, slice));
    else configurations.push(...valuesOfYaml(file, slice, limits));
  }
  return configurations.slice(0, most);
};

/**
 * Recognizes a configuration by group and kind; one of them may be missing or incomplete if the
 * other is unambiguous.
 */
const isConfiguration = ({ apiVersion = '', kind = '' }: TypeMeta): boolean => {
  if (kind === configurationKind) return apiVersion.startsWith('api') || !apiVersion.includes('/');
  if (!apiVersion.startsWith(configurationGroup)) return false;
  return configurationKind.startsWith(kind) || kind.startsWith('Authent');
};

/** Returns the configurations in the strings of a document; positions are those of the file. */
const valuesOfYaml = (
  file: SourceFile,
  slice: Span,
  limits: ParseOptions['limits'],
): readonly EmbeddedConfiguration[] => {
  const document = slicedText(file, slice);
  const { root } = parseDocument(document.source, { limits, as: 'yaml' });
  return valuesOf(document.source, root).map((configuration) => ({
    ...configuration,
    ...textWithin(document, configuration),
  }));
};

const valuesOf = (
  file: SourceFile,
  root: TreeNode | undefined,
): readonly EmbeddedConfiguration[] => {
  const configurations: EmbeddedConfiguration[] = [];
  const walk = (node: TreeNode, container: ContainingObject, depth: number): void => {
    if (depth > searchDepth) return;
    if (node.kind === 'scalar' || node.kind === 'string') {
      if (!mentionsConfiguration(node.text) || !isConfiguration(peekTypeMeta(node.text))) return;
      const nested = node.kind === 'scalar' ? scalarText(file, node) : jsonStringText(file, node);
      configurations.push({ ...nested, name: configurationName(container), value: node.text });
    } else if (node.kind === 'sequence' || node.kind === 'array') {
      for (const [index, item] of node.items.entries())
        walk(item, atIndex(container, index), depth + 1);
    } else if (node.kind === 'mapping' || node.kind === 'object') {
      const here = enterObject(container, node);
      for (const { key, value } of node.entries) walk(value, atKey(here, nameOf(key)), depth + 1);
    }
  };
  if (root !== undefined) walk(root, fileRoot, 0);
  return configurations;
};

const nameOf = (key: YamlNode | string): string => {
  if (typeof key === 'string') return key;
  return key.kind === 'scalar' ? key.text : '';
};

/** Levels of nesting that are searched. */
const searchDepth = 64;
