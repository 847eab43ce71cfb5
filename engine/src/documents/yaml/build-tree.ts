/**
 * Tokens -> the tree of the first document, without recursion, so that depth costs no stack. The
 * order of checks decides which mistake is reported first and follows the real loader; it stops
 * where the first document ends.
 */
import type { AliasNode, YamlNode } from './document.ts';
import { defaultTagPrefixes, readDocumentHead } from './document-head.ts';
import { type Frame, GrowingTree, type Properties } from './growing-tree.ts';
import { emptyScalar } from './scalar-node.ts';
import type { Mark } from './text-cursor.ts';
import type { Token, TokenKind } from './token.ts';
import type { TokenStream } from './token-stream.ts';
import { parserProblem } from './yaml-problem.ts';

/** The first document of a text, and what its size is judged by. */
export interface BuiltTree {
  /** `undefined` for a text without a document. */
  readonly root: YamlNode | undefined;
  readonly deepest: number;
  readonly aliases: readonly AliasNode[];
  readonly longestScalar: number;
  /** True when the text has more nodes than were asked for; there is no root then. */
  readonly tooMany: boolean;
}

/** Throws a `YamlProblem` where the text is wrong; stops early at more nodes than `mostNodes`. */
export const buildTree = (
  tokens: TokenStream,
  mostNodes: number = Number.POSITIVE_INFINITY,
): BuiltTree => new TreeBuilder(tokens, mostNodes).build();

/** One item of a list, read alone. */
export interface BuiltItem {
  readonly node: YamlNode;
  readonly deepest: number;
  /** What stands behind the item: the next one, a key of the map around the list, or no more of it. */
  readonly next: {
    readonly kind: 'item' | 'key' | 'end' | 'other';
    readonly offset: number;
    readonly line: number;
  };
}

/**
 * Reads one item of a list that is a value of the document's own map, as if all that stands before it
 * had been read. Throws where the text is wrong.
 */
export const buildItem = (tokens: TokenStream): BuiltItem | undefined =>
  new TreeBuilder(tokens, Number.POSITIVE_INFINITY).item();

class TreeBuilder {
  readonly #tokens: TokenStream;
  readonly #tree = new GrowingTree();
  readonly #mostNodes: number;
  #tagPrefixes: ReadonlyMap<string, string> = new Map();

  constructor(tokens: TokenStream, mostNodes: number) {
    this.#tokens = tokens;
    this.#mostNodes = mostNodes;
  }

