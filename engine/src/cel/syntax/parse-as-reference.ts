/**
 * Parses any expression like cel-go and reports the same errors: first those of the ANTLR parser,
 * then those of the visitor that converts the parse tree (reserved names, literals, macros). It
 * also
 * builds the expression tree, which is used if the expression is valid.
 */
import { type Span, span } from '../../source/span.ts';
import type { ParseNode } from '../reference-parser/parse-node.ts';
import { parseByGrammar } from '../reference-parser/parser.ts';
import type { Token } from '../reference-parser/tokens.ts';
import type { CelNode, CelSyntaxError, MapEntry, StructField } from '../tree/ast.ts';
import { beforeStart, noLocation } from './error-text.ts';
import {
  type LiteralResult,
  readBytes,
  readDouble,
  readInt,
  readString,
  readUint,
} from './literals.ts';
import { operatorNames, reservedNames, type TreeBuilder } from './tree-builder.ts';

/** Maximum length of an expression in code points. */
export const maxCodePoints = 100_000;

const maxVisitDepth = 250;
const escapedFieldsSince = 37;

/**
 * Returns the tree, or `undefined` if parsing was aborted. The errors are added to
 * `builder.errors`, in cel-go's order.
 */
export const parseAsReference = (text: string, builder: TreeBuilder): CelNode | undefined => {
  const parse = parseByGrammar(text);
  for (const error of parse.errors) {
    const at = error.start === undefined ? noLocation : errorOffset(text, error.start, builder);
    const start = error.start ?? 0;
    const end = error.start === undefined ? text.length : error.end;
    builder.errors.push({ message: error.message, at, span: span(start, end) });
  }
  if (parse.root === undefined) return undefined;
  try {
    return new Visitor(text, builder).node(parse.root.node('e'));
  } catch (error) {
    if (!(error instanceof RecursionLimitError)) throw error;
    builder.errors.push(recursionLimitExceeded(text));
    return undefined;
  }
};

/**
 * Returns the code point offset of an error; cel-go locates errors of an empty expression before
 * its start.
 */
const errorOffset = (text: string, offset: number, builder: TreeBuilder): number =>
  text === '' ? beforeStart : builder.codePointOffset(offset);

const recursionLimitExceeded = (text: string): CelSyntaxError => ({
  message: 'max recursion depth exceeded',
  at: noLocation,
  span: span(0, text.length),
});

class RecursionLimitError extends Error {}

type VisitNode = (node: ParseNode) => CelNode;

class Visitor {
  readonly #builder: TreeBuilder;
  readonly #text: string;
  #depth = 0;
  readonly #visitors: ReadonlyMap<string, VisitNode>;

