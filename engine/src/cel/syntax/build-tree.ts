/**
 * Builds the expression tree from chevrotain's concrete syntax tree in one pass. Parts that error
 * recovery skipped become holes. The grammar accepts a superset of CEL; expressions outside CEL are
 * detected here and set `faulty`.
 */
import type { CstElement, CstNode, IToken } from 'chevrotain';
import { span } from '../../source/span.ts';
import type { CelNode, MapEntry, StructField } from '../tree/ast.ts';
import { endOf, isClosed, isEmptySlot, nodeAt, spanOf, tokenAt } from './concrete-tree.ts';
import { isNumber, readLiteral } from './literal-token.ts';
import { readChain } from './operator-chain.ts';
import { ReaderPosition } from './reader-position.ts';
import { readStructName } from './struct-name.ts';
import { reservedNames, type TreeBuilder } from './tree-builder.ts';

const escapedFieldsSince = 37;

/** Builds the tree of a single expression. */
export class TreeReader {
  readonly #builder: TreeBuilder;
  readonly #position = new ReaderPosition();

  constructor(builder: TreeBuilder) {
    this.#builder = builder;
  }

  /** Upper bound of the height of the tree read last. */
  get height(): number {
    return this.#position.height;
  }

  /** True if the expression is invalid and its errors have to be computed. */
  get faulty(): boolean {
    return this.#position.faulty;
  }

  expression(cst: CstNode | undefined): CelNode {
    if (cst === undefined) return this.#missingNode();
    const { chain, Question, expression } = cst.children;
    const condition = this.#chain(nodeAt(chain, 0));
    const question = tokenAt(Question, 0);
    if (question === undefined) return condition;
    const start = this.#position.start;
    let height = this.#position.height;
    this.#position.moveTo(question);
    const whenTrue = this.#chain(nodeAt(chain, 1));
    height = Math.max(height, this.#position.height);
    const colon = tokenAt(cst.children.Colon, 0);
    if (colon !== undefined) this.#position.moveTo(colon);
    const whenFalse = this.expression(nodeAt(expression, 0));
    this.#position.height = Math.max(height, this.#position.height) + 1;
    this.#position.start = start;
    return this.#builder.call({
      span: span(start, this.#position.end),
      at: question.startOffset,
      function: '_?_:_',
      functionSpan: spanOf(question),
      target: undefined,
      args: [condition, whenTrue, whenFalse],
    });
  }