  build(): BuiltTree {
    const head = readDocumentHead(this.#tokens);
    this.#tagPrefixes = head.tagPrefixes;
    if (head.emptyAt !== undefined) this.#tree.root = emptyScalar(head.emptyAt);
    if (head.hasNode) {
      this.#node({ block: true, indentless: false });
      for (let open = this.#tree.innermost; open !== undefined; open = this.#tree.innermost) {
        this.#step(open);
        if (this.#tree.nodes > this.#mostNodes) return this.#result(undefined);
      }
    }
    // The real loader looks for the end of the document and so meets a mistake right behind it.
    if (this.#tree.root !== undefined) this.#tokens.peek();
    return this.#result(this.#tree.root);
  }

  item(): BuiltItem | undefined {
    this.#tagPrefixes = defaultTagPrefixes;
    this.#node(mappingNode);
    const list = this.#tree.innermost;
    if (list === undefined || list.node.kind !== 'sequence' || list.node.flow) return undefined;
    this.#step(list);
    for (let open = this.#tree.innermost; open !== undefined; open = this.#tree.innermost) {
      if (open === list) break;
      this.#step(open);
    }
    const [node] = list.items;
    if (node === undefined) return undefined;
    return { node, deepest: this.#tree.deepest, next: this.#behindItem(list) };
  }

  #behindItem(list: Frame): BuiltItem['next'] {
    const next = this.#tokens.peek();
    if (next.kind === 'block-entry') return { kind: 'item', ...placeOf(next) };
    this.#step(list);
    const outer = this.#tokens.peek();
    const place = placeOf(outer);
    if (outer.kind === 'key') return { kind: 'key', ...place };
    if (outer.kind !== 'block-end') return { kind: 'other', ...place };
    // The map around the list ends as well; the real loader looks at one token more.
    this.#tokens.take();
    return { kind: documentEnds.has(this.#tokens.peek().kind) ? 'end' : 'other', ...place };
  }

  #result(root: YamlNode | undefined): BuiltTree {
    const { deepest, aliases, longestScalar, nodes } = this.#tree;
    return { root, deepest, aliases, longestScalar, tooMany: nodes > this.#mostNodes };
  }

  /** Reads a leaf and delivers it, or opens a collection. */
  #node(place: { readonly block: boolean; readonly indentless: boolean }) {
    const next = this.#tokens.peek();
    if (next.kind === 'alias') {
      this.#tokens.take();
      return this.#tree.alias(next);
    }
    const properties = this.#properties(next);
    const content = this.#tokens.peek();
    const kind = place.indentless && content.kind === 'block-entry' ? content.kind : undefined;
    if (kind !== undefined) return this.#tree.open('indentless-sequence', properties, content);
    switch (content.kind) {
      case 'scalar':
        this.#tokens.take();
        return this.#tree.scalar(content, properties);
      case 'flow-sequence-start':
        this.#tokens.take();
        return this.#tree.open('flow-sequence', properties, content);
      case 'flow-mapping-start':
        this.#tokens.take();
        return this.#tree.open('flow-mapping', properties, content);
      case 'block-sequence-start':
        if (!place.block) break;
        this.#tokens.take();
        return this.#tree.open('block-sequence', properties, content);
      case 'block-mapping-start':
        if (!place.block) break;
        this.#tokens.take();
        return this.#tree.open('block-mapping', properties, content);
    }
    if (properties.anchor === '' && properties.tag === '')
      throw parserProblem(content, properties.start, 'did not find expected node content');
    this.#tree.empty(properties);
  }

  #properties(first: Token): Properties {
    let anchor = '';
    let tagToken: Token | undefined;
    let end = first.start.offset;
    const seen: TokenKind[] = [];
    for (
      let next = first;
      (next.kind === 'anchor' || next.kind === 'tag') && !seen.includes(next.kind);
      next = this.#tokens.peek()
    ) {
      if (next.kind === 'anchor') anchor = next.text;
      else tagToken = next;
      seen.push(next.kind);
      end = next.end;
      this.#tokens.take();
    }
    // What follows is read before an unknown tag handle is noticed.
    if (seen.length > 0) this.#tokens.peek();
    const tag = tagToken === undefined ? '' : this.#tag(tagToken, first.start);
    return { start: first.start, end, anchor, tag };
  }

  #tag(at: Token, context: Mark): string {
    if (at.text === '') return at.suffix;
    const prefix = this.#tagPrefixes.get(at.text);
    if (prefix === undefined || prefix + at.suffix === '')
      throw parserProblem(at, context, 'found undefined tag handle');
    return prefix + at.suffix;
  }

  #step(frame: Frame) {
    switch (frame.kind) {
      case 'block-sequence':
        return this.#blockSequence(frame);
      case 'indentless-sequence':
        return this.#indentlessSequence();
      case 'block-mapping':
        return this.#blockMapping(frame);
      case 'flow-sequence':
        return this.#flowSequence(frame);
      case 'flow-pair':
        return this.#flowPair(frame);
      case 'flow-mapping':
        return this.#flowMapping(frame);
    }
  }

  #blockSequence(frame: Frame) {
    const next = this.#tokens.peek();
    if (next.kind === 'block-entry') return this.#content(next, entryEnds, blockNode);
    if (next.kind !== 'block-end')
      throw parserProblem(next, frame.start, "did not find expected '-' indicator");
    this.#tokens.take();
    this.#tree.close();
  }

