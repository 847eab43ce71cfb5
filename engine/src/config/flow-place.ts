/**
 * What stands at an offset between brackets, in JSON or in the flow style of YAML, written or half
 * written: one walk from the bracket to the offset, and on to the end of its map for the other names.
 */
import { type LooseScalar, looseScalar } from '../documents/yaml/loose-scalar.ts';
import { type Span, span } from '../source/span.ts';
import type { ConfigPlace, Layout, TypedPath } from './place.ts';
import { fieldBelow, itemBelow } from './typed-path.ts';

export interface FlowText {
  readonly text: string;
  /** Of the first bracket. */
  readonly start: number;
  readonly layout: Exclude<Layout, 'block'>;
}

export type FlowAnswer =
  | { readonly kind: 'closed'; readonly end: number }
  | { readonly kind: 'inside'; readonly place: ConfigPlace | undefined };

/** `closed` where the brackets end before the offset. */
export const flowPlace = (flow: FlowText, at: TypedPath, offset: number): FlowAnswer =>
  new FlowWalk(flow, offset).answer(at);

interface Frame {
  readonly open: '{' | '[';
  /** Where its own kind of value belongs; `undefined` below unknown fields. */
  readonly at: TypedPath | undefined;
  readonly present: Map<string, string>;
  /** The key whose value comes next. */
  key: Word | undefined;
  /** A word that may turn out to be a key. */
  word: Word | undefined;
  colon: boolean;
  index: number;
}

interface Word {
  readonly name: string;
  readonly span: Span;
  readonly inner: Span;
  readonly quoted: boolean;
}

class FlowWalk {
  readonly #flow: FlowText;
  readonly #offset: number;
  readonly #frames: Frame[] = [];

  constructor(flow: FlowText, offset: number) {
    this.#flow = flow;
    this.#offset = offset;
  }

  answer(top: TypedPath): FlowAnswer {
    const { text } = this.#flow;
    let at = this.#flow.start;
    let inside: { readonly frame: Frame; readonly word: Word | undefined } | undefined;
    while (at < text.length) {
      if (inside === undefined && at >= this.#offset) {
        const frame = this.#frames.at(-1);
        if (frame === undefined) return { kind: 'closed', end: at };
        const word = this.#wordAt(at, frame);
        inside = {
          frame,
          word: word !== undefined && word.span.start === this.#offset ? word : undefined,
        };
        if (!this.#wantsName(frame)) return this.#valueAnswer(frame, undefined);
      }
      if (inside !== undefined && at > this.#offset + farthest) break;
      const letter = text[at] ?? '';
      if (letter === '{' || letter === '[') {
        this.#open(letter, top);
        at += 1;
      } else if (letter === '}' || letter === ']') {
        const frame = this.#frames.pop();
        if (frame !== undefined) this.#finish(frame);
        at += 1;
        if (inside !== undefined && frame === inside.frame) break;
        if (this.#frames.length === 0)
          return inside === undefined ? { kind: 'closed', end: at } : this.#keyAnswer(inside);
      } else if (letter === ',') {
        const frame = this.#frames.at(-1);
        if (frame !== undefined) this.#finish(frame);
        at += 1;
      } else if (letter === ':' && this.#isColon(at)) {
        const frame = this.#frames.at(-1);
        if (frame?.word !== undefined && !frame.colon) {
          frame.key = frame.word;
          frame.word = undefined;
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
        const frame = this.#frames.at(-1);
        const word = this.#wordAt(at, frame);
        if (frame === undefined || word === undefined) break;
        const touched =
          inside === undefined && this.#offset <= word.span.end && this.#offset > word.span.start;
        if (touched) {
          // A second word behind a value belongs to nothing.
          if (!this.#wantsName(frame) && frame.word !== undefined)
            return { kind: 'inside', place: undefined };
          if (!this.#wantsName(frame)) return this.#valueAnswer(frame, word);
          inside = { frame, word };
        }
        frame.word = word;
        at = Math.max(word.span.end, at + 1);
      }
    }
    if (inside !== undefined) return this.#keyAnswer(inside);
    const frame = this.#frames.at(-1);
    if (frame === undefined) return { kind: 'closed', end: text.length };
    return this.#wantsName(frame)
      ? this.#keyAnswer({ frame, word: undefined })
      : this.#valueAnswer(frame, undefined);
  }

  #open(letter: '{' | '[', top: TypedPath): void {
    const outer = this.#frames.at(-1);
    const at = outer === undefined ? top : this.#below(outer);
    const fits = at?.type.kind === (letter === '{' ? 'struct' : 'list');
    this.#frames.push({
      open: letter,
      at: fits ? at : undefined,
      present: new Map(),
      key: undefined,
      word: undefined,
      colon: false,
      index: 0,
    });
  }

  #below({ at, open, key, index }: Frame): TypedPath | undefined {
    if (at === undefined) return undefined;
    if (open === '[') return itemBelow(at, index);
    return key === undefined ? undefined : fieldBelow(at, key.name);
  }

  #wantsName(frame: Frame): boolean {
    return frame.open === '{' && !frame.colon;
  }

  /** At a comma or the end: what was read is an entry. */
  #finish(frame: Frame): void {
    if (frame.open === '{') {
      const name = frame.key ?? frame.word;
      if (name !== undefined)
        frame.present.set(name.name, frame.key === undefined ? '' : (frame.word?.name ?? ''));
    } else if (frame.word !== undefined) frame.present.set(`[${frame.index}]`, frame.word.name);
    frame.index += 1;
    frame.key = undefined;
    frame.word = undefined;
    frame.colon = false;
  }

