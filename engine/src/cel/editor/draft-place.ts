/**
 * What stands at an offset of an expression that may be half written: read from its words alone, so
 * that a missing bracket or operand changes nothing about what was meant before it.
 */
import { type Span, span } from '../../source/span.ts';
import { bindingMacros } from '../syntax/macro-docs.ts';
import {
  endsOperand,
  isCloser,
  isOpener,
  operandBefore,
  readWords,
  type Word,
} from './draft-tokens.ts';

/** A variable that a macro around the place binds. */
export interface WrittenBinding {
  readonly names: readonly string[];
  /** The text that the macro goes over. */
  readonly range: Span;
  /** `value`: the one value of an optional; else every element, or key. */
  readonly over: 'elements' | 'value';
}

/** The call that is being written around a place. */
export interface WrittenCall {
  /** `split`, `sets.contains`. */
  readonly name: string;
  readonly nameSpan: Span;
  readonly receiver: Span | undefined;
  /** Zero-based. */
  readonly argument: number;
  /** Of the opening bracket. */
  readonly open: number;
}

/** Where in a half-written expression a place is, and what may go on there. */
export interface WrittenPlace {
  /**
   * `name`: an operand may begin; `member`: behind a dot; `index`: the key in brackets; `text`: inside
   * a text, `comment`: inside a comment; `variable`: a macro's new name; `behind`: behind a finished
   * operand.
   */
  readonly kind: 'name' | 'member' | 'index' | 'text' | 'comment' | 'variable' | 'behind';
  /** The word, or the inside of the text, that the place touches; empty where there is none. */
  readonly word: Span;
  /** In front of the dot or the bracket. */
  readonly receiver: Span | undefined;
  /** From the dot to the word, `.` or `.?`; of an index, from the bracket to the word. */
  readonly access: Span;
  /** Behind `.?` or `[?`. */
  readonly isOptional: boolean;
  /** The quote of a text; empty where there is none yet. */
  readonly quote: string;
  /** The text in front of a comparison, where the place is the text on its other side. */
  readonly comparedWith: Span | undefined;
  /** Brackets of calls around the place, the outermost first. */
  readonly calls: readonly WrittenCall[];
  /** The outermost first. */
  readonly bindings: readonly WrittenBinding[];
}

/** Reads the words of the text up to the place. Never throws. */
export const writtenPlace = (text: string, offset: number): WrittenPlace => {
  const { words, comments } = readWords(text);
  const frames = openFrames(words, offset);
  const calls = frames.flatMap(({ call }) => (call === undefined ? [] : [call]));
  const base = {
    receiver: undefined,
    access: span(offset, offset),
    isOptional: false,
    quote: '',
    comparedWith: undefined,
    calls,
    bindings: frames
      .flatMap(({ binding }) => (binding === undefined ? [] : [binding]))
      .slice(-mostBindings),
  };
  if (comments.some(({ start, end }) => offset > start && offset <= end))
    return { ...base, kind: 'comment', word: span(offset, offset) };
  const touched = words.findIndex((word) => offset > word.start && offset <= word.end);
  const own = words[touched];
  if (
    own !== undefined &&
    own.kind === 'text' &&
    offset > own.inner.start - 1 &&
    offset <= own.inner.end
  )
    return textPlace(words, touched, { base, own });
  const isWord = own !== undefined && own.kind === 'name';
  const before = isWord ? touched - 1 : words.findLastIndex(({ end }) => end <= offset);
  const next = words.find(({ start }) => start === offset);
  const word = isWord
    ? span(own.start, own.end)
    : next !== undefined && next.kind === 'name' && own === undefined
      ? span(offset, next.end)
      : span(offset, offset);
  const previous = words[before];
  const dot =
    previous?.text === '.'
      ? before
      : previous?.text === '?' && words[before - 1]?.text === '.'
        ? before - 1
        : -1;
  if (dot !== -1) {
    const receiver = operandBefore(words, dot);
    const start = words[dot]?.start ?? offset;
    if (receiver === undefined) return { ...base, kind: 'behind', word };
    const access = span(start, word.start);
    return { ...base, kind: 'member', word, receiver, access, isOptional: dot !== before };
  }
  const bracket = indexBracket(words, before);
  if (bracket !== undefined) {
    const access = span(words[bracket.at]?.start ?? offset, word.start);
    return { ...base, kind: 'index', word, ...bracket, access };
  }
  if (previous !== undefined && endsOperand(previous)) return { ...base, kind: 'behind', word };
  if (own !== undefined && own.kind === 'number') return { ...base, kind: 'behind', word };
  const isVariable = frames.at(-1)?.bindsHere === true;
  return { ...base, kind: isVariable ? 'variable' : 'name', word };
};

