/** A machine that answers whether a regular expression matches anywhere in the string. */

import { compileRegexProgram } from '../regex/regex.ts';
import { ForwardAutomaton } from '../regex/regex-forward.ts';
import type { RegexProgram, Work } from '../regex/regex-program.ts';
import { CelError } from '../values/value.ts';
import type { StringMachine } from './string-machine.ts';

/** Creates the machine; returns `undefined` for an invalid or very large pattern. */
export const regexMachine = (pattern: string): StringMachine | undefined => {
  const program = compileRegexProgram(pattern);
  if (program instanceof CelError) return undefined;
  const automaton = new ForwardAutomaton(program);
  const work: Work = { steps: 0 };
  return {
    start: automaton.start,
    step: (state, codePoint) => automaton.step(state, codePoint, work),
    answer: (state) => (automaton.matchesAtEnd(state, work) ? 'T' : 'F'),
    boundaries: boundariesOf(program),
    classOf: (codePoint) => String(program.classOf(codePoint, work)),
  };
};

const boundariesOf = (program: RegexProgram): ReadonlySet<number> => {
  const boundaries = new Set(program.boundaries());
  if (program.assertions !== 0) for (const boundary of contextBoundaries) boundaries.add(boundary);
  return boundaries;
};

/** The boundaries of line breaks, digits, letters and the underscore, on which assertions depend. */
const contextBoundaries = [10, 11, 48, 58, 65, 91, 95, 96, 97, 123];