  constructor(text: string, builder: TreeBuilder) {
    this.#text = text;
    this.#builder = builder;
    const limited =
      (visit: VisitNode): VisitNode =>
      (node) =>
        this.#descend(() => visit(node));
    this.#visitors = new Map<string, VisitNode>([
      ['expr', limited((node) => this.#conditional(node))],
      ['conditionalOr', (node) => this.#logical(node, '_||_')],
      ['conditionalAnd', (node) => this.#logical(node, '_&&_')],
      ['relation', limited((node) => this.#binary(node))],
      ['calc', limited((node) => this.#binary(node))],
      [
        'unary',
        (node) => this.#builder.literal({ kind: 'string', value: '<<error>>' }, spanOf(node)),
      ],
      ['LogicalNot', (node) => this.#unary(node, '!_')],
      ['Negate', (node) => this.#unary(node, '-_')],
      ['Select', limited((node) => this.#select(node))],
      ['MemberCall', limited((node) => this.#memberCall(node))],
      ['Index', limited((node) => this.#index(node))],
      ['Ident', (node) => this.#ident(node)],
      ['GlobalCall', (node) => this.#globalCall(node)],
      ['CreateList', (node) => this.#list(node)],
      ['CreateStruct', (node) => this.#map(node)],
      ['CreateMessage', (node) => this.#struct(node)],
      ['Int', (node) => this.#number(node, readInt)],
      ['Double', (node) => this.#number(node, readDouble)],
      ['Uint', (node) => this.#number(node, readUint)],
      ['String', (node) => this.#quoted(node, readString)],
      ['Bytes', (node) => this.#quoted(node, readBytes)],
      ['BoolTrue', (node) => this.#builder.literal({ kind: 'bool', value: true }, spanOf(node))],
      ['BoolFalse', (node) => this.#builder.literal({ kind: 'bool', value: false }, spanOf(node))],
      ['Null', (node) => this.#builder.literal({ kind: 'null' }, spanOf(node))],
    ]);
  }

  node(outer: ParseNode | undefined): CelNode {
    const node = unwrap(outer);
    const visit = node === undefined ? undefined : this.#visitors.get(node.label);
    if (node !== undefined && visit !== undefined) return visit(node);
    return this.#missing();
  }

  /** Creates a hole for a part that could not be parsed; its error is already reported. */
  #missing(): CelNode {
    const hole = this.#builder.hole(span(0, 0));
    return { ...hole, at: beforeStart };
  }

  #descend(visit: () => CelNode): CelNode {
    if (++this.#depth > maxVisitDepth) throw new RecursionLimitError();
    const node = visit();
    this.#depth--;
    return node;
  }

  #conditional(node: ParseNode): CelNode {
    const condition = this.node(node.node('e'));
    const whenTrue = this.node(node.node('e1'));
    const whenFalse = this.node(node.node('e2'));
    return this.#operator('_?_:_', node, [condition, whenTrue, whenFalse]);
  }

  #logical(node: ParseNode, name: string): CelNode {
    const terms = [this.node(node.node('e'))];
    for (const term of node.nodes('e1')) terms.push(this.node(term));
    const operators = node.tokens('ops').map(tokenSpan);
    return this.#builder.logical(name, terms, operators);
  }

  #binary(node: ParseNode): CelNode {
    // Both operands are children with the rule of the node.
    const [left, right] = node.children.filter((child) => child.rule === node.label);
    const name = operatorNames.get(node.token('op')?.text ?? '');
    if (name === undefined) return this.#report('operator not found', node);
    const leftNode = this.node(left);
    return this.#operator(name, node, [leftNode, this.node(right)]);
  }

  #operator(name: string, node: ParseNode, args: readonly CelNode[]): CelNode {
    const operator = node.token('op') ?? node.token('ops');
    return this.#builder.call({
      span: spanOf(node),
      at: operator?.start ?? node.start.start,
      function: name,
      functionSpan: operator === undefined ? spanOf(node) : tokenSpan(operator),
      target: undefined,
      args,
    });
  }

  #unary(node: ParseNode, name: string): CelNode {
    const operand = node.child('member');
    if (node.tokens('ops').length % 2 === 0) return this.node(operand);
    return this.#operator(name, node, [this.node(operand)]);
  }

  #select(node: ParseNode): CelNode {
    const operand = this.node(node.children[0]);
    const dot = node.token('op');
    const id = node.node('id');
    if (id === undefined || dot === undefined) return this.#builder.hole(spanOf(node));
    const name = this.#fieldName(id, id);
    const fieldSpan = spanOf(id);
    if (node.token('opt') !== undefined) {
      const literal = this.#builder.literal({ kind: 'string', value: name ?? '' }, fieldSpan);
      return this.#operator('_?._', node, [operand, literal]);
    }
    const place = { span: spanOf(node), at: dot.start, fieldSpan };
    return this.#builder.select(operand, name ?? '', place);
  }

  /** Returns a field name; reports an error at `place` and returns `undefined` if it is invalid. */
  #fieldName(id: ParseNode | undefined, place: ParseNode): string | undefined {
    const token = id === undefined ? undefined : id.token('id');
    if (id?.label === 'SimpleIdentifier' && token !== undefined) return token.text;
    if (id?.label === 'EscapedIdentifier' && token !== undefined) {
      if (this.#builder.release >= escapedFieldsSince) return token.text.slice(1, -1);
      this.#report("unsupported syntax: '`'", place);
      return undefined;
    }
    this.#report('unsupported ident kind', place);
    return undefined;
  }

  #memberCall(node: ParseNode): CelNode {
    const target = this.node(node.children[0]);
    const id = node.token('id');
    if (id === undefined) return this.#builder.hole(spanOf(node));
    return this.#callOrMacro(node, { id, name: id.text, open: node.token('open'), target });
  }

  #globalCall(node: ParseNode): CelNode {
    const id = node.token('id');
    if (id === undefined) return this.#builder.hole(spanOf(node));
    if (reservedNames.has(id.text)) return this.#report(`reserved identifier: ${id.text}`, node);
    const name = node.token('leadingDot') === undefined ? id.text : `.${id.text}`;
    return this.#callOrMacro(node, { id, name, open: node.token('op'), target: undefined });
  }

  #callOrMacro(
    node: ParseNode,
    call: {
      readonly id: Token;
      readonly name: string;
      readonly open: Token | undefined;
      readonly target: CelNode | undefined;
    },
  ): CelNode {
    const args = (node.node('args')?.nodes('e') ?? []).map((arg) => this.node(arg));
    return this.#builder.callOrMacro({
      span: spanOf(node),
      at: (call.open ?? call.id).start,
      function: call.name,
      functionSpan: tokenSpan(call.id),
      target: call.target,
      args,
    });
  }

  #index(node: ParseNode): CelNode {
    const target = this.node(node.children[0]);
    if (node.token('op') === undefined) return this.#builder.hole(spanOf(node));
    const index = this.node(node.node('index'));
    const name = node.token('opt') === undefined ? '_[_]' : '_[?_]';
    return this.#operator(name, node, [target, index]);
  }

  #ident(node: ParseNode): CelNode {
    const id = node.token('id');
    if (id === undefined) return this.#builder.hole(spanOf(node));
    if (reservedNames.has(id.text)) return this.#report(`reserved identifier: ${id.text}`, node);
    const name = node.token('leadingDot') === undefined ? id.text : `.${id.text}`;
    return this.#builder.ident(name, spanOf(node), id.start);
  }

  #list(node: ParseNode): CelNode {
    const elements: CelNode[] = [];
    const optional: number[] = [];
    for (const element of node.node('elems')?.nodes('elems') ?? []) {
      if (element.token('opt') !== undefined) optional.push(elements.length);
      elements.push(this.node(element.node('e')));
    }
    return this.#builder.list(elements, optional, spanOf(node));
  }

  #map(node: ParseNode): CelNode {
    const list = node.node('entries');
    const keys = list?.nodes('keys') ?? [];
    const values = list?.nodes('values') ?? [];
    const colons = list?.tokens('cols') ?? [];
    const entries: MapEntry[] = [];
    for (const [index, colon] of colons.entries()) {
      const key = keys[index];
      const value = values[index];
      if (key === undefined || value === undefined) break;
      entries.push({
        id: this.#builder.nextId(),
        at: this.#builder.codePointOffset(colon.start),
        key: this.node(key.node('e')),
        value: this.node(value),
        optional: key.token('opt') !== undefined,
      });
    }
    return this.#builder.map(entries, spanOf(node));
  }

  #struct(node: ParseNode): CelNode {
    const names = node
      .tokens('ids')
      .map((token) => token.text)
      .join('.');
    const name = node.token('leadingDot') === undefined ? names : `.${names}`;
    const list = node.node('entries');
    const fields = list === undefined ? [] : this.#structFields(list);
    const brace = node.token('op') ?? node.start;
    return this.#builder.struct(name, fields, spanOf(node), brace.start);
  }

  #structFields(list: ParseNode): readonly StructField[] {
    const colons = list.tokens('cols');
    const values = list.nodes('values');
    const fields: StructField[] = [];
    for (const [index, field] of list.nodes('fields').entries()) {
      const colon = colons[index];
      const value = values[index];
      if (colon === undefined || value === undefined) return [];
      const id = field.child('escapeIdent');
      const name = this.#fieldName(id, list);
      if (name === undefined) continue;
      fields.push({
        id: this.#builder.nextId(),
        at: this.#builder.codePointOffset(colon.start),
        name,
        value: this.node(value),
        optional: field.token('opt') !== undefined,
      });
    }
    return fields;
  }

  #number(node: ParseNode, read: (image: string, negative: boolean) => LiteralResult): CelNode {
    const token = node.token('tok');
    if (token === undefined || token.index < 0) return this.#invalidNumber(node, token);
    const reading = read(token.text, node.token('sign') !== undefined);
    if (!reading.ok) return this.#report(reading.message, node);
    return this.#builder.literal(reading.constant, spanOf(node));
  }

  /** Handles a number token that error recovery inserted, which has no digits. */
  #invalidNumber(node: ParseNode, token: Token | undefined): CelNode {
    if (token === undefined) return this.#builder.hole(spanOf(node));
    return this.#report(`invalid ${node.label.toLowerCase()} literal`, node);
  }

  #quoted(node: ParseNode, read: (image: string) => LiteralResult): CelNode {
    const token = node.token('tok');
    if (token === undefined) return this.#builder.hole(spanOf(node));
    const reading = read(token.text);
    if (reading.ok) return this.#builder.literal(reading.constant, spanOf(node));
    this.#report(reading.message, node);
    // It stays a literal, so that an enclosing macro still sees a literal.
    return this.#builder.literal({ kind: 'string', value: token.text }, spanOf(node));
  }

  #report(message: string, node: ParseNode): CelNode {
    const at = errorOffset(this.#text, node.start.start, this.#builder);
    this.#builder.errors.push({ message, at, span: spanOf(node) });
    return this.#builder.hole(spanOf(node));
  }
}

/** Skips nodes that only wrap another one, such as parentheses. */
const unwrap = (outer: ParseNode | undefined): ParseNode | undefined => {
  let node = outer;
  for (;;) {
    if (node === undefined) return undefined;
    const wrapped = wrappedNode(node);
    if (wrapped === 'itself') return node;
    node = wrapped;
  }
};

const wrappedNode = (node: ParseNode): ParseNode | undefined | 'itself' => {
  const has = (label: string): boolean => node.token(label) !== undefined;
  switch (node.label) {
    case 'expr':
      return has('op') ? 'itself' : node.node('e');
    case 'conditionalOr':
    case 'conditionalAnd':
      return has('ops') ? 'itself' : node.node('e');
    case 'relation':
      return has('op') ? 'itself' : node.child('calc');
    case 'calc':
      return has('op') ? 'itself' : node.child('unary');
    case 'MemberExpr':
      return node.child('member');
    case 'PrimaryExpr':
      return node.child('primary');
    case 'Nested':
      return node.node('e');
    case 'ConstantLiteral':
      return node.child('literal');
    default:
      return 'itself';
  }
};

const tokenSpan = (token: Token): Span => span(token.start, token.end);

const spanOf = (node: ParseNode): Span =>
  span(node.start.start, Math.max(node.end, node.start.start));
