/**
 * Concrete tree -> tree, in one pass. Where recovery left something out there is a hole; what the
 * flat grammar takes although the language does not is found here. `faulty` tells that the text is
 * not good, so that the errors must be worked out.
 */
import type { CstElement, CstNode, IToken } from 'chevrotain';
import { span } from '../source/span.ts';
import type { CelNode, MapEntry, StructField } from './ast.ts';
import { endOf, isClosed, isEmptySlot, nodeAt, spanOf, tokenAt } from './concrete-tree.ts';
import { isNumber, readLiteral } from './literal-token.ts';
import { readChain } from './operator-chain.ts';
import { reservedNames, type TreeBuilder } from './tree-builder.ts';

const backtickSince = 37;

/** Makes the tree of one expression. */
export class TreeReader {
  faulty = false;
  readonly #builder: TreeBuilder;
  /** Extents of what was read last, brackets included. */
  #start = 0;
  #end = 0;
  /**
   * Upper bound of how deep what was read last is: nodes and brackets on the longest way down.
   */
  #height = 0;

  constructor(builder: TreeBuilder) {
    this.#builder = builder;
  }

  get height(): number {
    return this.#height;
  }

  expression(cst: CstNode | undefined): CelNode {
    if (cst === undefined) return this.#missing();
    const { chain, Question, expression } = cst.children;
    const condition = this.#chain(nodeAt(chain, 0));
    const question = tokenAt(Question, 0);
    if (question === undefined) return condition;
    const start = this.#start;
    let height = this.#height;
    this.#moveTo(question);
    const whenTrue = this.#chain(nodeAt(chain, 1));
    height = Math.max(height, this.#height);
    const colon = tokenAt(cst.children['Colon'], 0);
    if (colon !== undefined) this.#moveTo(colon);
    const whenFalse = this.expression(nodeAt(expression, 0));
    this.#height = Math.max(height, this.#height) + 1;
    this.#start = start;
    return this.#builder.call({
      span: span(start, this.#end),
      at: question.startOffset,
      function: '_?_:_',
      functionSpan: spanOf(question),
      target: undefined,
      args: [condition, whenTrue, whenFalse],
    });
  }

