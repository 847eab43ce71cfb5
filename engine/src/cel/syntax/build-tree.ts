/**
 * Concrete tree -> tree, in one pass. Where recovery left something out there is a hole; what the
 * flat grammar takes although the language does not is found here. `faulty` tells that the text is
 * not good, so that the errors must be worked out.
 */
import type { CstElement, CstNode, IToken } from 'chevrotain';
import { span } from '../../source/span.ts';
import type { CelNode, MapEntry, StructField } from '../tree/ast.ts';
import { endOf, isClosed, isEmptySlot, nodeAt, spanOf, tokenAt } from './concrete-tree.ts';
import { isNumber, readLiteral } from './literal-token.ts';
import { readChain } from './operator-chain.ts';
import { Places } from './reader-position.ts';
import { structName } from './struct-name.ts';
import { reservedNames, type TreeBuilder } from './tree-builder.ts';

const backtickSince = 37;

/** Makes the tree of one expression. */
export class TreeReader {
  readonly #builder: TreeBuilder;
  readonly #places = new Places();

  constructor(builder: TreeBuilder) {
    this.#builder = builder;
  }

  /** Upper bound of how deep what was read last is. */
  get height(): number {
    return this.#places.height;
  }

  /** The text is not good, so the errors must be worked out. */
  get faulty(): boolean {
    return this.#places.faulty;
  }

