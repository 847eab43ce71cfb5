/**
 * Finds the place of an offset between brackets, in JSON or in the flow style of YAML, complete or
 * not: a single walk from the opening bracket to the offset, and on to the end of its map to
 * collect the other names.
 */
import { type LooseScalar, readLooseScalar } from '../documents/yaml/loose-scalar.ts';
import { type Span, span } from '../source/span.ts';
import type { ConfigPlace, Layout, TypedPath } from './place.ts';
import { fieldBelow, itemBelow } from './typed-path.ts';

export interface FlowText {
  readonly text: string;
  /** Offset of the first bracket. */
  readonly start: number;
  readonly layout: Exclude<Layout, 'block'>;
}

export type FlowResult =
  | { readonly kind: 'closed'; readonly end: number }
  | { readonly kind: 'inside'; readonly place: ConfigPlace | undefined };

/** Returns the place of an offset; `closed` if the brackets end before it. */
export const flowPlaceAt = (flow: FlowText, at: TypedPath, offset: number): FlowResult =>
  new FlowWalk(flow, offset).find(at);

interface Frame {
  readonly open: '{' | '[';
  /** The type of the bracket's own value; `undefined` below unknown fields. */
  readonly at: TypedPath | undefined;
  readonly present: Map<string, string>;
  /** The key whose value comes next. */
  key: FlowToken | undefined;
  /** A token that may turn out to be a key. */
  token: FlowToken | undefined;
  colon: boolean;
  index: number;
}

interface FlowToken {
  readonly name: string;
  readonly span: Span;
  readonly inner: Span;
  readonly quoted: boolean;
}

class FlowWalk {
  readonly #flow: FlowText;
  readonly #offset: number;
  readonly #openBrackets: Frame[] = [];

  constructor(flow: FlowText, offset: number) {
    this.#flow = flow;
    this.#offset = offset;
  }

  find(top: TypedPath): FlowResult {
    const { text } = this.#flow;
    let at = this.#flow.start;
    let inside: { readonly frame: Frame; readonly word: FlowToken | undefined } | undefined;
    while (at < text.length) {
      if (inside === undefined && at >= this.#offset) {
        const frame = this.#openBrackets.at(-1);
        if (frame === undefined) return { kind: 'closed', end: at };
        const word = this.#tokenAt(at, frame);
        inside = {
          frame,
          word: word !== undefined && word.span.start === this.#offset ? word : undefined,
        };
        if (!this.#expectsKey(frame)) return this.#valueResult(frame, undefined);
      }
      if (inside !== undefined && at > this.#offset + lookAhead) break;
      const letter = text[at] ?? '';
      if (letter === '{' || letter === '[') {
        this.#open(letter, top);
        at += 1;
      } else if (letter === '}' || letter === ']') {
        const frame = this.#openBrackets.pop();
        if (frame !== undefined) this.#finishEntry(frame);
        at += 1;
        if (inside !== undefined && frame === inside.frame) break;
        if (this.#openBrackets.length === 0)
          return inside === undefined ? { kind: 'closed', end: at } : this.#keyResult(inside);
      } else if (letter === ',') {
        const frame = this.#openBrackets.at(-1);
        if (frame !== undefined) this.#finishEntry(frame);
        at += 1;
      } else if (letter === ':' && this.#isColon(at)) {
        const frame = this.#openBrackets.at(-1);
        if (frame?.token !== undefined && !frame.colon) {
          frame.key = frame.token;
          frame.token = undefined;
        }
        if (frame !== undefined) frame.colon = true;
        at += 1;
      } else if (letter === ' ' || letter === '\n' || letter === '\r' || letter === '\t') {
        at += 1;
      } else if (letter === '#' && this.#flow.layout === 'flow' && /\s/.test(text[at - 1] ?? ' ')) {
        const end = lineEnd(text, at);
        if (inside === undefined && this.#offset > at && this.#offset <= end)
          return { kind: 'inside', place: undefined };
        at = end;
      } else {
        const frame = this.#openBrackets.at(-1);
        const word = this.#tokenAt(at, frame);
        if (frame === undefined || word === undefined) break;
        const isTouched =
          inside === undefined && this.#offset <= word.span.end && this.#offset > word.span.start;
        if (isTouched) {
          // A second token after a value belongs to nothing.
          if (!this.#expectsKey(frame) && frame.token !== undefined)
            return { kind: 'inside', place: undefined };
          if (!this.#expectsKey(frame)) return this.#valueResult(frame, word);
          inside = { frame, word };
        }
        frame.token = word;
        at = Math.max(word.span.end, at + 1);
      }
    }
    if (inside !== undefined) return this.#keyResult(inside);
    const frame = this.#openBrackets.at(-1);
    if (frame === undefined) return { kind: 'closed', end: text.length };
    return this.#expectsKey(frame)
      ? this.#keyResult({ frame, word: undefined })
      : this.#valueResult(frame, undefined);
  }

  #open(letter: '{' | '[', top: TypedPath): void {
    const outer = this.#openBrackets.at(-1);
    const at = outer === undefined ? top : this.#pathBelow(outer);
    const fits = at?.type.kind === (letter === '{' ? 'struct' : 'list');
    this.#openBrackets.push({
      open: letter,
      at: fits ? at : undefined,
      present: new Map(),
      key: undefined,
      token: undefined,
      colon: false,
      index: 0,
    });
  }

  #pathBelow({ at, open, key, index }: Frame): TypedPath | undefined {
    if (at === undefined) return undefined;
    if (open === '[') return itemBelow(at, index);
    return key === undefined ? undefined : fieldBelow(at, key.name);
  }

  #expectsKey(frame: Frame): boolean {
    return frame.open === '{' && !frame.colon;
  }

  /** Ends an entry at a comma or at the closing bracket. */
  #finishEntry(frame: Frame): void {
    if (frame.open === '{') {
      const name = frame.key ?? frame.token;
      if (name !== undefined)
        frame.present.set(name.name, frame.key === undefined ? '' : (frame.token?.name ?? ''));
    } else if (frame.token !== undefined) frame.present.set(`[${frame.index}]`, frame.token.name);
    frame.index += 1;
    frame.key = undefined;
    frame.token = undefined;
    frame.colon = false;
  }

