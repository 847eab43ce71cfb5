/**
 * Regular expressions: RE2 syntax, linear time, never a backtracking engine. The one tenant of re2js.
 * Error texts are those of Go's `regexp`.
 */
import { RE2JS } from 're2js';
import { compileAutomaton, type RegexTest } from './regex-automaton.ts';
import { CelError } from './value.ts';

/** An expression ready to search with. */
export interface CompiledRegex {
  /** Whether it fits anywhere in the text. */
  test(text: string): boolean;
  /** The leftmost match, or the empty text. */
  find(text: string): string;
  /** At most `limit` matches one after another; all for a negative limit. */
  findAll(text: string, limit: number): readonly string[];
}

/** How many compiled expressions are kept; patterns that depend on claims come again. */
const maxKept = 256;

const kept = new Map<string, CompiledRegex | CelError>();

/** Compiles an expression, or says why it cannot be one. */
export const compileRegex = (pattern: string): CompiledRegex | CelError => {
  const known = kept.get(pattern);
  if (known !== undefined) return known;
  const compiled = compile(pattern);
  if (kept.size >= maxKept) kept.clear();
  kept.set(pattern, compiled);
  return compiled;
};

const compile = (pattern: string): CompiledRegex | CelError => {
  try {
    return wrap(RE2JS.compile(pattern), compileAutomaton(pattern));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (message.startsWith('error parsing regexp: duplicate capture group name')) {
      return compile(withoutGroupNames(pattern));
    }
    return new CelError(message.endsWith('end of expression') ? `${message}: \`\`` : message);
  }
};

const wrap = (regex: RE2JS, quick: RegexTest | undefined): CompiledRegex => ({
  test:
    quick === undefined ? (text) => regex.test(text) : (text) => quick(text) ?? regex.test(text),
  find: (text) => {
    const matcher = regex.matcher(text);
    return matcher.find() ? (matcher.group() ?? '') : '';
  },
  findAll: (text, limit) => findAll(regex, text, limit < 0 ? text.length + 1 : limit),
});

/** An empty match right after a match does not count. */
const findAll = (regex: RE2JS, text: string, limit: number): readonly string[] => {
  const matches: string[] = [];
  const matcher = regex.matcher(text);
  let position = 0;
  let previousEnd = -1;
  while (matches.length < limit && position <= text.length && matcher.find(position)) {
    const start = matcher.start();
    const end = matcher.end();
    if (end > start || start !== previousEnd) matches.push(text.slice(start, end));
    previousEnd = end;
    position = end > position ? end : nextPosition(text, position);
    if (end === start && end >= position) position = nextPosition(text, end);
  }
  return matches;
};

const nextPosition = (text: string, position: number): number =>
  position + ((text.codePointAt(position) ?? 0) > 0xffff ? 2 : 1);

/** Go lets two groups have one name, and nothing here reads names. */
const withoutGroupNames = (pattern: string): string =>
  pattern.replace(
    /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]|\(\?P?<\w+>/g,
    (token) => (token.startsWith('(?') ? '(' : token),
  );