  expression(cst: CstNode | undefined): CelNode {
    if (cst === undefined) return this.#missing();
    const { chain, Question, expression } = cst.children;
    const condition = this.#chain(nodeAt(chain, 0));
    const question = tokenAt(Question, 0);
    if (question === undefined) return condition;
    const start = this.#places.start;
    let height = this.#places.height;
    this.#places.moveTo(question);
    const whenTrue = this.#chain(nodeAt(chain, 1));
    height = Math.max(height, this.#places.height);
    const colon = tokenAt(cst.children.Colon, 0);
    if (colon !== undefined) this.#places.moveTo(colon);
    const whenFalse = this.expression(nodeAt(expression, 0));
    this.#places.height = Math.max(height, this.#places.height) + 1;
    this.#places.start = start;
    return this.#builder.call({
      span: span(start, this.#places.end),
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
        return {
          node,
          start: this.#places.start,
          end: this.#places.end,
          height: this.#places.height,
        };
      },
      // A missing operand gets its place behind the operator.
      behind: (operator) => this.#places.moveTo(operator),
    });
    this.#places.start = extent.start;
    this.#places.end = extent.end;
    this.#places.height = extent.height;
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
    if (last !== undefined) this.#places.moveTo(last);
    // One minus in front of a number belongs to the number, and binds closer than a selector.
    if (Not === undefined && signs.length === 1 && isNumber(nodeAt(primary, 0))) {
      return this.#member(nodeAt(primary, 0), selector, sign);
    }
    const node = this.#member(nodeAt(primary, 0), selector, undefined);
    this.#places.start = sign.startOffset;
    this.#places.height++;
    if (signs.length % 2 === 0) return node;
    return this.#builder.call({
      span: span(sign.startOffset, this.#places.end),
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
    const start = this.#places.start;
    let height = this.#places.height;
    for (let index = next; index < selectors.length; index++) {
      this.#places.height = 0;
      node = this.#selector(node, nodeAt(selectors, index), start);
      height = Math.max(height, this.#places.height) + 1;
    }
    this.#places.height = height;
    this.#places.start = start;
    return node;
  }

  #struct(name: string, start: number, cst: CstNode): CelNode {
    const brace = tokenAt(cst.children.LeftBrace, 0);
    if (brace !== undefined) this.#places.moveTo(brace);
    const fields: StructField[] = [];
    let height = 0;
    const slots = cst.children.structField ?? [];
    for (const [index, slot] of slots.entries()) {
      if (this.#places.skipsSlot(slots, index)) continue;
      const field = 'children' in slot ? this.#structField(slot) : undefined;
      if (field !== undefined) fields.push(field);
      height = Math.max(height, this.#places.height);
    }
    this.#places.height = height + 1;
    this.#places.close(cst, 'RightBrace');
    this.#places.start = start;
    return this.#builder.struct(
      name,
      fields,
      span(start, this.#places.end),
      brace?.startOffset ?? start,
    );
  }

  #structField(cst: CstNode): StructField | undefined {
    const field = tokenAt(cst.children.field, 0);
    if (field === undefined) {
      this.#places.faulty = true;
      return undefined;
    }
    this.#places.moveTo(field);
    const colon = tokenAt(cst.children.Colon, 0);
    if (colon !== undefined) this.#places.moveTo(colon);
    const name = this.#fieldName(field);
    const value = this.expression(nodeAt(cst.children.expression, 0));
    return {
      id: this.#builder.id(),
      at: this.#builder.at((colon ?? field).startOffset),
      name,
      value,
      optional: cst.children.Question !== undefined,
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
      this.#places.moveTo(paren);
      const inner = this.expression(nodeAt(cst.children.expression, 0));
      this.#places.close(cst, 'RightParen');
      this.#places.start = paren.startOffset;
      this.#places.height++;
      return inner;
    }
    const bracket = tokenAt(LeftBracket, 0);
    if (bracket !== undefined) return this.#list(cst, bracket);
    const brace = tokenAt(LeftBrace, 0);
    if (brace !== undefined) return this.#map(cst, brace);
    return this.#missing();
  }

  #named(cst: CstNode, name: IToken): CelNode {
    const dot = tokenAt(cst.children.Dot, 0);
    const start = (dot ?? name).startOffset;
    if (name.isInsertedInRecovery === true) return this.#missing();
    const text = dot === undefined ? name.image : `.${name.image}`;
    const paren = tokenAt(cst.children.LeftParen, 0);
    if (reservedNames.has(name.image)) this.#places.faulty = true;
    this.#places.moveTo(name);
    if (paren === undefined) {
      this.#places.start = start;
      this.#places.height = 1;
      return this.#builder.ident(text, span(start, endOf(name)), name.startOffset);
    }
    this.#places.moveTo(paren);
    const args = this.#arguments(cst);
    this.#places.height++;
    this.#places.close(cst, 'RightParen');
    this.#places.start = start;
    return this.#builder.callOrMacro({
      span: span(start, this.#places.end),
      at: paren.startOffset,
      function: text,
      functionSpan: spanOf(name),
      target: undefined,
      args,
    });
  }

  #arguments(cst: CstNode): readonly CelNode[] {
    const slots = cst.children.argument ?? [];
    this.#places.height = 0;
    if (slots.length < 2 && isEmptySlot(slots[0])) return [];
    const args: CelNode[] = [];
    let height = 0;
    for (const [index, slot] of slots.entries()) {
      this.#places.moveToSlot(cst, index);
      args.push(
        this.expression('children' in slot ? nodeAt(slot.children.expression, 0) : undefined),
      );
      height = Math.max(height, this.#places.height);
    }
    this.#places.height = height;
    return args;
  }

  #literal(token: IToken, sign: IToken | undefined): CelNode {
    const start = (sign ?? token).startOffset;
    this.#places.start = start;
    this.#places.end = endOf(token);
    this.#places.height = 1;
    const place = span(start, this.#places.end);
    if (token.tokenType.name === 'UnfinishedString') this.#places.faulty = true;
    const reading = readLiteral(token, sign !== undefined);
    if (!reading.ok) {
      this.#places.faulty = true;
      return this.#builder.hole(place);
    }
    return this.#builder.literal(reading.constant, place);
  }

  #list(cst: CstNode, bracket: IToken): CelNode {
    this.#places.moveTo(bracket);
    const elements: CelNode[] = [];
    const optional: number[] = [];
    let height = 0;
    const slots = cst.children.listElement ?? [];
    for (const [index, slot] of slots.entries()) {
      this.#places.moveToSlot(cst, index);
      const skipped = this.#places.skipsSlot(slots, index);
      // In a list that is still being written, the place behind the last comma is one to fill.
      if (skipped && (isClosed(cst, 'RightBracket') || index === 0)) continue;
      if (!('children' in slot)) continue;
      if (slot.children.Question !== undefined) optional.push(elements.length);
      elements.push(this.expression(nodeAt(slot.children.expression, 0)));
      height = Math.max(height, this.#places.height);
    }
    this.#places.height = height + 1;
    this.#places.close(cst, 'RightBracket');
    this.#places.start = bracket.startOffset;
    return this.#builder.list(elements, optional, span(this.#places.start, this.#places.end));
  }

  #map(cst: CstNode, brace: IToken): CelNode {
    this.#places.moveTo(brace);
    const entries: MapEntry[] = [];
    let height = 0;
    const slots = cst.children.mapEntry ?? [];
    for (const [index, slot] of slots.entries()) {
      if (this.#places.skipsSlot(slots, index)) continue;
      this.#places.moveToSlot(cst, index);
      if ('children' in slot) entries.push(this.#mapEntry(slot));
      height = Math.max(height, this.#places.height);
    }
    this.#places.height = height + 1;
    this.#places.close(cst, 'RightBrace');
    this.#places.start = brace.startOffset;
    return this.#builder.map(entries, span(this.#places.start, this.#places.end));
  }

  #mapEntry(cst: CstNode): MapEntry {
    const key = this.expression(nodeAt(cst.children.expression, 0));
    const height = this.#places.height;
    const colon = tokenAt(cst.children.Colon, 0);
    if (colon !== undefined) this.#places.moveTo(colon);
    const value = this.expression(nodeAt(cst.children.expression, 1));
    this.#places.height = Math.max(height, this.#places.height);
    return {
      id: this.#builder.id(),
      at: this.#builder.at(colon?.startOffset ?? this.#places.end),
      key,
      value,
      optional: cst.children.Question !== undefined,
    };
  }

  #selector(target: CelNode, cst: CstNode | undefined, start: number): CelNode {
    if (cst === undefined) return target;
    const bracket = tokenAt(cst.children.LeftBracket, 0);
    if (bracket !== undefined) return this.#index(target, cst, { bracket, start });
    const dot = tokenAt(cst.children.Dot, 0);
    if (dot !== undefined) return this.#select(target, cst, { dot, start });
    // A brace behind something that is no name.
    this.#places.faulty = true;
    return target;
  }

  #index(target: CelNode, cst: CstNode, place: { bracket: IToken; start: number }): CelNode {
    this.#places.moveTo(place.bracket);
    const index = this.expression(nodeAt(cst.children.expression, 0));
    this.#places.close(cst, 'RightBracket');
    return this.#builder.call({
      span: span(place.start, this.#places.end),
      at: place.bracket.startOffset,
      function: cst.children.Question === undefined ? '_[_]' : '_[?_]',
      functionSpan: spanOf(place.bracket),
      target: undefined,
      args: [target, index],
    });
  }

  #select(target: CelNode, cst: CstNode, place: { dot: IToken; start: number }): CelNode {
    const written = tokenAt(cst.children.field, 0);
    const question = tokenAt(cst.children.Question, 0);
    this.#places.moveTo(question ?? place.dot);
    const field = written?.isInsertedInRecovery === true ? undefined : written;
    const fieldSpan =
      field === undefined ? span(this.#places.end, this.#places.end) : spanOf(field);
    if (field === undefined) this.#places.faulty = true;
    this.#places.end = fieldSpan.end;
    const name = field === undefined ? '' : this.#fieldName(field);
    const paren = tokenAt(cst.children.LeftParen, 0);
    if (paren !== undefined) {
      if (question !== undefined || field?.image.startsWith('`')) this.#places.faulty = true;
      this.#places.moveTo(paren);
      const args = this.#arguments(cst);
      this.#places.close(cst, 'RightParen');
      return this.#builder.callOrMacro({
        span: span(place.start, this.#places.end),
        at: paren.startOffset,
        function: name,
        functionSpan: fieldSpan,
        target,
        args,
      });
    }
    if (question === undefined) {
      return this.#builder.select(target, name, {
        span: span(place.start, this.#places.end),
        at: place.dot.startOffset,
        fieldSpan,
      });
    }
    const literal = this.#builder.literal({ kind: 'string', value: name }, fieldSpan);
    return this.#builder.call({
      span: span(place.start, this.#places.end),
      at: place.dot.startOffset,
      function: '_?._',
      functionSpan: spanOf(place.dot),
      target: undefined,
      args: [target, literal],
    });
  }

  #fieldName(field: IToken): string {
    if (!field.image.startsWith('`')) return field.image;
    if (this.#builder.release < backtickSince) this.#places.faulty = true;
    return field.image.slice(1, -1);
  }

  #missing(): CelNode {
    this.#places.faulty = true;
    this.#places.start = this.#places.end;
    return this.#builder.hole(span(this.#places.end, this.#places.end));
  }
}
