/**
 * What stands at an offset of an expression that may be half written: read from its words alone, so
 * that a missing bracket or operand changes nothing about what was meant before it.
 */
import { type Span, span } from '../../source/span.ts';
import { bindingMacros } from '../syntax/macro-docs.ts';
import {
  endsOperand,
  isClosingBracket,
  isOpeningBracket,
  operandBefore,
  readDraftTokens,
  type DraftToken,
} from './draft-tokens.ts';

/** A variable that a macro around the place binds. */
export interface DraftBinding {
  readonly names: readonly string[];
  /** The text that the macro goes over. */
  readonly range: Span;
  /** `value`: the one value of an optional; else every element, or key. */
  readonly boundTo: 'elements' | 'value';
}

/** The call that is being written around a place. */
export interface DraftCall {
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
export interface DraftPlace {
  /**
   * `name`: an operand may begin; `member`: behind a dot; `index`: the key in brackets; `text`: inside
   * a text, `comment`: inside a comment; `variable`: a macro's new name; `behind`: behind a finished
   * operand.
   */
  readonly kind: 'name' | 'member' | 'index' | 'string' | 'comment' | 'variable' | 'afterOperand';
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
  readonly calls: readonly DraftCall[];
  /** The outermost first. */
  readonly bindings: readonly DraftBinding[];
}

/** Reads the words of the text up to the place. Never throws. */
export const draftPlace = (text: string, offset: number): DraftPlace => {
  const { tokens, comments } = readDraftTokens(text);
  const frames = openFrames(tokens, offset);
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
      .slice(-maxBindings),
  };
  if (comments.some(({ start, end }) => offset > start && offset <= end))
    return { ...base, kind: 'comment', word: span(offset, offset) };
  const touched = tokens.findIndex((token) => offset > token.start && offset <= token.end);
  const touchedToken = tokens[touched];
  if (
    touchedToken !== undefined &&
    touchedToken.kind === 'string' &&
    offset > touchedToken.content.start - 1 &&
    offset <= touchedToken.content.end
  )
    return stringPlace(tokens, touched, { base, touchedToken });
  const isName = touchedToken !== undefined && touchedToken.kind === 'name';
  const before = isName ? touched - 1 : tokens.findLastIndex(({ end }) => end <= offset);
  const next = tokens.find(({ start }) => start === offset);
  const word = isName
    ? span(touchedToken.start, touchedToken.end)
    : next !== undefined && next.kind === 'name' && touchedToken === undefined
      ? span(offset, next.end)
      : span(offset, offset);
  const previous = tokens[before];
  const dot =
    previous?.text === '.'
      ? before
      : previous?.text === '?' && tokens[before - 1]?.text === '.'
        ? before - 1
        : -1;
  if (dot !== -1) {
    const receiver = operandBefore(tokens, dot);
    const start = tokens[dot]?.start ?? offset;
    if (receiver === undefined) return { ...base, kind: 'afterOperand', word };
    const access = span(start, word.start);
    return { ...base, kind: 'member', word, receiver, access, isOptional: dot !== before };
  }
  const bracket = indexBracket(tokens, before);
  if (bracket !== undefined) {
    const access = span(tokens[bracket.at]?.start ?? offset, word.start);
    return { ...base, kind: 'index', word, ...bracket, access };
  }
  if (previous !== undefined && endsOperand(previous))
    return { ...base, kind: 'afterOperand', word };
  if (touchedToken !== undefined && touchedToken.kind === 'number')
    return { ...base, kind: 'afterOperand', word };
  const isVariable = frames.at(-1)?.declaresVariable === true;
  return { ...base, kind: isVariable ? 'variable' : 'name', word };
};

/** Each is typed and run for itself: more of them are nobody's expression. */
const maxBindings = 12;

