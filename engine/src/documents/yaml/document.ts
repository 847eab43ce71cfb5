/**
 * The positioned document: what stands in the file, node by node, before anyone asks what it means.
 * It always exists, however broken the text.
 */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { PositionMap } from '../../source/position-map.ts';
import type { SourceFile } from '../../source/source-file.ts';
import type { Span } from '../../source/span.ts';
import type { DataNode } from './data.ts';

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded';

interface NodeBase {
  /** The content with its tag and anchor. */
  readonly span: Span;
  /** Zero-based line on which the node starts, counted as the real loader counts. */
  readonly line: number;
  /** The resolved tag, `tag:yaml.org,2002:int`; empty where none is written. */
  readonly tag: string;
}

export interface ScalarNode extends NodeBase {
  readonly kind: 'scalar';
  readonly style: ScalarStyle;
  /** The decoded text. */
  readonly text: string;
  readonly map: PositionMap;
  /** True when the text itself decides the type: plain, or the tag `!`. */
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

/** A node as it was written, with its style, tag and place. */
export type YamlNode = ScalarNode | SequenceNode | MappingNode | AliasNode;

/** A text of YAML or JSON, read as far as it could be; it exists however broken the text is. */
export interface ConfigDocument {
  readonly source: SourceFile;
  /** `json` when the first character is a brace: the real server then reads strict JSON. */
  readonly format: 'yaml' | 'json';
  /** The tree as it was written; `undefined` for JSON and for a text without content. */
  readonly root: YamlNode | undefined;
  /** What the tree means, aliases and merges resolved; `undefined` when nothing could be understood. */
  readonly data: DataNode | undefined;
  /** Every comment, from `#` to the end of its line. */
  readonly comments: readonly Span[];
  /** The real loader's text for the first thing that stops it; absent when it can read the file. */
  readonly failure: string | undefined;
  /** The real loader's strict findings: keys that are set twice. */
  readonly strictErrors: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}
