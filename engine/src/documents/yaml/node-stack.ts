/**
 * The tree that grows: open collections, the nodes inside, anchors and what is counted of them. What
 * may stand where is not known here.
 */
import type { AliasNode, MappingEntry, YamlNode } from './document.ts';
import { contentEnd, emptyScalar } from './scalar-node.ts';
import type { Mark } from './text-cursor.ts';
import type { Token } from './token.ts';
import { decoderError } from './yaml-errors.ts';

/** The ways of writing a list or a map; a `flow-pair` is the map of one entry in `[a: b]`. */
export type FrameKind =
  | 'block-sequence'
  | 'indentless-sequence'
  | 'block-mapping'
  | 'flow-sequence'
  | 'flow-pair'
  | 'flow-mapping';

/** A collection that is still open. Its node exists already: an alias inside may point at it. */
export interface Frame {
  readonly kind: FrameKind;
  readonly start: Mark;
  readonly node: YamlNode;
  readonly span: { start: number; end: number };
  readonly items: YamlNode[];
  readonly entries: MappingEntry[];
  key: YamlNode | undefined;
  phase: 'first' | 'key' | 'value' | 'empty-value' | 'end';
}

/** What stands in front of a node's content: an anchor, a tag, or neither. */
export interface Properties {
  readonly start: Mark;
  readonly end: number;
  readonly anchor: string;
  readonly tag: string;
}

/** Without recursion: depth costs no stack. */
export class NodeStack {
  /** `undefined` until the outermost node is finished. */
  root: YamlNode | undefined;
  /** Nodes delivered, also those inside of others. */
  nodeCount = 0;
  maxDepth = 0;
  maxScalarLength = 0;
  readonly aliases: AliasNode[] = [];
  readonly #frames: Frame[] = [];
  readonly #anchors = new Map<string, YamlNode>();

  /** The innermost open collection. */
  get innermost(): Frame | undefined {
    return this.#frames.at(-1);
  }

  /** Delivers the node that the anchor of this name was put on last; an error where there is none. */
  addAlias(at: Token): void {
    const target = this.#anchors.get(at.text);
    if (target === undefined)
      throw decoderError(`unknown anchor '${at.text}' referenced`, at.start.offset, at.end);
    const span = { start: at.start.offset, end: at.end };
    const node: AliasNode = {
      kind: 'alias',
      span,
      line: at.start.line,
      tag: '',
      name: at.text,
      target,
    };
    this.aliases.push(node);
    this.addNode(node);
  }

  /** Delivers a leaf with its text. */
  addScalar(at: Token, properties: Properties): void {
    const content = at.scalar;
    if (content === undefined) throw new Error('unreachable: a scalar token has content');
    const node: YamlNode = {
      kind: 'scalar',
      span: { start: properties.start.offset, end: contentEnd(at) },
      line: properties.start.line,
      tag: properties.tag,
      style: content.style,
      text: content.text,
      map: content.map,
      implicit: (properties.tag === '' && content.style === 'plain') || properties.tag === '!',
    };
    this.maxScalarLength = Math.max(this.maxScalarLength, content.text.length);
    this.#register(properties.anchor, node);
    this.addNode(node);
  }

  /** A node without content, which may have an anchor all the same. */
  addEmpty(properties: Properties): void {
    const node = emptyScalar(properties.start, properties);
    this.#register(properties.anchor, node);
    this.addNode(node);
  }

  /** Everything delivered from now on is inside, until it is closed. */
  open(kind: FrameKind, properties: Properties, opener: Token): void {
    const span = { start: properties.start.offset, end: Math.max(properties.end, opener.end) };
    const items: YamlNode[] = [];
    const entries: MappingEntry[] = [];
    const base = { span, line: properties.start.line, tag: properties.tag };
    const flow = kind.startsWith('flow');
    const node: YamlNode = kind.endsWith('sequence')
      ? { kind: 'sequence', ...base, flow, items }
      : { kind: 'mapping', ...base, flow, entries };
    this.#register(properties.anchor, node);
    this.#frames.push({
      kind,
      start: opener.start,
      node,
      span,
      items,
      entries,
      key: undefined,
      phase: 'first',
    });
    this.maxDepth = Math.max(this.maxDepth, this.#frames.length);
  }

  #register(anchor: string, node: YamlNode): void {
    if (anchor !== '') this.#anchors.set(anchor, node);
  }

  /** Puts a finished node where it belongs: into the innermost open collection. */
  addNode(node: YamlNode): void {
    this.nodeCount += 1;
    const frame = this.#frames.at(-1);
    if (frame === undefined) {
      this.root = node;
      return;
    }
    frame.span.end = Math.max(frame.span.end, node.span.end);
    if (frame.node.kind === 'sequence') frame.items.push(node);
    else if (frame.key === undefined) frame.key = node;
    else {
      frame.entries.push({ key: frame.key, value: node });
      frame.key = undefined;
    }
  }

  /** Of a collection in brackets `end` is the closing one. */
  close(end?: Token): void {
    const frame = this.#frames.pop();
    if (frame === undefined) throw new Error('unreachable: a frame is open');
    if (end !== undefined && frame.kind.startsWith('flow')) frame.span.end = end.end;
    this.addNode(frame.node);
  }
}
