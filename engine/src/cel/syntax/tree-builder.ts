/**
 * Creates the nodes of a tree, with ids and code point offsets, expands macros and collects errors.
 * Both the fast parser and the reference parser use it.
 */
import { sortedIndex } from '../../formats/sorted-index.ts';
import type { Release } from '../../model/release.ts';
import type { Span } from '../../source/span.ts';
import type {
  CallNode,
  CelNode,
  CelSyntaxError,
  Constant,
  HoleNode,
  MacroCall,
  MapEntry,
  StructField,
} from '../tree/ast.ts';
import { isMacroError } from './macro-expansion.ts';
import { authenticationMacros, findMacro, type MacroTable } from './macros.ts';

/** The parts of a call, which may be a macro call. */
export interface CallParts {
  readonly span: Span;
  /** UTF-16 offset of the opening parenthesis or operator. */
  readonly at: number;
  readonly function: string;
  readonly functionSpan: Span;
  readonly target: CelNode | undefined;
  readonly args: readonly CelNode[];
}

/** The function names of the binary operators. */
export const operatorNames: ReadonlyMap<string, string> = new Map([
  ['+', '_+_'],
  ['/', '_/_'],
  ['==', '_==_'],
  ['>', '_>_'],
  ['>=', '_>=_'],
  ['in', '@in'],
  ['<', '_<_'],
  ['<=', '_<=_'],
  ['%', '_%_'],
  ['*', '_*_'],
  ['!=', '_!=_'],
  ['-', '_-_'],
  ['&&', '_&&_'],
  ['||', '_||_'],
]);

/** Reserved names: they cannot be variables or functions, but they can be fields. */
export const reservedNames: ReadonlySet<string> = new Set(
  (
    'as break const continue else false for function if import in let loop package namespace null ' +
    'return true var void while'
  ).split(' '),
);

/**
 * Maximum number of nodes in a tree. `optMap` and `optFlatMap` copy their receiver, so the size of
 * a
 * chain of calls doubles with each call. cel-go has no such limit and runs out of memory.
 */
export const maxNodes = 300_000;

/** Thrown when a tree exceeds `maxNodes`; `parseCel` converts it to a syntax error. */
export class TreeTooLargeError extends Error {}

/** Creates the nodes of one expression. */
export class TreeBuilder {
  readonly errors: CelSyntaxError[] = [];
  readonly macroCalls: MacroCall[] = [];
  readonly release: Release;
  readonly macros: MacroTable;
  #nextId = 1;
  #codePoints: CodePointIndex;

  constructor(text: string, options: { readonly release: Release; readonly macros?: MacroTable }) {
    this.release = options.release;
    this.macros = options.macros ?? authenticationMacros;
    this.#codePoints = codePointIndex(text);
  }

  nextId(): number {
    if (this.#nextId > maxNodes) throw new TreeTooLargeError();
    return this.#nextId++;
  }

  /** Converts a UTF-16 offset to a code point offset. */
  codePointOffset(offset: number): number {
    return this.#codePoints(offset);
  }

  hole(span: Span): HoleNode {
    return { kind: 'hole', id: this.nextId(), span, at: this.codePointOffset(span.start) };
  }

  literal(constant: Constant, span: Span): CelNode {
    return {
      kind: 'literal',
      id: this.nextId(),
      span,
      at: this.codePointOffset(span.start),
      constant,
    };
  }

  ident(name: string, span: Span, at: number): CelNode {
    return { kind: 'ident', id: this.nextId(), span, at: this.codePointOffset(at), name };
  }

  select(
    operand: CelNode,
    field: string,
    place: { span: Span; at: number; fieldSpan: Span },
  ): CelNode {
    return {
      kind: 'select',
      id: this.nextId(),
      span: place.span,
      at: this.codePointOffset(place.at),
      operand,
      field,
      fieldSpan: place.fieldSpan,
      testOnly: false,
    };
  }

  list(elements: readonly CelNode[], optionalIndices: readonly number[], span: Span): CelNode {
    const at = this.codePointOffset(span.start);
    return { kind: 'list', id: this.nextId(), span, at, elements, optionalIndices };
  }

  map(entries: readonly MapEntry[], span: Span): CelNode {
    return { kind: 'map', id: this.nextId(), span, at: this.codePointOffset(span.start), entries };
  }

  struct(typeName: string, fields: readonly StructField[], span: Span, at: number): CelNode {
    return {
      kind: 'struct',
      id: this.nextId(),
      span,
      at: this.codePointOffset(at),
      typeName,
      fields,
    };
  }

  /** Creates a call that cannot be a macro call. */
  call(parts: CallParts): CallNode {
    return {
      kind: 'call',
      id: this.nextId(),
      span: parts.span,
      at: this.codePointOffset(parts.at),
      function: parts.function,
      functionSpan: parts.functionSpan,
      target: parts.target,
      args: parts.args,
    };
  }

  /**
   * Creates a call by name and expands it if it is a macro call. A macro call with invalid
   * arguments is reported and becomes a hole.
   */
  callOrMacro(parts: CallParts): CelNode {
    const macro = findMacro(parts, this);
    if (macro === undefined) return this.call(parts);
    const call = this.call(parts);
    const expansion = macro(call, this);
    if (expansion === undefined) return call;
    if (isMacroError(expansion)) {
      this.errors.push({
        message: expansion.message,
        at: expansion.node.at,
        span: expansion.node.span,
      });
      return { ...this.hole(parts.span), at: expansion.node.at };
    }
    this.macroCalls.push({ id: expansion.id, call });
    return expansion;
  }

  /**
   * Creates a balanced tree for a chain of `&&` or `||`, preserving the order of the terms.
   * `operators` holds the spans of the operators between them.
   */
  logical(name: string, terms: readonly CelNode[], operators: readonly Span[]): CelNode {
    const balance = (low: number, high: number): CelNode => {
      const middle = (low + high + 1) >> 1;
      const operator = operators[middle];
      const left = middle === low ? terms[middle] : balance(low, middle - 1);
      const right = middle === high ? terms[middle + 1] : balance(middle + 1, high);
      if (operator === undefined || left === undefined || right === undefined) {
        throw new Error('unreachable: a chain has one more term than operators');
      }
      return this.call({
        span: { start: left.span.start, end: right.span.end },
        at: operator.start,
        function: name,
        functionSpan: operator,
        target: undefined,
        args: [left, right],
      });
    };
    return balance(0, operators.length - 1);
  }
}

type CodePointIndex = (offset: number) => number;

const sameOffset: CodePointIndex = (offset) => offset;

/**
 * Returns a function from UTF-16 offsets to code point offsets, which differ after a surrogate
 * pair.
 */
export const codePointIndex = (text: string): CodePointIndex => {
  if (!/[\ud800-\udbff]/.test(text)) return sameOffset;
  const astral: number[] = [];
  for (const match of text.matchAll(/[\u{10000}-\u{10ffff}]/gu)) astral.push(match.index);
  return (offset) => offset - sortedIndex(astral, (at) => at < offset);
};
