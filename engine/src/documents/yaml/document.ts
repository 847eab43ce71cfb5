/**
 * The document with positions: the nodes of the file before they are interpreted. It exists even if
 * the text is broken.
 */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { PositionMap } from '../../source/position-map.ts';
import type { SourceFile } from '../../source/source-file.ts';
import type { Span } from '../../source/span.ts';
import type { DataNode } from './data.ts';

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded';

interface NodeBase {
  /** Position of the content with its tag and anchor. */
  readonly span: Span;
  /** Zero-based line of the node's start, as kube-apiserver's YAML loader counts lines. */
  readonly line: number;
  /** The resolved tag, such as `tag:yaml.org,2002:int`; empty if there is none. */
  readonly tag: string;
}

export interface ScalarNode extends NodeBase {
  readonly kind: 'scalar';
  readonly style: ScalarStyle;
  /** The decoded text. */
  readonly text: string;
  readonly map: PositionMap;
  /** True if the type is resolved from the text: a plain scalar, or the tag `!`. */
  readonly implicit: boolean;
}

export interface SequenceNode extends NodeBase {
  readonly kind: 'sequence';
  readonly flow: boolean;
  readonly items: readonly YamlNode[];
}

export interface MappingEntry {
  readonly key: YamlNode;
  readonly value: YamlNode;
}

export interface MappingNode extends NodeBase {
  readonly kind: 'mapping';
  readonly flow: boolean;
  readonly entries: readonly MappingEntry[];
}

export interface AliasNode extends NodeBase {
  readonly kind: 'alias';
  readonly name: string;
  readonly target: YamlNode;
}

/** A node as it is written, with its style, tag and position. */
export type YamlNode = ScalarNode | SequenceNode | MappingNode | AliasNode;

/** A YAML or JSON text, parsed as far as possible; it exists even if the text is broken. */
export interface ConfigDocument {
  readonly source: SourceFile;
  /** `json` if the first character is a brace: kube-apiserver then reads strict JSON. */
  readonly format: 'yaml' | 'json';
  /** The tree as it is written; `undefined` for JSON and for a text without content. */
  readonly root: YamlNode | undefined;
  /**
   * The data of the tree with aliases and merges resolved; `undefined` if nothing could be
   * understood.
   */
  readonly data: DataNode | undefined;
  /** All comments, from `#` to the end of the line. */
  readonly comments: readonly Span[];
  /** The first error of kube-apiserver's loader; `undefined` if it can read the file. */
  readonly failure: string | undefined;
  /** Strict errors of kube-apiserver's loader: duplicate keys. */
  readonly strictErrors: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}