  /** In JSON, and behind a quote, a colon needs no space. */
  #isColon(at: number): boolean {
    const { text, layout } = this.#flow;
    return (
      layout === 'json' ||
      /[\s,[\]{}"']|^$/.test(text[at + 1] ?? '') ||
      /["']/.test(text[at - 1] ?? '')
    );
  }

  #wordAt(at: number, frame: Frame | undefined): Word | undefined {
    const { text, layout } = this.#flow;
    const letter = text[at] ?? '';
    if (letter === '' || /[\s{}[\],]/.test(letter)) return undefined;
    if (letter === '"' || letter === "'") return simpleWord(text, at) ?? looseWord(text, at);
    let end = at;
    const isKey = frame === undefined || this.#wantsName(frame);
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

  #keyAnswer({
    frame,
    word,
  }: {
    readonly frame: Frame;
    readonly word: Word | undefined;
  }): FlowAnswer {
    const { at } = frame;
    if (frame.open !== '{' || at?.type.kind !== 'struct')
      return { kind: 'inside', place: undefined };
    // The walk may have ended inside the map: its last entry counts too.
    const present = new Set(frame.present.keys());
    const last = frame.key ?? frame.word;
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

  #valueAnswer(frame: Frame, word: Word | undefined): FlowAnswer {
    const below = this.#below(frame);
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
    if (word === undefined && frame.word !== undefined && this.#offset > frame.word.span.end)
      if (frame.word.quoted)
        // Behind a finished quote nothing fits; behind a plain text a blank belongs to it.
        return { kind: 'inside', place: undefined };
    const start = word?.span.start ?? frame.word?.span.start ?? this.#offset;
    if (word?.quoted === true && (this.#offset > word.inner.end || this.#offset < word.inner.start))
      return { kind: 'inside', place: undefined };
    const scalar: LooseScalar = looseScalar(this.#flow.text, start, { indent: -1, flow: true });
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

/** A text in quotes without escapes, closed on its line: nearly all are. */
const simpleWord = (text: string, at: number): Word | undefined => {
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

const looseWord = (text: string, at: number): Word => {
  const scalar = looseScalar(text, at, { indent: -1, flow: true });
  const { end } = scalar.span;
  const inner = span(at + 1, scalar.closed ? end - 1 : end);
  return { name: scalar.text, span: scalar.span, inner, quoted: true };
};

/** How far behind the offset names of the same map are looked for. */
const farthest = 16 * 1024;

const lineEnd = (text: string, from: number): number => {
  const at = text.indexOf('\n', from);
  return at === -1 ? text.length : at;
};
