/**
 * Regular expressions in RE2 syntax, which are matched in linear time without backtracking. Only
 * this file imports re2js. Error messages are those of Go's `regexp`.
 */
import { RE2JS } from 're2js';
import { costLimitExceeded } from '../values/evaluation-errors.ts';
import { countSteps } from '../values/evaluation-steps.ts';
import { CelError } from '../values/value.ts';
import { BackwardAutomaton } from './regex-backward.ts';
import { ForwardAutomaton } from './regex-forward.ts';
import { RegexProgram, type Work } from './regex-program.ts';
import { regexSize } from './regex-size.ts';

/** A compiled expression. */
export interface CompiledRegex {
  /** Checks whether the expression matches anywhere in the string. */
  test(text: string): boolean | CelError;
  /** Returns the leftmost match, or an empty string. */
  find(text: string): string | CelError;
  /** Returns at most `limit` successive matches, or all if the limit is negative. */
  findAll(text: string, limit: number): readonly string[] | CelError;
}

/**
 * The maximum number of instructions of a program, estimated by `regexSize`. Compiling takes about
 * a microsecond for each.
 */
const maxRegexSize = 32_768;

/** The error that rejects an expression with a larger constant pattern when it is loaded. */
export const regexTooLargeMessage = `regular expression exceeds ${maxRegexSize} instructions`;

/**
 * The maximum number of steps of one search: instructions that the automata visit, transitions that
 * they compute and characters that they read. A step takes at most about 10 nanoseconds.
 */
const maxSearchSteps = 4_000_000;

/**
 * The steps that each instruction counts for in each search, because the pattern may have to be
 * compiled for it.
 */
const compilationSteps = 100;

/** The maximum number of instructions of an expression that is cached. */
const maxCachedSize = 2048;

/** The number of cached expressions. Patterns that depend on claims are used again. */
const maxCachedRegexes = 256;

const cachedRegexes = new Map<string, CompiledRegex | CelError>();

/** Compiles an expression, or returns the error. */
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

/** Compiles an expression to its program, without a limit of steps, or returns the error. */
export const compileRegexProgram = (pattern: string): RegexProgram | CelError => {
  if (regexSize(pattern).instructions > maxRegexSize) return costLimitExceeded;
  return compileProgram(pattern);
};

const compile = (pattern: string): CompiledRegex | CelError => {
  const program = compileProgram(pattern);
  return program instanceof CelError ? program : new AutomatonRegex(program);
};

const compileProgram = (pattern: string): RegexProgram | CelError => {
  try {
    return new RegexProgram(RE2JS.compile(pattern).re2().prog);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (message.startsWith('error parsing regexp: duplicate capture group name')) {
      return compileProgram(withoutGroupNames(pattern));
    }
    return new CelError(message.endsWith('end of expression') ? `${message}: \`\`` : message);
  }
};

/**
 * Searches with one program. The automata cache what they computed until it takes too much memory.
 */
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
    const matches = this.findAll(text, 1);
    return matches instanceof CelError ? matches : (matches[0] ?? '');
  }

  findAll(text: string, limit: number): readonly string[] | CelError {
    const work = { steps: this.#firstSteps };
    this.#backward ??= new BackwardAutomaton(this.#program);
    const search = { text, work, maxSteps: maxSearchSteps };
    const matches = this.#backward.findAll(search, limit < 0 ? Number.POSITIVE_INFINITY : limit);
    this.#limitMemory(work);
    // Storing the positions takes as long as reading the string.
    countSteps(work.steps - this.#firstSteps + text.length);
    return matches ?? costLimitExceeded;
  }

  /**
   * Drops the caches of a search that exceeded its steps, so that the next one exceeds them, too.
   */
  #limitMemory(work: Work): void {
    if (!this.#program.hasManyClasses && work.steps <= maxSearchSteps) return;
    this.#program.dropClasses();
    this.#forward = undefined;
    this.#backward = undefined;
  }
}

/**
 * Removes group names: Go accepts two groups with the same name, and CEL does not use them. A class
 * without an end extends to the end of the pattern.
 */
const withoutGroupNames = (pattern: string): string =>
  pattern.replace(
    /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]?|\(\?P?<\w+>/g,
    (token) => (token.startsWith('(?') ? '(' : token),
  );