  #chain(cst: CstNode | undefined): CelNode {
    if (cst === undefined) return this.#missingNode();
    const { operand: operands, BinaryOperator: operators } = cst.children;
    if (operators === undefined) return this.#operand(nodeAt(operands, 0));
    const extent = readChain(operators, this.#builder, {
      operand: (index) => {
        const node = this.#operand(nodeAt(operands, index));
        return {
          node,
          start: this.#position.start,
          end: this.#position.end,
          height: this.#position.height,
        };
      },
      // A missing operand is located after the operator.
      moveBehind: (operator) => this.#position.moveTo(operator),
    });
    this.#position.start = extent.start;
    this.#position.end = extent.end;
    this.#position.height = extent.height;
    return extent.node;
  }

  #operand(cst: CstNode | undefined): CelNode {
    if (cst === undefined) return this.#missingNode();
    const { Not, Minus, primary, selector } = cst.children;
    const signs = Not ?? Minus;
    if (signs === undefined) return this.#member(nodeAt(primary, 0), selector, undefined);
    const sign = tokenAt(signs, 0);
    if (sign === undefined) return this.#missingNode();
    const last = tokenAt(signs, signs.length - 1);
    if (last !== undefined) this.#position.moveTo(last);
    // A single minus before a number is part of the literal and binds tighter than a selector.
    if (Not === undefined && signs.length === 1 && isNumber(nodeAt(primary, 0))) {
      return this.#member(nodeAt(primary, 0), selector, sign);
    }
    const node = this.#member(nodeAt(primary, 0), selector, undefined);
    this.#position.start = sign.startOffset;
    this.#position.height++;
    if (signs.length % 2 === 0) return node;
    return this.#builder.call({
      span: span(sign.startOffset, this.#position.end),
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
    const structName = selectors === undefined ? undefined : readStructName(primary, selectors);
    let node: CelNode;
    let next = 0;
    if (structName === undefined) {
      node = this.#primary(primary, sign);
    } else {
      node = this.#struct(structName.name, structName.start, structName.body);
      next = structName.nextSelector;
    }
    if (selectors === undefined) return node;
    const start = this.#position.start;
    let height = this.#position.height;
    for (let index = next; index < selectors.length; index++) {
      this.#position.height = 0;
      node = this.#selector(node, nodeAt(selectors, index), start);
      height = Math.max(height, this.#position.height) + 1;
    }
    this.#position.height = height;
    this.#position.start = start;
    return node;
  }

  #struct(name: string, start: number, cst: CstNode): CelNode {
    const brace = tokenAt(cst.children.LeftBrace, 0);
    if (brace !== undefined) this.#position.moveTo(brace);
    const fields: StructField[] = [];
    let height = 0;
    const slots = cst.children.structField ?? [];
    for (const [index, slot] of slots.entries()) {
      if (this.#position.skipEmptySlot(slots, index)) continue;
      const field = 'children' in slot ? this.#structField(slot) : undefined;
      if (field !== undefined) fields.push(field);
      height = Math.max(height, this.#position.height);
    }
    this.#position.height = height + 1;
    this.#position.moveToClosing(cst, 'RightBrace');
    this.#position.start = start;
    return this.#builder.struct(
      name,
      fields,
      span(start, this.#position.end),
      brace?.startOffset ?? start,
    );
  }

  #structField(cst: CstNode): StructField | undefined {
    const field = tokenAt(cst.children.field, 0);
    if (field === undefined) {
      this.#position.faulty = true;
      return undefined;
    }
    this.#position.moveTo(field);
    const colon = tokenAt(cst.children.Colon, 0);
    if (colon !== undefined) this.#position.moveTo(colon);
    const name = this.#fieldName(field);
    const value = this.expression(nodeAt(cst.children.expression, 0));
    return {
      id: this.#builder.nextId(),
      at: this.#builder.codePointOffset((colon ?? field).startOffset),
      name,
      value,
      optional: cst.children.Question !== undefined,
    };
  }

  #primary(cst: CstNode | undefined, sign: IToken | undefined): CelNode {
    if (cst === undefined) return this.#missingNode();
    const { literal, Identifier, LeftParen, LeftBracket, LeftBrace } = cst.children;
    const constant = tokenAt(literal, 0);
    if (constant !== undefined) return this.#literal(constant, sign);
    const name = tokenAt(Identifier, 0);
    if (name !== undefined) return this.#identOrCall(cst, name);
    const paren = tokenAt(LeftParen, 0);
    if (paren !== undefined) {
      this.#position.moveTo(paren);
      const inner = this.expression(nodeAt(cst.children.expression, 0));
      this.#position.moveToClosing(cst, 'RightParen');
      this.#position.start = paren.startOffset;
      this.#position.height++;
      return inner;
    }
    const bracket = tokenAt(LeftBracket, 0);
    if (bracket !== undefined) return this.#list(cst, bracket);
    const brace = tokenAt(LeftBrace, 0);
    if (brace !== undefined) return this.#map(cst, brace);
    return this.#missingNode();
  }

  #identOrCall(cst: CstNode, name: IToken): CelNode {
    const dot = tokenAt(cst.children.Dot, 0);
    const start = (dot ?? name).startOffset;
    if (name.isInsertedInRecovery === true) return this.#missingNode();
    const text = dot === undefined ? name.image : `.${name.image}`;
    const paren = tokenAt(cst.children.LeftParen, 0);
    if (reservedNames.has(name.image)) this.#position.faulty = true;
    this.#position.moveTo(name);
    if (paren === undefined) {
      this.#position.start = start;
      this.#position.height = 1;
      return this.#builder.ident(text, span(start, endOf(name)), name.startOffset);
    }
    this.#position.moveTo(paren);
    const args = this.#arguments(cst);
    this.#position.height++;
    this.#position.moveToClosing(cst, 'RightParen');
    this.#position.start = start;
    return this.#builder.callOrMacro({
      span: span(start, this.#position.end),
      at: paren.startOffset,
      function: text,
      functionSpan: spanOf(name),
      target: undefined,
      args,
    });
  }

  #arguments(cst: CstNode): readonly CelNode[] {
    const slots = cst.children.argument ?? [];
    this.#position.height = 0;
    if (slots.length < 2 && isEmptySlot(slots[0])) return [];
    const args: CelNode[] = [];
    let height = 0;
    for (const [index, slot] of slots.entries()) {
      this.#position.moveToSlot(cst, index);
      args.push(
        this.expression('children' in slot ? nodeAt(slot.children.expression, 0) : undefined),
      );
      height = Math.max(height, this.#position.height);
    }
    this.#position.height = height;
    return args;
  }

  #literal(token: IToken, sign: IToken | undefined): CelNode {
    const start = (sign ?? token).startOffset;
    this.#position.start = start;
    this.#position.end = endOf(token);
    this.#position.height = 1;
    const place = span(start, this.#position.end);
    if (token.tokenType.name === 'UnfinishedString') this.#position.faulty = true;
    const reading = readLiteral(token, sign !== undefined);
    if (!reading.ok) {
      this.#position.faulty = true;
      return this.#builder.hole(place);
    }
    return this.#builder.literal(reading.constant, place);
  }

  #list(cst: CstNode, bracket: IToken): CelNode {
    this.#position.moveTo(bracket);
    const elements: CelNode[] = [];
    const optional: number[] = [];
    let height = 0;
    const slots = cst.children.listElement ?? [];
    for (const [index, slot] of slots.entries()) {
      this.#position.moveToSlot(cst, index);
      const skipped = this.#position.skipEmptySlot(slots, index);
      // In a list without its closing bracket, an empty slot after the last comma is a missing
      // element.
      if (skipped && (isClosed(cst, 'RightBracket') || index === 0)) continue;
      if (!('children' in slot)) continue;
      if (slot.children.Question !== undefined) optional.push(elements.length);
      elements.push(this.expression(nodeAt(slot.children.expression, 0)));
      height = Math.max(height, this.#position.height);
    }
    this.#position.height = height + 1;
    this.#position.moveToClosing(cst, 'RightBracket');
    this.#position.start = bracket.startOffset;
    return this.#builder.list(elements, optional, span(this.#position.start, this.#position.end));
  }

  #map(cst: CstNode, brace: IToken): CelNode {
    this.#position.moveTo(brace);
    const entries: MapEntry[] = [];
    let height = 0;
    const slots = cst.children.mapEntry ?? [];
    for (const [index, slot] of slots.entries()) {
      if (this.#position.skipEmptySlot(slots, index)) continue;
      this.#position.moveToSlot(cst, index);
      if ('children' in slot) entries.push(this.#mapEntry(slot));
      height = Math.max(height, this.#position.height);
    }
    this.#position.height = height + 1;
    this.#position.moveToClosing(cst, 'RightBrace');
    this.#position.start = brace.startOffset;
    return this.#builder.map(entries, span(this.#position.start, this.#position.end));
  }

  #mapEntry(cst: CstNode): MapEntry {
    const key = this.expression(nodeAt(cst.children.expression, 0));
    const height = this.#position.height;
    const colon = tokenAt(cst.children.Colon, 0);
    if (colon !== undefined) this.#position.moveTo(colon);
    const value = this.expression(nodeAt(cst.children.expression, 1));
    this.#position.height = Math.max(height, this.#position.height);
    return {
      id: this.#builder.nextId(),
      at: this.#builder.codePointOffset(colon?.startOffset ?? this.#position.end),
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
    // A struct literal whose type is not a name.
    this.#position.faulty = true;
    return target;
  }

  #index(target: CelNode, cst: CstNode, place: { bracket: IToken; start: number }): CelNode {
    this.#position.moveTo(place.bracket);
    const index = this.expression(nodeAt(cst.children.expression, 0));
    this.#position.moveToClosing(cst, 'RightBracket');
    return this.#builder.call({
      span: span(place.start, this.#position.end),
      at: place.bracket.startOffset,
      function: cst.children.Question === undefined ? '_[_]' : '_[?_]',
      functionSpan: spanOf(place.bracket),
      target: undefined,
      args: [target, index],
    });
  }

  #select(target: CelNode, cst: CstNode, place: { dot: IToken; start: number }): CelNode {
    const fieldToken = tokenAt(cst.children.field, 0);
    const question = tokenAt(cst.children.Question, 0);
    this.#position.moveTo(question ?? place.dot);
    const field = fieldToken?.isInsertedInRecovery === true ? undefined : fieldToken;
    const fieldSpan =
      field === undefined ? span(this.#position.end, this.#position.end) : spanOf(field);
    if (field === undefined) this.#position.faulty = true;
    this.#position.end = fieldSpan.end;
    const name = field === undefined ? '' : this.#fieldName(field);
    const paren = tokenAt(cst.children.LeftParen, 0);
    if (paren !== undefined) {
      if (question !== undefined || field?.image.startsWith('`')) this.#position.faulty = true;
      this.#position.moveTo(paren);
      const args = this.#arguments(cst);
      this.#position.moveToClosing(cst, 'RightParen');
      return this.#builder.callOrMacro({
        span: span(place.start, this.#position.end),
        at: paren.startOffset,
        function: name,
        functionSpan: fieldSpan,
        target,
        args,
      });
    }
    if (question === undefined) {
      return this.#builder.select(target, name, {
        span: span(place.start, this.#position.end),
        at: place.dot.startOffset,
        fieldSpan,
      });
    }
    const literal = this.#builder.literal({ kind: 'string', value: name }, fieldSpan);
    return this.#builder.call({
      span: span(place.start, this.#position.end),
      at: place.dot.startOffset,
      function: '_?._',
      functionSpan: spanOf(place.dot),
      target: undefined,
      args: [target, literal],
    });
  }

  #fieldName(field: IToken): string {
    if (!field.image.startsWith('`')) return field.image;
    if (this.#builder.release < escapedFieldsSince) this.#position.faulty = true;
    return field.image.slice(1, -1);
  }

  #missingNode(): CelNode {
    this.#position.faulty = true;
    this.#position.start = this.#position.end;
    return this.#builder.hole(span(this.#position.end, this.#position.end));
  }
}
