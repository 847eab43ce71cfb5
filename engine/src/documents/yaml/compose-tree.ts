/**
 * Composes the tree of the first document from tokens, without recursion, so that nesting costs no
 * stack. The order of the checks determines which error is reported first and follows
 * kube-apiserver's YAML loader; it stops where the first document ends.
 */
import type { AliasNode, YamlNode } from './document.ts';
import { defaultTagPrefixes, readDocumentStart } from './document-start.ts';
import { type Frame, NodeStack, type Properties } from './node-stack.ts';
import { emptyScalar } from './scalar-node.ts';
import type { Mark } from './text-cursor.ts';
import type { Token, TokenKind } from './token.ts';
import type { TokenStream } from './token-stream.ts';
import { parserError } from './yaml-errors.ts';

/** The first document of a text, with the measures that limits apply to. */
export interface ComposedTree {
  /** The root node; `undefined` for a text without a document. */
  readonly root: YamlNode | undefined;
  readonly maxDepth: number;
  readonly aliases: readonly AliasNode[];
  readonly maxScalarLength: number;
  /** True if the text has more nodes than the limit; there is no root then. */
  readonly tooManyNodes: boolean;
}

/**
 * Composes the tree. Throws a `YamlError` for an invalid text; stops early at more than `maxNodes`
 * nodes.
 */
export const composeTree = (
  tokens: TokenStream,
  maxNodes: number = Number.POSITIVE_INFINITY,
): ComposedTree => new TreeComposer(tokens, maxNodes).compose();

/** An item of a list that was read by itself. */
export interface ComposedItem {
  readonly node: YamlNode;
  readonly maxDepth: number;
  /** What follows the item: the next item, a key of the enclosing map, or the end. */
  readonly next: {
    readonly kind: 'item' | 'key' | 'end' | 'other';
    readonly offset: number;
    readonly line: number;
  };
}

/**
 * Composes one item of a list that is a value of the document's top-level map, as if everything
 * before it had been read. Throws for an invalid text.
 */
export const composeItem = (tokens: TokenStream): ComposedItem | undefined =>
  new TreeComposer(tokens, Number.POSITIVE_INFINITY).composeItem();

class TreeComposer {
  readonly #tokens: TokenStream;
  readonly #nodes = new NodeStack();
  readonly #maxNodes: number;
  #tagPrefixes: ReadonlyMap<string, string> = new Map();

  constructor(tokens: TokenStream, maxNodes: number) {
    this.#tokens = tokens;
    this.#maxNodes = maxNodes;
  }