  #indentlessSequence() {
    const next = this.#tokens.peek();
    if (next.kind === 'block-entry') return this.#content(next, indentlessEnds, blockNode);
    this.#tree.close();
  }

  #blockMapping(frame: Frame) {
    const next = this.#tokens.peek();
    if (frame.phase === 'value') {
      frame.phase = 'key';
      if (next.kind === 'value') return this.#content(next, mappingEnds, mappingNode);
      return this.#tree.deliver(emptyScalar(next.start));
    }
    if (next.kind === 'key') {
      frame.phase = 'value';
      return this.#content(next, mappingEnds, mappingNode);
    }
    if (next.kind !== 'block-end')
      throw parserProblem(next, frame.start, 'did not find expected key');
    this.#tokens.take();
    this.#tree.close();
  }

  /** What follows an indicator: a node, or nothing where the structure goes on at once. */
  #content(
    indicator: Token,
    ends: ReadonlySet<TokenKind>,
    place: { readonly block: boolean; readonly indentless: boolean },
  ) {
    this.#tokens.take();
    if (ends.has(this.#tokens.peek().kind)) this.#tree.deliver(emptyScalar(indicator.endMark));
    else this.#node(place);
  }

  #flowSequence(frame: Frame) {
    const next = this.#flowEntry(frame, 'flow-sequence-end', "did not find expected ',' or ']'");
    if (next.kind === 'flow-sequence-end') {
      this.#tokens.take();
      return this.#tree.close(next);
    }
    if (next.kind !== 'key') return this.#node(flowNode);
    this.#tokens.take();
    this.#tree.open('flow-pair', { start: next.start, end: next.end, anchor: '', tag: '' }, next);
  }

  /** Passes the comma between two entries and gives the token behind it. */
  #flowEntry(frame: Frame, end: TokenKind, message: string): Token {
    const first = frame.phase === 'first';
    frame.phase = 'key';
    const next = this.#tokens.peek();
    if (first || next.kind === end) return next;
    if (next.kind !== 'flow-entry') throw parserProblem(next, frame.start, message);
    this.#tokens.take();
    return this.#tokens.peek();
  }

  #flowPair(frame: Frame) {
    if (frame.phase === 'end') return this.#tree.close();
    const next = this.#tokens.peek();
    if (frame.phase === 'first') {
      frame.phase = 'value';
      if (!pairKeyEnds.has(next.kind)) return this.#node(flowNode);
      // The real loader drops this token, a value's colon included.
      this.#tokens.take();
      return this.#tree.deliver(emptyScalar(next.endMark));
    }
    frame.phase = 'end';
    if (next.kind === 'value') {
      this.#tokens.take();
      if (!pairEnds.has(this.#tokens.peek().kind)) return this.#node(flowNode);
    }
    this.#tree.deliver(emptyScalar(next.start));
  }

  #flowMapping(frame: Frame) {
    if (frame.phase === 'value' || frame.phase === 'empty-value')
      return this.#flowMappingValue(frame);
    const next = this.#flowEntry(frame, 'flow-mapping-end', "did not find expected ',' or '}'");
    if (next.kind === 'flow-mapping-end') {
      this.#tokens.take();
      return this.#tree.close(next);
    }
    if (next.kind !== 'key') {
      frame.phase = 'empty-value';
      return this.#node(flowNode);
    }
    frame.phase = 'value';
    this.#tokens.take();
    const content = this.#tokens.peek();
    if (flowKeyEnds.has(content.kind)) this.#tree.deliver(emptyScalar(content.start));
    else this.#node(flowNode);
  }

  #flowMappingValue(frame: Frame) {
    const next = this.#tokens.peek();
    const hasValue = frame.phase === 'value' && next.kind === 'value';
    frame.phase = 'key';
    if (hasValue) {
      this.#tokens.take();
      if (!flowValueEnds.has(this.#tokens.peek().kind)) return this.#node(flowNode);
    }
    this.#tree.deliver(emptyScalar(next.start));
  }
}

const placeOf = ({ start: { offset, line } }: Token) => ({ offset, line });

const blockNode = { block: true, indentless: false } as const;
const mappingNode = { block: true, indentless: true } as const;
const flowNode = { block: false, indentless: false } as const;

const kinds = (...list: readonly TokenKind[]): ReadonlySet<TokenKind> => new Set(list);
const entryEnds = kinds('block-entry', 'block-end');
const indentlessEnds = kinds('block-entry', 'key', 'value', 'block-end');
const mappingEnds = kinds('key', 'value', 'block-end');
const documentEnds = kinds('document-start', 'document-end', 'stream-end');
const pairKeyEnds = kinds('value', 'flow-entry', 'flow-sequence-end');
const pairEnds = kinds('flow-entry', 'flow-sequence-end');
const flowKeyEnds = kinds('value', 'flow-entry', 'flow-mapping-end');
const flowValueEnds = kinds('flow-entry', 'flow-mapping-end');