  #chain(cst: CstNode | undefined): CelNode {
    if (cst === undefined) return this.#missing();
    const { operand: operands, BinaryOperator: operators } = cst.children;
    if (operators === undefined) return this.#operand(nodeAt(operands, 0));
    const extent = readChain(operators, this.#builder, {
      operand: (index) => {
        const node = this.#operand(nodeAt(operands, index));
        return { node, start: this.#start, end: this.#end, height: this.#height };
      },
      // A missing operand gets its place behind the operator.
      behind: (operator) => this.#moveTo(operator),
    });
    this.#start = extent.start;
    this.#end = extent.end;
    this.#height = extent.height;
    return extent.node;
  }

  #operand(cst: CstNode | undefined): CelNode {
    if (cst === undefined) return this.#missing();
    const { Not, Minus, primary, selector } = cst.children;
    const signs = Not ?? Minus;
    if (signs === undefined) return this.#member(nodeAt(primary, 0), selector, undefined);
    const sign = tokenAt(signs, 0);
    if (sign === undefined) return this.#missing();
    const last = tokenAt(signs, signs.length - 1);
    if (last !== undefined) this.#moveTo(last);
    // One minus in front of a number belongs to the number, and binds closer than a selector.
    if (Not === undefined && signs.length === 1 && isNumber(nodeAt(primary, 0))) {
      return this.#member(nodeAt(primary, 0), selector, sign);
    }
    const node = this.#member(nodeAt(primary, 0), selector, undefined);
    this.#start = sign.startOffset;
    this.#height++;
    if (signs.length % 2 === 0) return node;
    return this.#builder.call({
      span: span(sign.startOffset, this.#end),
      at: sign.startOffset,
      function: Not === undefined ? '-_' : '!_',
      functionSpan: spanOf(sign),
      target: undefined,
      args: [node],
    });
  }

  #member(
    primary: CstNode | undefined,
    selectors: readonly CstElement[] | undefined,
    sign: IToken | undefined,
  ): CelNode {
    const names = selectors === undefined ? undefined : structName(primary, selectors);
    let node: CelNode;
    let next = 0;
    if (names === undefined) {
      node = this.#primary(primary, sign);
    } else {
      node = this.#struct(names.name, names.start, names.body);
      next = names.next;
    }
    if (selectors === undefined) return node;
    const start = this.#start;
    let height = this.#height;
    for (let index = next; index < selectors.length; index++) {
      this.#height = 0;
      node = this.#selector(node, nodeAt(selectors, index), start);
      height = Math.max(height, this.#height) + 1;
    }
    this.#height = height;
    this.#start = start;
    return node;
  }

  #struct(name: string, start: number, cst: CstNode): CelNode {
    const brace = tokenAt(cst.children['LeftBrace'], 0);
    if (brace !== undefined) this.#moveTo(brace);
    const fields: StructField[] = [];
    let height = 0;
    const slots = cst.children['structField'] ?? [];
    for (const [index, slot] of slots.entries()) {
      if (this.#skipsSlot(slots, index)) continue;
      const field = 'children' in slot ? this.#structField(slot) : undefined;
      if (field !== undefined) fields.push(field);
      height = Math.max(height, this.#height);
    }
    this.#height = height + 1;
    this.#close(cst, 'RightBrace');
    this.#start = start;
    return this.#builder.struct(name, fields, span(start, this.#end), brace?.startOffset ?? start);
  }

  #structField(cst: CstNode): StructField | undefined {
    const field = tokenAt(cst.children['field'], 0);
    if (field === undefined) {
      this.faulty = true;
      return undefined;
    }
    this.#moveTo(field);
    const colon = tokenAt(cst.children['Colon'], 0);
    if (colon !== undefined) this.#moveTo(colon);
    const name = this.#fieldName(field);
    const value = this.expression(nodeAt(cst.children['expression'], 0));
    return {
      id: this.#builder.id(),
      at: this.#builder.at((colon ?? field).startOffset),
      name,
      value,
      optional: cst.children['Question'] !== undefined,
    };
  }

  #primary(cst: CstNode | undefined, sign: IToken | undefined): CelNode {
    if (cst === undefined) return this.#missing();
    const { literal, Identifier, LeftParen, LeftBracket, LeftBrace } = cst.children;
    const constant = tokenAt(literal, 0);
    if (constant !== undefined) return this.#literal(constant, sign);
    const name = tokenAt(Identifier, 0);
    if (name !== undefined) return this.#named(cst, name);
    const paren = tokenAt(LeftParen, 0);
    if (paren !== undefined) {
      this.#moveTo(paren);
      const inner = this.expression(nodeAt(cst.children['expression'], 0));
      this.#close(cst, 'RightParen');
      this.#start = paren.startOffset;
      this.#height++;
      return inner;
    }
    const bracket = tokenAt(LeftBracket, 0);
    if (bracket !== undefined) return this.#list(cst, bracket);
    const brace = tokenAt(LeftBrace, 0);
    if (brace !== undefined) return this.#map(cst, brace);
    return this.#missing();
  }

  #named(cst: CstNode, name: IToken): CelNode {
    const dot = tokenAt(cst.children['Dot'], 0);
    const start = (dot ?? name).startOffset;
    if (name.isInsertedInRecovery === true) return this.#missing();
    const text = dot === undefined ? name.image : `.${name.image}`;
    const paren = tokenAt(cst.children['LeftParen'], 0);
    if (reservedNames.has(name.image)) this.faulty = true;
    this.#moveTo(name);
    if (paren === undefined) {
      this.#start = start;
      this.#height = 1;
      return this.#builder.ident(text, span(start, endOf(name)), name.startOffset);
    }
    this.#moveTo(paren);
    const args = this.#arguments(cst);
    this.#height++;
    this.#close(cst, 'RightParen');
    this.#start = start;
    return this.#builder.callOrMacro({
      span: span(start, this.#end),
      at: paren.startOffset,
      function: text,
      functionSpan: spanOf(name),
      target: undefined,
      args,
    });
  }

  #arguments(cst: CstNode): readonly CelNode[] {
    const slots = cst.children['argument'] ?? [];
    this.#height = 0;
    if (slots.length < 2 && isEmptySlot(slots[0])) return [];
    const args: CelNode[] = [];
    let height = 0;
    for (const [index, slot] of slots.entries()) {
      this.#moveToSlot(cst, index);
      args.push(
        this.expression('children' in slot ? nodeAt(slot.children['expression'], 0) : undefined),
      );
      height = Math.max(height, this.#height);
    }
    this.#height = height;
    return args;
  }

  /** Behind the comma before a slot, so that a missing part gets its place there. */
  #moveToSlot(cst: CstNode, index: number): void {
    const comma = index === 0 ? undefined : tokenAt(cst.children['Comma'], index - 1);
    if (comma !== undefined) this.#moveTo(comma);
  }

  /**
   * True for a slot without content. That is an error, but for the last one: `[]`, `[a,]`, and `[,]`.
   */
  #skipsSlot(slots: readonly CstElement[], index: number): boolean {
    if (!isEmptySlot(slots[index])) return false;
    const isLast = index === slots.length - 1;
    const isLonePair = slots.length === 2 && isEmptySlot(slots[1]);
    const fits = isLast ? slots.length < 3 || !isEmptySlot(slots[index - 1]) : isLonePair;
    if (!fits) this.faulty = true;
    return true;
  }

  #literal(token: IToken, sign: IToken | undefined): CelNode {
    const start = (sign ?? token).startOffset;
    this.#start = start;
    this.#end = endOf(token);
    this.#height = 1;
    const place = span(start, this.#end);
    if (token.tokenType.name === 'UnfinishedString') this.faulty = true;
    const reading = readLiteral(token, sign !== undefined);
    if (!reading.ok) {
      this.faulty = true;
      return this.#builder.hole(place);
    }
    return this.#builder.literal(reading.constant, place);
  }

  #list(cst: CstNode, bracket: IToken): CelNode {
    this.#moveTo(bracket);
    const elements: CelNode[] = [];
    const optional: number[] = [];
    let height = 0;
    const slots = cst.children['listElement'] ?? [];
    for (const [index, slot] of slots.entries()) {
      this.#moveToSlot(cst, index);
      const skipped = this.#skipsSlot(slots, index);
      // In a list that is still being written, the place behind the last comma is one to fill.
      if (skipped && (isClosed(cst, 'RightBracket') || index === 0)) continue;
      if (!('children' in slot)) continue;
      if (slot.children['Question'] !== undefined) optional.push(elements.length);
      elements.push(this.expression(nodeAt(slot.children['expression'], 0)));
      height = Math.max(height, this.#height);
    }
    this.#height = height + 1;
    this.#close(cst, 'RightBracket');
    this.#start = bracket.startOffset;
    return this.#builder.list(elements, optional, span(this.#start, this.#end));
  }

  #map(cst: CstNode, brace: IToken): CelNode {
    this.#moveTo(brace);
    const entries: MapEntry[] = [];
    let height = 0;
    const slots = cst.children['mapEntry'] ?? [];
    for (const [index, slot] of slots.entries()) {
      if (this.#skipsSlot(slots, index)) continue;
      this.#moveToSlot(cst, index);
      if ('children' in slot) entries.push(this.#mapEntry(slot));
      height = Math.max(height, this.#height);
    }
    this.#height = height + 1;
    this.#close(cst, 'RightBrace');
    this.#start = brace.startOffset;
    return this.#builder.map(entries, span(this.#start, this.#end));
  }

  #mapEntry(cst: CstNode): MapEntry {
    const key = this.expression(nodeAt(cst.children['expression'], 0));
    const height = this.#height;
    const colon = tokenAt(cst.children['Colon'], 0);
    if (colon !== undefined) this.#moveTo(colon);
    const value = this.expression(nodeAt(cst.children['expression'], 1));
    this.#height = Math.max(height, this.#height);
    return {
      id: this.#builder.id(),
      at: this.#builder.at(colon?.startOffset ?? this.#end),
      key,
      value,
      optional: cst.children['Question'] !== undefined,
    };
  }

  #selector(target: CelNode, cst: CstNode | undefined, start: number): CelNode {
    if (cst === undefined) return target;
    const bracket = tokenAt(cst.children['LeftBracket'], 0);
    if (bracket !== undefined) return this.#index(target, cst, { bracket, start });
    const dot = tokenAt(cst.children['Dot'], 0);
    if (dot !== undefined) return this.#select(target, cst, { dot, start });
    // A brace behind something that is no name.
    this.faulty = true;
    return target;
  }

  #index(target: CelNode, cst: CstNode, place: { bracket: IToken; start: number }): CelNode {
    this.#moveTo(place.bracket);
    const index = this.expression(nodeAt(cst.children['expression'], 0));
    this.#close(cst, 'RightBracket');
    return this.#builder.call({
      span: span(place.start, this.#end),
      at: place.bracket.startOffset,
      function: cst.children['Question'] === undefined ? '_[_]' : '_[?_]',
      functionSpan: spanOf(place.bracket),
      target: undefined,
      args: [target, index],
    });
  }

  #select(target: CelNode, cst: CstNode, place: { dot: IToken; start: number }): CelNode {
    const written = tokenAt(cst.children['field'], 0);
    const question = tokenAt(cst.children['Question'], 0);
    this.#moveTo(question ?? place.dot);
    const field = written?.isInsertedInRecovery === true ? undefined : written;
    const fieldSpan = field === undefined ? span(this.#end, this.#end) : spanOf(field);
    if (field === undefined) this.faulty = true;
    this.#end = fieldSpan.end;
    const name = field === undefined ? '' : this.#fieldName(field);
    const paren = tokenAt(cst.children['LeftParen'], 0);
    if (paren !== undefined) {
      if (question !== undefined || field?.image.startsWith('`')) this.faulty = true;
      this.#moveTo(paren);
      const args = this.#arguments(cst);
      this.#close(cst, 'RightParen');
      return this.#builder.callOrMacro({
        span: span(place.start, this.#end),
        at: paren.startOffset,
        function: name,
        functionSpan: fieldSpan,
        target,
        args,
      });
    }
    if (question === undefined) {
      return this.#builder.select(target, name, {
        span: span(place.start, this.#end),
        at: place.dot.startOffset,
        fieldSpan,
      });
    }
    const literal = this.#builder.literal({ kind: 'string', value: name }, fieldSpan);
    return this.#builder.call({
      span: span(place.start, this.#end),
      at: place.dot.startOffset,
      function: '_?._',
      functionSpan: spanOf(place.dot),
      target: undefined,
      args: [target, literal],
    });
  }

  #fieldName(field: IToken): string {
    if (!field.image.startsWith('`')) return field.image;
    if (this.#builder.release < backtickSince) this.faulty = true;
    return field.image.slice(1, -1);
  }

  #missing(): CelNode {
    this.faulty = true;
    this.#start = this.#end;
    return this.#builder.hole(span(this.#end, this.#end));
  }

  #close(cst: CstNode, name: string): void {
    const closing = tokenAt(cst.children[name], 0);
    if (closing !== undefined) this.#moveTo(closing);
  }

  #moveTo(token: IToken): void {
    if (token.isInsertedInRecovery === true || Number.isNaN(token.startOffset)) return;
    this.#end = endOf(token);
  }
}

/** `a.b{`: the names before the first brace, when they are nothing but names. */
const structName = (
  primary: CstNode | undefined,
  selectors: readonly CstElement[],
):
  | { readonly name: string; readonly start: number; readonly body: CstNode; readonly next: number }
  | undefined => {
  const braceAt = selectors.findIndex(
    (element) => 'children' in element && element.children['LeftBrace'] !== undefined,
  );
  const body = braceAt < 0 ? undefined : nodeAt(selectors, braceAt);
  const first = tokenAt(primary?.children['Identifier'], 0);
  if (body === undefined || first === undefined) return undefined;
  if (primary?.children['LeftParen'] !== undefined) return undefined;
  const dot = tokenAt(primary?.children['Dot'], 0);
  let name = dot === undefined ? first.image : `.${first.image}`;
  for (let index = 0; index < braceAt; index++) {
    const children = nodeAt(selectors, index)?.children;
    const field = tokenAt(children?.['field'], 0);
    const plain = children?.['Question'] === undefined && children?.['LeftParen'] === undefined;
    if (field === undefined || !plain || field.image.startsWith('`')) return undefined;
    name += `.${field.image}`;
  }
  return { name, start: (dot ?? first).startOffset, body, next: braceAt + 1 };
};