  compose(): ComposedTree {
    const documentStart = readDocumentStart(this.#tokens);
    this.#tagPrefixes = documentStart.tagPrefixes;
    if (documentStart.emptyNodeAt !== undefined)
      this.#nodes.root = emptyScalar(documentStart.emptyNodeAt);
    if (documentStart.hasNode) {
      this.#composeNode({ block: true, indentless: false });
      for (let open = this.#nodes.innermost; open !== undefined; open = this.#nodes.innermost) {
        this.#step(open);
        if (this.#nodes.nodeCount > this.#maxNodes) return this.#result(undefined);
      }
    }
    // The loader looks for the end of the document and therefore reports an error directly after
    // it.
    if (this.#nodes.root !== undefined) this.#tokens.peek();
    return this.#result(this.#nodes.root);
  }

  composeItem(): ComposedItem | undefined {
    this.#tagPrefixes = defaultTagPrefixes;
    this.#composeNode(mappingNode);
    const list = this.#nodes.innermost;
    if (list === undefined || list.node.kind !== 'sequence' || list.node.flow) return undefined;
    this.#step(list);
    for (let open = this.#nodes.innermost; open !== undefined; open = this.#nodes.innermost) {
      if (open === list) break;
      this.#step(open);
    }
    const [node] = list.items;
    if (node === undefined) return undefined;
    return { node, maxDepth: this.#nodes.maxDepth, next: this.#positionAfterItem(list) };
  }

  #positionAfterItem(list: Frame): ComposedItem['next'] {
    const next = this.#tokens.peek();
    if (next.kind === 'block-entry') return { kind: 'item', ...positionOf(next) };
    this.#step(list);
    const outer = this.#tokens.peek();
    const place = positionOf(outer);
    if (outer.kind === 'key') return { kind: 'key', ...place };
    if (outer.kind !== 'block-end') return { kind: 'other', ...place };
    // The enclosing map ends, too; the loader then looks at one more token.
    this.#tokens.consume();
    return { kind: documentEnds.has(this.#tokens.peek().kind) ? 'end' : 'other', ...place };
  }

  #result(root: YamlNode | undefined): ComposedTree {
    const { maxDepth, aliases, maxScalarLength, nodeCount } = this.#nodes;
    return { root, maxDepth, aliases, maxScalarLength, tooManyNodes: nodeCount > this.#maxNodes };
  }

  /** Composes a leaf, or opens a collection. */
  #composeNode(place: { readonly block: boolean; readonly indentless: boolean }) {
    const next = this.#tokens.peek();
    if (next.kind === 'alias') {
      this.#tokens.consume();
      return this.#nodes.addAlias(next);
    }
    const properties = this.#composeProperties(next);
    const content = this.#tokens.peek();
    const kind = place.indentless && content.kind === 'block-entry' ? content.kind : undefined;
    if (kind !== undefined) return this.#nodes.open('indentless-sequence', properties, content);
    switch (content.kind) {
      case 'scalar':
        this.#tokens.consume();
        return this.#nodes.addScalar(content, properties);
      case 'flow-sequence-start':
        this.#tokens.consume();
        return this.#nodes.open('flow-sequence', properties, content);
      case 'flow-mapping-start':
        this.#tokens.consume();
        return this.#nodes.open('flow-mapping', properties, content);
      case 'block-sequence-start':
        if (!place.block) break;
        this.#tokens.consume();
        return this.#nodes.open('block-sequence', properties, content);
      case 'block-mapping-start':
        if (!place.block) break;
        this.#tokens.consume();
        return this.#nodes.open('block-mapping', properties, content);
    }
    if (properties === undefined || (properties.anchor === '' && properties.tag === ''))
      throw parserError(content, next.start, 'did not find expected node content');
    this.#nodes.addEmpty(properties);
  }

  #composeProperties(first: Token): Properties | undefined {
    if (first.kind !== 'anchor' && first.kind !== 'tag') return undefined;
    let anchor = '';
    let tagToken: Token | undefined;
    let end = first.start.offset;
    const seenKinds: TokenKind[] = [];
    for (
      let next = first;
      (next.kind === 'anchor' || next.kind === 'tag') && !seenKinds.includes(next.kind);
      next = this.#tokens.peek()
    ) {
      if (next.kind === 'anchor') anchor = next.text;
      else tagToken = next;
      seenKinds.push(next.kind);
      end = next.end;
      this.#tokens.consume();
    }
    // The loader reads the next token before it reports an unknown tag handle.
    this.#tokens.peek();
    const tag = tagToken === undefined ? '' : this.#resolveTag(tagToken, first.start);
    return { start: first.start, end, anchor, tag };
  }

  #resolveTag(at: Token, context: Mark): string {
    if (at.text === '') return at.suffix;
    const prefix = this.#tagPrefixes.get(at.text);
    if (prefix === undefined || prefix + at.suffix === '')
      throw parserError(at, context, 'found undefined tag handle');
    return prefix + at.suffix;
  }

  #step(frame: Frame) {
    switch (frame.kind) {
      case 'block-sequence':
        return this.#composeBlockSequence(frame);
      case 'indentless-sequence':
        return this.#composeIndentlessSequence();
      case 'block-mapping':
        return this.#composeBlockMapping(frame);
      case 'flow-sequence':
        return this.#composeFlowSequence(frame);
      case 'flow-pair':
        return this.#composeFlowPair(frame);
      case 'flow-mapping':
        return this.#composeFlowMapping(frame);
    }
  }

  #composeBlockSequence(frame: Frame) {
    const next = this.#tokens.peek();
    if (next.kind === 'block-entry') return this.#composeContent(next, entryEnds, blockNode);
    if (next.kind !== 'block-end')
      throw parserError(next, frame.start, "did not find expected '-' indicator");
    this.#tokens.consume();
    this.#nodes.close();
  }