const stringPlace = (
  tokens: readonly DraftToken[],
  at: number,
  {
    base,
    touchedToken,
  }: { readonly base: Omit<DraftPlace, 'kind' | 'word'>; readonly touchedToken: DraftToken },
): DraftPlace => {
  const quote = touchedToken.text[0] ?? '';
  const bracket = indexBracket(tokens, at - 1);
  if (bracket !== undefined && (quote === '"' || quote === "'")) {
    const access = span(
      tokens[bracket.at]?.start ?? touchedToken.start,
      touchedToken.content.start,
    );
    return { ...base, kind: 'index', word: touchedToken.content, ...bracket, access, quote };
  }
  const operator = tokens[at - 1]?.text;
  const comparedWith =
    operator === '==' || operator === '!=' ? operandBefore(tokens, at - 1) : undefined;
  return { ...base, kind: 'string', word: touchedToken.content, quote, comparedWith };
};

/** The bracket of an index right before a place, `x[` or `x[?`. */
const indexBracket = (
  tokens: readonly DraftToken[],
  before: number,
): { readonly at: number; readonly receiver: Span; readonly isOptional: boolean } | undefined => {
  const isOptional = tokens[before]?.text === '?';
  const at = isOptional ? before - 1 : before;
  if (tokens[at]?.text !== '[') return undefined;
  const receiver = operandBefore(tokens, at);
  return receiver === undefined ? undefined : { at, receiver, isOptional };
};

interface Frame {
  readonly opener: number;
  /** Words right behind its commas, and behind the bracket itself. */
  readonly starts: number[];
  readonly call: DraftCall | undefined;
  readonly binding: DraftBinding | undefined;
  /** The place is where the macro's variable is named. */
  readonly declaresVariable: boolean;
}

/** Brackets that are open at an offset, the outermost first. */
const openFrames = (tokens: readonly DraftToken[], offset: number): readonly Frame[] => {
  const open: { readonly opener: number; readonly starts: number[] }[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.end > offset) break;
    if (isOpeningBracket(token)) open.push({ opener: at, starts: [at + 1] });
    else if (isClosingBracket(token)) open.pop();
    else if (token.text === ',' && token.kind === 'punctuation') open.at(-1)?.starts.push(at + 1);
  }
  return open.map(({ opener, starts }) => frameOf(tokens, opener, starts));
};

const frameOf = (tokens: readonly DraftToken[], opener: number, starts: number[]): Frame => {
  const base = { opener, starts, call: undefined, binding: undefined, declaresVariable: false };
  const name = tokens[opener - 1];
  if (tokens[opener]?.text !== '(' || name === undefined || name.kind !== 'name') return base;
  const dot = tokens[opener - 2]?.text === '.' ? opener - 2 : undefined;
  const receiver = dot === undefined ? undefined : operandBefore(tokens, dot);
  const call: DraftCall = {
    name: name.text,
    nameSpan: span(name.start, name.end),
    receiver,
    argument: starts.length - 1,
    open: tokens[opener]?.start ?? 0,
  };
  const count = receiver === undefined ? 0 : variablesOf(tokens, name.text, starts);
  if (count === 0 || receiver === undefined) return { ...base, call };
  if (starts.length <= count) return { ...base, call, declaresVariable: true };
  const names = starts.slice(0, count).flatMap((at) => {
    const token = tokens[at];
    return token?.kind === 'name' ? [token.text] : [];
  });
  const boundTo = name.text.startsWith('opt') ? 'value' : 'elements';
  return { ...base, call, binding: { names, range: receiver, boundTo } };
};

/** How many variables a macro names: some take one or two, which the second argument tells. */
const variablesOf = (
  tokens: readonly DraftToken[],
  name: string,
  starts: readonly number[],
): number => {
  const counts = bindingMacros.get(name);
  if (counts === undefined) return 0;
  if (counts === 'two') return 2;
  if (counts === 'one') return 1;
  const second = starts[1];
  if (second === undefined) return 1;
  // `all(i, v, …`: a lone name and a comma.
  const isName = tokens[second]?.kind === 'name' && tokens[second + 1]?.text === ',';
  return isName ? 2 : 1;
};