/** Each is typed and run for itself: more of them are nobody's expression. */
const mostBindings = 12;

const textPlace = (
  words: readonly Word[],
  at: number,
  { base, own }: { readonly base: Omit<WrittenPlace, 'kind' | 'word'>; readonly own: Word },
): WrittenPlace => {
  const quote = own.text[0] ?? '';
  const bracket = indexBracket(words, at - 1);
  if (bracket !== undefined && (quote === '"' || quote === "'")) {
    const access = span(words[bracket.at]?.start ?? own.start, own.inner.start);
    return { ...base, kind: 'index', word: own.inner, ...bracket, access, quote };
  }
  const operator = words[at - 1]?.text;
  const comparedWith =
    operator === '==' || operator === '!=' ? operandBefore(words, at - 1) : undefined;
  return { ...base, kind: 'text', word: own.inner, quote, comparedWith };
};

/** The bracket of an index right before a place, `x[` or `x[?`. */
const indexBracket = (
  words: readonly Word[],
  before: number,
): { readonly at: number; readonly receiver: Span; readonly isOptional: boolean } | undefined => {
  const isOptional = words[before]?.text === '?';
  const at = isOptional ? before - 1 : before;
  if (words[at]?.text !== '[') return undefined;
  const receiver = operandBefore(words, at);
  return receiver === undefined ? undefined : { at, receiver, isOptional };
};

interface Frame {
  readonly opener: number;
  /** Words right behind its commas, and behind the bracket itself. */
  readonly starts: number[];
  readonly call: WrittenCall | undefined;
  readonly binding: WrittenBinding | undefined;
  /** The place is where the macro's variable is named. */
  readonly bindsHere: boolean;
}

/** Brackets that are open at an offset, the outermost first. */
const openFrames = (words: readonly Word[], offset: number): readonly Frame[] => {
  const open: { readonly opener: number; readonly starts: number[] }[] = [];
  for (const [at, word] of words.entries()) {
    if (word.end > offset) break;
    if (isOpener(word)) open.push({ opener: at, starts: [at + 1] });
    else if (isCloser(word)) open.pop();
    else if (word.text === ',' && word.kind === 'mark') open.at(-1)?.starts.push(at + 1);
  }
  return open.map(({ opener, starts }) => frameOf(words, opener, starts));
};

const frameOf = (words: readonly Word[], opener: number, starts: number[]): Frame => {
  const none = { opener, starts, call: undefined, binding: undefined, bindsHere: false };
  const name = words[opener - 1];
  if (words[opener]?.text !== '(' || name === undefined || name.kind !== 'name') return none;
  const dot = words[opener - 2]?.text === '.' ? opener - 2 : undefined;
  const receiver = dot === undefined ? undefined : operandBefore(words, dot);
  const call: WrittenCall = {
    name: name.text,
    nameSpan: span(name.start, name.end),
    receiver,
    argument: starts.length - 1,
    open: words[opener]?.start ?? 0,
  };
  const count = receiver === undefined ? 0 : variablesOf(words, name.text, starts);
  if (count === 0 || receiver === undefined) return { ...none, call };
  if (starts.length <= count) return { ...none, call, bindsHere: true };
  const names = starts.slice(0, count).flatMap((at) => {
    const word = words[at];
    return word?.kind === 'name' ? [word.text] : [];
  });
  const over = name.text.startsWith('opt') ? 'value' : 'elements';
  return { ...none, call, binding: { names, range: receiver, over } };
};

/** How many variables a macro names: some take one or two, which the second argument tells. */
const variablesOf = (words: readonly Word[], name: string, starts: readonly number[]): number => {
  const counts = bindingMacros.get(name);
  if (counts === undefined) return 0;
  if (counts === 'two') return 2;
  if (counts === 'one') return 1;
  const second = starts[1];
  if (second === undefined) return 1;
  // `all(i, v, …`: a lone name and a comma.
  const isName = words[second]?.kind === 'name' && words[second + 1]?.text === ',';
  return isName ? 2 : 1;
};