  #composeIndentlessSequence() {
    const next = this.#tokens.peek();
    if (next.kind === 'block-entry') return this.#composeContent(next, indentlessEnds, blockNode);
    this.#nodes.close();
  }

  #composeBlockMapping(frame: Frame) {
    const next = this.#tokens.peek();
    if (frame.phase === 'value') {
      frame.phase = 'key';
      if (next.kind === 'value') return this.#composeContent(next, mappingEnds, mappingNode);
      return this.#nodes.addNode(emptyScalar(next.start));
    }
    if (next.kind === 'key') {
      frame.phase = 'value';
      return this.#composeContent(next, mappingEnds, mappingNode);
    }
    if (next.kind !== 'block-end')
      throw parserError(next, frame.start, 'did not find expected key');
    this.#tokens.consume();
    this.#nodes.close();
  }

  /** Composes the node after an indicator; it is empty if the structure continues at once. */
  #composeContent(
    indicator: Token,
    ends: ReadonlySet<TokenKind>,
    place: { readonly block: boolean; readonly indentless: boolean },
  ) {
    this.#tokens.consume();
    if (ends.has(this.#tokens.peek().kind)) this.#nodes.addNode(emptyScalar(endOf(indicator)));
    else this.#composeNode(place);
  }

  #composeFlowSequence(frame: Frame) {
    const next = this.#skipFlowSeparator(
      frame,
      'flow-sequence-end',
      "did not find expected ',' or ']'",
    );
    if (next.kind === 'flow-sequence-end') {
      this.#tokens.consume();
      return this.#nodes.close(next);
    }
    if (next.kind !== 'key') return this.#composeNode(flowNode);
    this.#tokens.consume();
    this.#nodes.open('flow-pair', undefined, next);
  }

  /** Skips the comma between two entries and returns the token after it. */
  #skipFlowSeparator(frame: Frame, end: TokenKind, message: string): Token {
    const first = frame.phase === 'first';
    frame.phase = 'key';
    const next = this.#tokens.peek();
    if (first || next.kind === end) return next;
    if (next.kind !== 'flow-entry') throw parserError(next, frame.start, message);
    this.#tokens.consume();
    return this.#tokens.peek();
  }

  #composeFlowPair(frame: Frame) {
    if (frame.phase === 'end') return this.#nodes.close();
    const next = this.#tokens.peek();
    if (frame.phase === 'first') {
      frame.phase = 'value';
      if (!pairKeyEnds.has(next.kind)) return this.#composeNode(flowNode);
      // The loader drops this token, even if it is the colon of a value.
      this.#tokens.consume();
      return this.#nodes.addNode(emptyScalar(endOf(next)));
    }
    frame.phase = 'end';
    if (next.kind === 'value') {
      this.#tokens.consume();
      if (!pairEnds.has(this.#tokens.peek().kind)) return this.#composeNode(flowNode);
    }
    this.#nodes.addNode(emptyScalar(next.start));
  }

  #composeFlowMapping(frame: Frame) {
    if (frame.phase === 'value' || frame.phase === 'empty-value')
      return this.#composeFlowMappingValue(frame);
    const next = this.#skipFlowSeparator(
      frame,
      'flow-mapping-end',
      "did not find expected ',' or '}'",
    );
    if (next.kind === 'flow-mapping-end') {
      this.#tokens.consume();
      return this.#nodes.close(next);
    }
    if (next.kind !== 'key') {
      frame.phase = 'empty-value';
      return this.#composeNode(flowNode);
    }
    frame.phase = 'value';
    this.#tokens.consume();
    const content = this.#tokens.peek();
    if (flowKeyEnds.has(content.kind)) this.#nodes.addNode(emptyScalar(content.start));
    else this.#composeNode(flowNode);
  }

  #composeFlowMappingValue(frame: Frame) {
    const next = this.#tokens.peek();
    const hasValue = frame.phase === 'value' && next.kind === 'value';
    frame.phase = 'key';
    if (hasValue) {
      this.#tokens.consume();
      if (!flowValueEnds.has(this.#tokens.peek().kind)) return this.#composeNode(flowNode);
    }
    this.#nodes.addNode(emptyScalar(next.start));
  }
}

const positionOf = ({ start: { offset, line } }: Token) => ({ offset, line });

const endOf = ({ end: offset, endLine: line }: Token) => ({ offset, line });

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