  /**
   * Returns true if the colon separates a key from its value. In JSON, and after a quote, it needs
   * no space.
   */
  #isColon(at: number): boolean {
    const { text, layout } = this.#flow;
    return (
      layout === 'json' ||
      /[\s,[\]{}"']|^$/.test(text[at + 1] ?? '') ||
      /["']/.test(text[at - 1] ?? '')
    );
  }

  #tokenAt(at: number, frame: Frame | undefined): FlowToken | undefined {
    const { text, layout } = this.#flow;
    const letter = text[at] ?? '';
    if (letter === '' || /[\s{}[\],]/.test(letter)) return undefined;
    if (letter === '"' || letter === "'") return simpleToken(text, at) ?? looseToken(text, at);
    let end = at;
    const isKey = frame === undefined || this.#expectsKey(frame);
    while (end < text.length && !/[\n,{}[\]]/.test(text[end] ?? '')) {
      if (
        text[end] === ':' &&
        (layout === 'json' || isKey ? this.#isColon(end) : /\s/.test(text[end + 1] ?? ' '))
      )
        break;
      if (text[end] === '#' && /\s/.test(text[end - 1] ?? '')) break;
      end += 1;
    }
    const name = text.slice(at, end).trimEnd();
    const where = span(at, at + name.length);
    return name === '' ? undefined : { name, span: where, inner: where, quoted: false };
  }

  #keyResult({
    frame,
    word,
  }: {
    readonly frame: Frame;
    readonly word: FlowToken | undefined;
  }): FlowResult {
    const { at } = frame;
    if (frame.open !== '{' || at?.type.kind !== 'struct')
      return { kind: 'inside', place: undefined };
    // The walk may have ended inside the map; its last entry counts, too.
    const present = new Set(frame.present.keys());
    const last = frame.key ?? frame.token;
    if (last !== undefined) present.add(last.name);
    if (word !== undefined) present.delete(word.name);
    const written = word?.inner ?? span(this.#offset, this.#offset);
    const behind = this.#flow.text.slice(word?.span.end ?? this.#offset);
    return {
      kind: 'inside',
      place: {
        kind: 'key',
        path: at.path,
        layout: this.#flow.layout,
        offset: 0,
        struct: at.type.struct,
        written,
        name: word?.name ?? '',
        quoted: word?.quoted ?? false,
        hasColon: word !== undefined && /^[ \t]*:/.test(behind),
        present,
      },
    };
  }

  #valueResult(frame: Frame, word: FlowToken | undefined): FlowResult {
    const below = this.#pathBelow(frame);
    const owner = below?.owner;
    if (below === undefined || owner === undefined) return { kind: 'inside', place: undefined };
    const { type, path } = below;
    const { layout } = this.#flow;
    if (type.kind === 'struct' || type.kind === 'list') {
      const written = word?.span ?? span(this.#offset, this.#offset);
      const { row } = owner;
      return {
        kind: 'inside',
        place: { kind: 'open', path, layout, offset: 0, row, type, written },
      };
    }
    if (word === undefined && frame.token !== undefined && this.#offset > frame.token.span.end)
      if (frame.token.quoted)
        // Nothing can follow a closed quote; a space after a plain scalar is part of it.
        return { kind: 'inside', place: undefined };
    const start = word?.span.start ?? frame.token?.span.start ?? this.#offset;
    if (word?.quoted === true && (this.#offset > word.inner.end || this.#offset < word.inner.start))
      return { kind: 'inside', place: undefined };
    const scalar: LooseScalar = readLooseScalar(this.#flow.text, start, { indent: -1, flow: true });
    return {
      kind: 'inside',
      place: {
        kind: 'value',
        path,
        layout,
        offset: 0,
        ...owner,
        type,
        scalar,
        siblings: new Map(frame.present),
      },
    };
  }
}

/** Reads a quoted string without escapes that ends on its line, which is the common case. */
const simpleToken = (text: string, at: number): FlowToken | undefined => {
  const quote = text[at];
  for (let end = at + 1; end < text.length; end += 1) {
    const letter = text[end];
    if (letter === '\\' || letter === '\n') return undefined;
    if (letter !== quote) continue;
    if (quote === "'" && text[end + 1] === "'") return undefined;
    const inner = span(at + 1, end);
    return { name: text.slice(at + 1, end), span: span(at, end + 1), inner, quoted: true };
  }
  return undefined;
};

const looseToken = (text: string, at: number): FlowToken => {
  const scalar = readLooseScalar(text, at, { indent: -1, flow: true });
  const { end } = scalar.span;
  const inner = span(at + 1, scalar.closed ? end - 1 : end);
  return { name: scalar.text, span: scalar.span, inner, quoted: true };
};

/** How many characters after the offset are searched for other names of the same map. */
const lookAhead = 16 * 1024;

const lineEnd = (text: string, from: number): number => {
  const at = text.indexOf('\n', from);
  return at === -1 ? text.length : at;
};
