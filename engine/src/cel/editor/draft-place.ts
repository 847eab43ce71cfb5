/**
 * Describes the context of an offset in an incomplete expression. It only uses tokens, so a missing
 * bracket or operand does not affect the context before it.
 */
import { type Span, span } from '../../source/span.ts';
import { bindingMacros } from '../tree/binding-macros.ts';
import {
  type DraftToken,
  endsOperand,
  isClosingBracket,
  isOpeningBracket,
  operandBefore,
  readDraftTokens,
} from './draft-tokens.ts';

/** The variables that a macro around the place binds. */
export interface DraftBinding {
  readonly names: readonly string[];
  /** Span of the receiver that the macro iterates over. */
  readonly range: Span;
  /** `value` for the value of an optional; `elements` for each element or key. */
  readonly boundTo: 'elements' | 'value';
}

/** An open call around a place. */
export interface DraftCall {
  /** The function name, without its namespace. */
  readonly name: string;
  readonly nameSpan: Span;
  readonly receiver: Span | undefined;
  /** Zero-based index of the argument at the place. */
  readonly argument: number;
  /** Offset of the opening parenthesis. */
  readonly open: number;
}

/** The context of a place in an incomplete expression, which determines its completions. */
export interface DraftPlace {
  /**
   * `name`: the start of an operand; `member`: after a dot; `index`: the key in brackets; `string`:
   * inside a string; `comment`: inside a comment; `variable`: the name of a macro variable;
   * `afterOperand`: after a complete operand.
   */
  readonly kind: 'name' | 'member' | 'index' | 'string' | 'comment' | 'variable' | 'afterOperand';
  /** Span of the name or string content at the place; empty if there is none. */
  readonly word: Span;
  /** Span of the operand before the dot or bracket. */
  readonly receiver: Span | undefined;
  /** Span from the dot (`.`, `.?`) or bracket to the word. */
  readonly access: Span;
  /** True after `.?` and `[?`. */
  readonly isOptional: boolean;
  /** The quote of a string; empty if there is none. */
  readonly quote: string;
  /** Span of the left operand if the place is a string on the right side of a comparison. */
  readonly comparedWith: Span | undefined;
  /** Open calls around the place, outermost first. */
  readonly calls: readonly DraftCall[];
  /** Macro variables in scope, outermost first. */
  readonly bindings: readonly DraftBinding[];
}

/** Describes the place at an offset. Never throws. */
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

/**
 * Maximum number of enclosing macros whose variables are known, because each one is checked and run
 * separately.
 */
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

/** Returns the opening bracket of an index directly before a place, `x[` or `x[?`. */
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
  /** Indexes of the tokens after the bracket and after each comma. */
  readonly starts: number[];
  readonly call: DraftCall | undefined;
  readonly binding: DraftBinding | undefined;
  /** True if the place is the name of a macro variable. */
  readonly declaresVariable: boolean;
}

/** Returns the brackets that are open at an offset, outermost first. */
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

/**
 * Returns how many variables a macro call declares. Some macros accept one or two, depending on the
 * second argument.
 */
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
  // `all(i, v, …`: the second argument is just a name.
  const isName = tokens[second]?.kind === 'name' && tokens[second + 1]?.text === ',';
  return isName ? 2 : 1;
};
