/**
 * The stack of open collections while a tree is composed, with its nodes, anchors and measures. It
 * does not check the order of nodes.
 */
import type { AliasNode, MappingEntry, MappingNode, SequenceNode, YamlNode } from './document.ts';
import { contentEnd, emptyScalar } from './scalar-node.ts';
import type { Mark } from './text-cursor.ts';
import type { Token } from './token.ts';
import { decoderError } from './yaml-errors.ts';

/** The styles of a list or map; a `flow-pair` is the map with a single entry in `[a: b]`. */
export type FrameKind =
  | 'block-sequence'
  | 'indentless-sequence'
  | 'block-mapping'
  | 'flow-sequence'
  | 'flow-pair'
  | 'flow-mapping';

/** An open collection. Its node exists already, because an alias inside may refer to it. */
export interface Frame {
  readonly kind: FrameKind;
  readonly start: Mark;
  readonly node: OpenSequence | OpenMapping;
  readonly span: { start: number; end: number };
  readonly items: YamlNode[];
  readonly entries: MappingEntry[];
  key: YamlNode | undefined;
  phase: 'first' | 'key' | 'value' | 'empty-value' | 'end';
}

interface OpenSequence extends SequenceNode {
  items: readonly YamlNode[];
}

interface OpenMapping extends MappingNode {
  entries: readonly MappingEntry[];
}

/** The anchor and tag before a node's content, if any. */
export interface Properties {
  readonly start: Mark;
  readonly end: number;
  readonly anchor: string;
  readonly tag: string;
}

/** Builds a tree without recursion, so that nesting costs no stack. */
export class NodeStack {
  /** The root node; `undefined` until it is complete. */
  root: YamlNode | undefined;
  /** Number of complete nodes, including nested ones. */
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

  /** Adds an alias to the last node with this anchor; throws if there is none. */
  addAlias(at: Token): void {
    const target = this.#anchors.get(at.text);
    const span = { start: at.start.offset, end: at.end };
    if (target === undefined) throw decoderError(`unknown anchor '${at.text}' referenced`, span);
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

  /** Adds a scalar. */
  addScalar(at: Token, properties: Properties | undefined): void {
    const { start } = properties ?? at;
    const tag = properties?.tag ?? '';
    const content = at.scalar;
    if (content === undefined) throw new Error('unreachable: a scalar token has content');
    const node: YamlNode = {
      kind: 'scalar',
      span: { start: start.offset, end: contentEnd(at) },
      line: start.line,
      tag,
      style: content.style,
      text: content.text,
      map: content.map,
      implicit: (tag === '' && content.style === 'plain') || tag === '!',
    };
    this.maxScalarLength = Math.max(this.maxScalarLength, content.text.length);
    if (properties !== undefined) this.#register(properties.anchor, node);
    this.addNode(node);
  }

  /** Adds a node without content, which may still have an anchor. */
  addEmpty(properties: Properties): void {
    const node = emptyScalar(properties.start, properties);
    this.#register(properties.anchor, node);
    this.addNode(node);
  }

  /** Opens a collection, which all further nodes belong to until it is closed. */
  open(kind: FrameKind, properties: Properties | undefined, opener: Token): void {
    const { start, end } = properties ?? opener;
    const span = { start: start.offset, end: Math.max(end, opener.end) };
    const { line } = start;
    const tag = properties?.tag ?? '';
    const flow = isFlow(kind);
    const isSequence = kind !== 'block-mapping' && kind !== 'flow-mapping' && kind !== 'flow-pair';
    const items: YamlNode[] = isSequence ? [] : noItems;
    const entries: MappingEntry[] = isSequence ? noItems : [];
    const node: Frame['node'] = isSequence
      ? { kind: 'sequence', span, line, tag, flow, items }
      : { kind: 'mapping', span, line, tag, flow, entries };
    if (properties !== undefined) this.#register(properties.anchor, node);
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

  /** Adds a complete node to the innermost open collection. */
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

  /** Closes the innermost collection; `end` is its closing bracket, if it has one. */
  close(end?: Token): void {
    const frame = this.#frames.pop();
    if (frame === undefined) throw new Error('unreachable: a frame is open');
    if (end !== undefined && isFlow(frame.kind)) frame.span.end = end.end;
    const { node } = frame;
    // A copy has no memory reserved for more items, which would be most of the memory of a tree.
    if (node.kind === 'sequence') node.items = frame.items.slice();
    else node.entries = frame.entries.slice();
    this.addNode(node);
  }
}

const isFlow = (kind: FrameKind): boolean =>
  kind === 'flow-sequence' || kind === 'flow-mapping' || kind === 'flow-pair';

/** A sequence has no entries, and a mapping no items. */
const noItems: never[] = [];
