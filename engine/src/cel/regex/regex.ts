/**
 * Regular expressions: RE2 syntax, linear time, never a backtracking engine. The one tenant of re2js.
 * Error texts are those of Go's `regexp`.
 */
import { RE2JS } from 're2js';
import { costLimitExceeded } from '../values/evaluation-errors.ts';
import { countSteps } from '../values/evaluation-steps.ts';
import { CelError } from '../values/value.ts';
import { BackwardAutomaton, type Match } from './regex-backward.ts';
import { ForwardAutomaton } from './regex-forward.ts';
import { RegexProgram, type Work } from './regex-program.ts';
import { regexSize } from './regex-size.ts';

/** An expression ready to search with. */
export interface CompiledRegex {
  /** Whether it fits anywhere in the text. */
  test(text: string): boolean | CelError;
  /** The leftmost match, or the empty text. */
  find(text: string): string | CelError;
  /** At most `limit` matches one after another; all for a negative limit. */
  findAll(text: string, limit: number): readonly string[] | CelError;
}

/** Instructions of a program, estimated by `regexSize`: compiling takes about a microsecond for each. */
const maxRegexSize = 32_768;

/** Why an expression with a larger constant pattern is refused when it is loaded. */
export const regexTooLargeMessage = `regular expression exceeds ${maxRegexSize} instructions`;

/**
 * Steps of one search: instructions that the automata visit, transitions that they compute and characters that they
 * read. A step takes up to about 10 nanoseconds.
 */
const maxSearchSteps = 4_000_000;

/** What each instruction counts for in each search, because the pattern may have to be compiled for it. */
const compilationSteps = 100;

/** Instructions of an expression that is worth its memory while it is not used. */
const maxCachedSize = 2048;

/** How many compiled expressions are kept; patterns that depend on claims come again. */
const maxCachedRegexes = 256;

const cachedRegexes = new Map<string, CompiledRegex | CelError>();

/** Compiles an expression, or says why it cannot be one. */
export const compileRegex = (pattern: string): CompiledRegex | CelError => {
  const cached = cachedRegexes.get(pattern);
  if (cached !== undefined) return cached;
  const { instructions: size, invalidRepeat } = regexSize(pattern);
  if (size > maxRegexSize) {
    return invalidRepeat === undefined
      ? costLimitExceeded
      : new CelError(`error parsing regexp: invalid repeat count: \`${invalidRepeat}\``);
  }
  countSteps(compilationSteps * size);
  const compiled = compile(pattern);
  if (size > maxCachedSize) return compiled;
  if (cachedRegexes.size >= maxCachedRegexes) cachedRegexes.clear();
  cachedRegexes.set(pattern, compiled);
  return compiled;
};

const compile = (pattern: string): CompiledRegex | CelError => {
  try {
    return new AutomatonRegex(new RegexProgram(RE2JS.compile(pattern).re2().prog));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (message.startsWith('error parsing regexp: duplicate capture group name')) {
      return compile(withoutGroupNames(pattern));
    }
    return new CelError(message.endsWith('end of expression') ? `${message}: \`\`` : message);
  }
};

/** Searches with one program. What the automata learn about it is cached until it takes too much memory. */
class AutomatonRegex implements CompiledRegex {
  readonly #program: RegexProgram;
  readonly #firstSteps: number;
  #forward: ForwardAutomaton | undefined;
  #backward: BackwardAutomaton | undefined;

  constructor(program: RegexProgram) {
    this.#program = program;
    this.#firstSteps = compilationSteps * program.size;
  }

  test(text: string): boolean | CelError {
    const work = { steps: this.#firstSteps };
    this.#forward ??= new ForwardAutomaton(this.#program);
    const result = this.#forward.test(text, work, maxSearchSteps);
    if (work.steps !== this.#firstSteps) this.#limitMemory(work);
    countSteps(work.steps - this.#firstSteps + (text.length >> 2));
    return result ?? costLimitExceeded;
  }

  find(text: string): string | CelError {
    const matches = this.#search(text, 1);
    if (matches === undefined) return costLimitExceeded;
    const [match] = matches;
    return match === undefined ? '' : text.slice(match.start, match.end);
  }

  findAll(text: string, limit: number): readonly string[] | CelError {
    const matches = this.#search(text, limit < 0 ? Number.POSITIVE_INFINITY : limit);
    return matches?.map(({ start, end }) => text.slice(start, end)) ?? costLimitExceeded;
  }

  #search(text: string, limit: number): readonly Match[] | undefined {
    const work = { steps: this.#firstSteps };
    this.#backward ??= new BackwardAutomaton(this.#program);
    const search = { text, work, maxSteps: maxSearchSteps };
    const matches = this.#backward.findAll(search, limit);
    this.#limitMemory(work);
    // The positions of the text are noted, which takes as long as reading it.
    countSteps(work.steps - this.#firstSteps + text.length);
    return matches;
  }

  /** A search that was given up leaves nothing behind, so that the next one is given up, too. */
  #limitMemory(work: Work): void {
    if (!this.#program.hasManyClasses && work.steps <= maxSearchSteps) return;
    this.#program.dropClasses();
    this.#forward = undefined;
    this.#backward = undefined;
  }
}

/** Go lets two groups have one name, and nothing here reads names. A class without an end is the rest. */
const withoutGroupNames = (pattern: string): string =>
  pattern.replace(
    /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]?|\(\?P?<\w+>/g,
    (token) => (token.startsWith('(?') ? '(' : token),
  );
