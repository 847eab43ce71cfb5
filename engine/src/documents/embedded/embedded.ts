/**
 * Where configurations stand in a file: the whole file, some of its documents, or texts inside of
 * other objects: the value of a ConfigMap, the content of a file that a cluster tool writes.
 */
import type { SourceFile } from '../../source/source-file.ts';
import type { DataNode } from '../yaml/data.ts';
import type { YamlNode } from '../yaml/document.ts';
import { documentSlices } from '../yaml/document-slices.ts';
import { parseDocument } from '../yaml/parse.ts';
import {
  type Around,
  aroundName,
  atIndex,
  atKey,
  inJson,
  inYaml,
  outermost,
} from './containing-object.ts';
import {
  jsonStringText,
  type NestedText,
  scalarText,
  slicedText,
  wholeText,
} from './nested-text.ts';
import { type ObjectHead, objectHead } from './object-head.ts';

/** What is known of a file beside its text. */
export interface FindOptions {
  /** Somebody says that the file is a configuration: it is one even while it does not say so. */
  readonly expected: boolean;
}

/** A configuration in a file. */
export interface FoundConfiguration extends NestedText {
  /** `kube-system/auth · auth.yaml`; absent where it is a document of its own. */
  readonly name?: string;
}

/** More in one file are not looked for. */
const mostConfigurations = 50;

/**
 * In the order of the text. Where the first document is a configuration the whole file is it, as for
 * the real loader, which reads no further.
 */
export const findConfigurations = (
  file: SourceFile,
  { expected }: FindOptions,
): readonly FoundConfiguration[] => {
  const { text } = file;
  const found = mentions(text) ? search(file) : [];
  return found.length === 0 && expected ? [wholeText(file)] : found;
};

/** Most files end here. */
const mentions = (text: string): boolean =>
  text.includes(configurationKind) || text.includes(configurationGroup);

const configurationKind = 'AuthenticationConfiguration';
const configurationGroup = 'apiserver.config.';

const search = (file: SourceFile): readonly FoundConfiguration[] => {
  const { text } = file;
  if (/^\s*\{/.test(text)) {
    return isConfiguration(objectHead(text)) ? [wholeText(file)] : valuesOfJson(file);
  }
  const slices = documentSlices(text);
  const [first] = slices;
  if (first !== undefined && isConfiguration(objectHead(text.slice(first.start, first.end)))) {
    return [wholeText(file)];
  }
  const found: FoundConfiguration[] = [];
  for (const slice of slices) {
    if (found.length >= mostConfigurations) break;
    const own = text.slice(slice.start, slice.end);
    if (!mentions(own)) continue;
    if (isConfiguration(objectHead(own))) found.push(slicedText(file, slice));
    else found.push(...valuesOfYaml(file, slice.start, own));
  }
  return found.slice(0, mostConfigurations);
};

/**
 * By group and kind; one of them may be missing or half-written, as long as the other leaves no doubt.
 */
const isConfiguration = ({ apiVersion = '', kind = '' }: ObjectHead): boolean => {
  if (kind === configurationKind) return apiVersion.startsWith('api') || !apiVersion.includes('/');
  if (!apiVersion.startsWith(configurationGroup)) return false;
  return configurationKind.startsWith(kind) || kind.startsWith('Authent');
};

/** The texts of one document; places are those of the file. */
const valuesOfYaml = (
  file: SourceFile,
  start: number,
  own: string,
): readonly FoundConfiguration[] => {
  // What stands before becomes white space, so that the offsets are those of the file.
  const padded = {
    ...file,
    text: ' '.repeat(Math.max(0, start - 1)) + (start > 0 ? '\n' : '') + own,
  };
  const { root } = parseDocument(padded, { limits: 'refuse', as: 'yaml' });
  const found: FoundConfiguration[] = [];
  const walk = (node: YamlNode, around: Around, depth: number): void => {
    if (depth > deepest) return;
    if (node.kind === 'scalar') {
      if (mentions(node.text) && isConfiguration(objectHead(node.text))) {
        found.push({ ...scalarText(file, node), name: aroundName(around) });
      }
    } else if (node.kind === 'sequence') {
      for (const [index, item] of node.items.entries())
        walk(item, atIndex(around, index), depth + 1);
    } else if (node.kind === 'mapping') {
      const here = inYaml(around, node);
      for (const { key, value } of node.entries) {
        walk(value, atKey(here, key.kind === 'scalar' ? key.text : ''), depth + 1);
      }
    }
  };
  if (root !== undefined) walk(root, outermost, 0);
  return found;
};

const valuesOfJson = (file: SourceFile): readonly FoundConfiguration[] => {
  const { data } = parseDocument(file, { limits: 'refuse' });
  const found: FoundConfiguration[] = [];
  const walk = (node: DataNode, around: Around, depth: number): void => {
    if (depth > deepest) return;
    if (node.kind === 'string') {
      if (mentions(node.text) && isConfiguration(objectHead(node.text))) {
        found.push({ ...jsonStringText(file, node), name: aroundName(around) });
      }
    } else if (node.kind === 'array') {
      for (const [index, item] of node.items.entries())
        walk(item, atIndex(around, index), depth + 1);
    } else if (node.kind === 'object') {
      const here = inJson(around, node);
      for (const { key, value } of node.entries) walk(value, atKey(here, key), depth + 1);
    }
  };
  if (data !== undefined) walk(data, outermost, 0);
  return found;
};

/** Levels of nesting that are looked into. */
const deepest = 64;
