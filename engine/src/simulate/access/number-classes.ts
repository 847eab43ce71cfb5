/** Numbers of every interval between those with which a claim is compared. */

import { literalMachine } from '../../cel/text-machines/literal-machines.ts';
import { regexMachine } from '../../cel/text-machines/regex-machine.ts';
import { answerOf, type StringMachine } from '../../cel/text-machines/string-machine.ts';
import { formatDouble } from '../../formats/go-float.ts';
import type { ResumableWork } from '../../source/resumable-work.ts';
import type { PathReads } from './claim-reads.ts';
import type { StringWalks } from './string-walks.ts';

export interface NumberClasses {
  readonly values: readonly number[];
  readonly gap: string | undefined;
}

/**
 * Returns numbers such that every number is treated like one of them. Values of a group are compared
 * with each other, so each interval has as many numbers as the group has members.
 */
export function* numbersOf(
  group: readonly PathReads[],
  walks: StringWalks,
): ResumableWork<NumberClasses> {
  const literals = new Set(group.flatMap(({ numbers }) => [...numbers]));
  const compared = comparedNumbers(literals, group.length);
  const tests = new Map(group.flatMap(({ strings }) => [...strings]));
  const converted = new Map(
    [...tests].filter(([, test]) => test.isConverted).map(([key, { machine }]) => [key, machine]),
  );
  if (converted.size === 0) return { values: compared, gap: undefined };
  const isOrdered = group.length > 1 || group.some((at) => at.isOrdered);
  if (!isOrdered) {
    for (const number of literals) {
      converted.set(`number ${number}`, literalMachine('equals', formatDouble(number)));
    }
  }
  const { numbers, isComplete } = yield* numbersForTests(converted, compared, walks);
  const values = [...new Set([...compared, ...numbers])];
  if (!isComplete) return { values, gap: 'the string of a number is tested' };
  // In each interval there would have to be a number for every combination of answers.
  const isMixed = isOrdered && numbers.length > 1;
  const mixed = 'a number is compared both as a number and as a string';
  return { values, gap: isMixed ? mixed : undefined };
}

/** Finds a number for every combination of answers that its string can give. */
function* numbersForTests(
  machines: ReadonlyMap<string, StringMachine>,
  compared: readonly number[],
  walks: StringWalks,
): ResumableWork<{ readonly numbers: readonly number[]; readonly isComplete: boolean }> {
  const answersFor = (text: string): string =>
    [...machines.values()].map((machine) => answerOf(machine, text)).join(' ');
  const found = new Map<string, number>();
  for (const number of [...compared, ...usualNumbers]) {
    const key = answersFor(formatDouble(number));
    if (!found.has(key)) found.set(key, number);
  }
  const grammar = numberMachine();
  const walk = yield* walks.walk(new Map([...machines, ['is a number', grammar]]));
  let { isComplete } = walk;
  for (const { strings } of walk.classes) {
    const [first = ''] = strings;
    const key = answersFor(first);
    if (answerOf(grammar, first) !== 'T' || found.has(key)) continue;
    const text = strings.find((candidate) => formatDouble(Number(candidate)) === candidate);
    if (text === undefined) isComplete = false;
    else found.set(key, Number(text));
  }
  return { numbers: [...found.values()], isComplete };
}

const numberMachine = (): StringMachine => {
  const machine = regexMachine(doubleGrammar);
  if (machine === undefined) throw new Error('unreachable: the grammar is a valid pattern');
  return machine;
};

/** Returns each number, and `count` numbers between neighbors and on each side. */
const comparedNumbers = (numbers: ReadonlySet<number>, count: number): readonly number[] => {
  const sorted = [...numbers].toSorted((a, b) => a - b);
  const [first] = sorted;
  const steps = Array.from({ length: count }, (_, index) => index + 1);
  if (first === undefined) return steps.map((step) => anyNumber * step);
  const values = steps.map((step) => first - step * Math.max(1, Math.abs(first)));
  sorted.forEach((number, index) => {
    const following = sorted[index + 1] ?? number + (count + 1) * Math.max(1, Math.abs(number));
    const width = (following - number) / (count + 1);
    values.push(number, ...steps.map((step) => number + step * width));
  });
  return values.filter(Number.isFinite);
};

const anyNumber = 7;

/** Numbers that are written in different ways. */
const usualNumbers = [0, 7, -1, 1.5, 1e21, 1e-7];

/** The strings that `string()` returns for doubles, and a few more. */
const doubleGrammar =
  '^-?(0|[1-9][0-9]{0,5}|(0|[1-9][0-9]{0,5})\\.[0-9]*[1-9]|[1-9](\\.[0-9]*[1-9])?e(\\+(0[6-9]|[1-9][0-9]|[12][0-9][0-9]|30[0-8])|-(0[5-9]|[1-9][0-9]|[12][0-9][0-9]|3[0-2][0-9])))$';
