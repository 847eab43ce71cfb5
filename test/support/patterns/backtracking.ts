/**
 * Finds regular expressions whose search can take more than linear time. The expression becomes an automaton
 * whose first state also reads anything, as a search that is not anchored tries each place. The time is
 * - exponential if a state can be left and reached again by the same string in two ways;
 * - polynomial if two states q and p exist such that one string leads from q to q, from q to p and from p to p,
 *   as in `a*a*`, and in `a+$`, where the search itself is q;
 * and no match ends the search there (Weber and Seidl, 1991, "On the degree of ambiguity of finite automata").
 */
import {
  complement,
  lineEnds,
  type PatternNode,
  parsePattern,
  type Range,
} from './parse-pattern.ts';

export interface Backtracking {
  readonly growth: 'polynomial' | 'exponential';
  /** A string that makes the search slow if it is repeated, possibly after other characters. */
  readonly pump: string;
}

/** `undefined` if the search is linear. */
export const backtrackingOf = (source: string, flags = ''): Backtracking | undefined => {
  const walk = walkOf(automatonOf(parsePattern(source, flags), flags));
  return exponential(walk) ?? polynomial(walk);
};

/** More repetitions than this count as unlimited. */
const mostCountedRepetitions = 100;
/** So many copies of a repeated part show its ambiguity. */
const copies = 2;

type State =
  | { readonly kind: 'read'; readonly ranges: readonly Range[]; next: number }
  | { readonly kind: 'split'; readonly targets: number[] }
  | { readonly kind: 'start' | 'end'; readonly next: number }
  | {
      readonly kind: 'behind';
      readonly ranges: readonly Range[];
      readonly negative: boolean;
      readonly next: number;
    }
  | { readonly kind: 'accept' | 'fail' };

/** States that read, and what they reach without reading, by the characters of `samples`. */
interface Automaton {
  /** One character of each set that the expression distinguishes. */
  readonly samples: readonly number[];
  readonly reads: (state: number, sample: number) => boolean;
  /** Edges of each state with their number of paths, counted up to two. */
  readonly edges: readonly ReadonlyMap<number, number>[];
  /** States after which the expression has matched, whatever follows. */
  readonly accepts: ReadonlySet<number>;
}

const automatonOf = (tree: PatternNode, flags: string): Automaton => {
  const states: State[] = [{ kind: 'accept' }, { kind: 'fail' }];
  const [accept, fail] = [0, 1];
  const add = (state: State): number => states.push(state) - 1;

  // States differ in what look-behind distinguishes, as it looks at the character that was read last.
  const behindSets = lookedBehind(tree, flags);
  const read = (ranges: readonly Range[], next: number): number => {
    const parts = behindSets.reduce(
      (sets, behind) =>
        sets.flatMap((set) => [intersection(set, behind), intersection(set, complement(behind))]),
      [ranges],
    );
    const targets = parts.flatMap((part) =>
      part.length === 0 ? [] : [add({ kind: 'read', ranges: part, next })],
    );
    return targets.length === 1 && targets[0] !== undefined
      ? targets[0]
      : add({ kind: 'split', targets });
  };

  const build = (node: PatternNode, next: number): number => {
    switch (node.kind) {
      case 'set':
        return read(node.ranges, next);
      case 'sequence':
        return node.parts.reduceRight((after, part) => build(part, after), next);
      case 'choice':
        return add({ kind: 'split', targets: node.parts.map((part) => build(part, next)) });
      case 'repeat':
        return buildRepeat(node, next);
      case 'start':
        return flags.includes('m')
          ? add({ kind: 'behind', ranges: complement(lineEnds), negative: true, next })
          : add({ kind: 'start', next });
      case 'end':
        return flags.includes('m') ? next : add({ kind: 'end', next });
      case 'boundary':
        return next;
      case 'ahead':
        return add({ kind: 'split', targets: [build(node.body, fail), next] });
      case 'behind':
        return add({ ...node, next });
    }
  };
  const buildRepeat = (
    { body, min, max }: Extract<PatternNode, { kind: 'repeat' }>,
    next: number,
  ): number => {
    let entry = next;
    if (max > mostCountedRepetitions) {
      const loop: State = { kind: 'split', targets: [] };
      entry = add(loop);
      loop.targets.push(build(body, entry), next);
      // The first round of a loop in a loop is another than those after it, as their ways differ.
      if (isUnlimited(body)) entry = add({ kind: 'split', targets: [build(body, entry), next] });
    } else {
      for (let count = Math.min(max - min, copies); count > 0; count -= 1) {
        entry = add({ kind: 'split', targets: [build(body, entry), next] });
      }
    }
    for (let count = Math.min(min, copies); count > 0; count -= 1) entry = build(body, entry);
    return entry;
  };

  const first = build(tree, accept);
  const scanned = states.length;
  const scan = read([[0, 0x10ffff]], fail);
  const isScan = (index: number): boolean => index >= scanned;
  const reading = states.flatMap((state, index) => (state.kind === 'read' ? [index] : []));
  const numberOf = new Map(reading.map((state, index) => [state, index]));

  /** What can be read next, and whether the expression has matched. Without a state: at the start. */
  const reached = (from: number, last?: number) => {
    const ways = new Map<number, number>();
    let acceptsAlways = false;
    let acceptsAtEnd = false;
    let steps = 0;
    const before = states[last ?? -1];
    const isBehind = (ranges: readonly Range[]): boolean =>
      before?.kind === 'read' && intersection(before.ranges, ranges).length > 0;
    const visit = (index: number, path: ReadonlySet<number>, ended: boolean): void => {
      steps += 1;
      if (steps > 200_000) throw new Error('too many ways through the expression');
      const state = states[index];
      if (state === undefined || path.has(index)) return;
      if (state.kind === 'accept') {
        if (ended) acceptsAtEnd = true;
        else acceptsAlways = true;
      } else if (state.kind === 'read') {
        const number = numberOf.get(index);
        if (!ended && number !== undefined) ways.set(number, (ways.get(number) ?? 0) + 1);
      } else if (state.kind === 'split') {
        for (const target of state.targets) visit(target, new Set([...path, index]), ended);
      } else if (state.kind === 'end') visit(state.next, path, true);
      else if (state.kind === 'start' && last === undefined) visit(state.next, path, ended);
      else if (state.kind === 'behind' && isBehind(state.ranges) !== state.negative) {
        visit(state.next, path, ended);
      }
    };
    visit(from, new Set(), false);
    return { ways, acceptsAlways, acceptsAtEnd };
  };

  const scanNumbers = flags.includes('y')
    ? []
    : [...reached(scan).ways.keys()].map((number) => [number, 1] as const);
  const after = reading.map((index) => {
    const state = states[index];
    return reached(isScan(index) ? first : state?.kind === 'read' ? state.next : fail, index);
  });
  const edges = after.map(({ ways }, number) =>
    isScan(reading[number] ?? 0) ? new Map([...ways, ...scanNumbers]) : ways,
  );
  edges.push(new Map([...reached(first).ways, ...scanNumbers]));

  const isEverything = (number: number): boolean => {
    const state = states[reading[number] ?? -1];
    return state?.kind === 'read' && covers(state.ranges);
  };
  // `[^]*$` matches whatever follows.
  const takesTheRest = (number: number): boolean =>
    isEverything(number) &&
    after[number]?.acceptsAtEnd === true &&
    edges[number]?.has(number) === true;
  const accepts = new Set(
    after.flatMap((found, number) =>
      // A global search goes on after an empty match.
      (found.acceptsAlways || [...found.ways.keys()].some(takesTheRest)) &&
      !(isScan(reading[number] ?? 0) && flags.includes('g'))
        ? [number]
        : [],
    ),
  );
  const rangesOf = reading.map((index) => {
    const state = states[index];
    return state?.kind === 'read' ? state.ranges : [];
  });
  return {
    samples: samplesOf(rangesOf),
    reads: (state, sample) =>
      rangesOf[state]?.some(([low, high]) => low <= sample && sample <= high) === true,
    edges,
    accepts,
  };
};

const isUnlimited = (node: PatternNode): boolean => {
  if (node.kind === 'repeat') return node.max > mostCountedRepetitions || isUnlimited(node.body);
  if (node.kind === 'sequence' || node.kind === 'choice') return node.parts.some(isUnlimited);
  return node.kind === 'ahead' && isUnlimited(node.body);
};

/** The sets of characters that decide about look-behind, the starts of lines included. */
const lookedBehind = (node: PatternNode, flags: string): readonly (readonly Range[])[] => {
  if (node.kind === 'behind') return [node.ranges];
  if (node.kind === 'start') return flags.includes('m') ? [lineEnds] : [];
  if (node.kind === 'repeat' || node.kind === 'ahead') return lookedBehind(node.body, flags);
  if (node.kind !== 'sequence' && node.kind !== 'choice') return [];
  return node.parts.flatMap((part) => lookedBehind(part, flags));
};

const intersection = (left: readonly Range[], right: readonly Range[]): readonly Range[] =>
  left.flatMap(([first, last]) =>
    right.flatMap(([from, to]): Range[] =>
      Math.max(first, from) <= Math.min(last, to)
        ? [[Math.max(first, from), Math.min(last, to)]]
        : [],
    ),
  );

const covers = (ranges: readonly Range[]): boolean => {
  let from = 0;
  for (const [first, end] of ranges.toSorted(([left], [right]) => left - right)) {
    if (first > from) return false;
    from = Math.max(from, end + 1);
  }
  return from > 0x10ffff;
};

/** A character between each two ends of ranges; printed ones where there are. */
const samplesOf = (sets: readonly (readonly Range[])[]): readonly number[] => {
  const cuts = new Set([0]);
  for (const [low, high] of sets.flat()) cuts.add(low).add(high + 1);
  const sorted = [...cuts].filter((cut) => cut <= 0x10ffff).toSorted((left, right) => left - right);
  return sorted.map((cut, index) => {
    const end = sorted[index + 1] ?? 0x110000;
    return cut < 0x61 && end > 0x61 ? 0x61 : cut;
  });
};

/** What is read from a state on: the states reached, for each sample. */
const stepsOf = (automaton: Automaton): readonly ReadonlyMap<number, readonly number[]>[] =>
  automaton.edges.map(
    (targets) =>
      new Map(
        automaton.samples.map((sample) => [
          sample,
          [...targets.keys()].filter((target) => automaton.reads(target, sample)),
        ]),
      ),
  );

/** States that can be reached from each. */
const reachability = (automaton: Automaton): readonly ReadonlySet<number>[] =>
  automaton.edges.map((targets) => {
    const seen = new Set<number>();
    const waiting = [...targets.keys()];
    for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
      if (seen.has(state)) continue;
      seen.add(state);
      waiting.push(...(automaton.edges[state]?.keys() ?? []));
    }
    return seen;
  });

interface TupleSearch {
  readonly from: readonly number[];
  readonly allowed: (tuple: readonly number[]) => boolean;
  /** `parted` is true once the first two states have differed. */
  readonly goal: (tuple: readonly number[], parted: boolean) => boolean;
}

/** Walks tuples of states that read the same string; returns the string that leads to the goal. */
const searchTuples = (
  steps: readonly ReadonlyMap<number, readonly number[]>[],
  samples: readonly number[],
  { from, allowed, goal }: TupleSearch,
): string | undefined => {
  const seen = new Set<string>();
  const waiting = [{ tuple: from, parted: false, read: '' }];
  for (const { tuple, parted, read } of waiting) {
    for (const sample of samples) {
      for (const next of product(tuple.map((state) => steps[state]?.get(sample) ?? []))) {
        const nowParted = parted || next[0] !== next[1];
        const key = `${next.join()} ${nowParted}`;
        if (seen.has(key) || !allowed(next)) continue;
        seen.add(key);
        const string = read + String.fromCodePoint(sample);
        if (goal(next, nowParted)) return string;
        waiting.push({ tuple: next, parted: nowParted, read: string });
      }
    }
  }
  return undefined;
};

const product = (choices: readonly (readonly number[])[]): readonly (readonly number[])[] =>
  choices.reduce<readonly (readonly number[])[]>(
    (tuples, choice) => tuples.flatMap((tuple) => choice.map((item) => [...tuple, item])),
    [[]],
  );

/** What both analyses need of an automaton. */
interface Walk {
  readonly automaton: Automaton;
  readonly steps: readonly ReadonlyMap<number, readonly number[]>[];
  readonly canReach: (from: number, to: number) => boolean;
}

const walkOf = (automaton: Automaton): Walk => {
  const reach = reachability(automaton);
  return {
    automaton,
    steps: stepsOf(automaton),
    canReach: (from, to) => reach[from]?.has(to) === true,
  };
};

/** States that can be reached again, and that do not end the search. */
const loopingStates = ({ automaton, canReach }: Walk): readonly number[] =>
  [...automaton.edges.keys()].filter(
    (state) => canReach(state, state) && !automaton.accepts.has(state),
  );

const exponential = (walk: Walk): Backtracking | undefined => {
  const { automaton, steps, canReach } = walk;
  for (const state of loopingStates(walk)) {
    const inCycle = (other: number): boolean =>
      !automaton.accepts.has(other) && canReach(state, other) && canReach(other, state);
    for (const [target, ways] of automaton.edges[state] ?? []) {
      const sample = automaton.samples.find((character) => automaton.reads(target, character));
      if (ways > 1 && sample !== undefined && inCycle(target)) {
        return { growth: 'exponential', pump: String.fromCodePoint(sample) };
      }
    }
    const pump = searchTuples(steps, automaton.samples, {
      from: [state, state],
      allowed: (tuple) => tuple.every(inCycle),
      goal: ([left, right], parted) => parted && left === state && right === state,
    });
    if (pump !== undefined) return { growth: 'exponential', pump };
  }
  return undefined;
};

const polynomial = (walk: Walk): Backtracking | undefined => {
  const { automaton, steps, canReach } = walk;
  const looping = loopingStates(walk);
  for (const first of looping) {
    for (const second of looping) {
      if (first === second || !canReach(first, second)) continue;
      const pump = searchTuples(steps, automaton.samples, {
        from: [first, first, second],
        allowed: ([left = -1, middle = -1, right = -1]) =>
          canReach(left, first) &&
          !automaton.accepts.has(left) &&
          !automaton.accepts.has(right) &&
          (middle === second || canReach(middle, second)) &&
          canReach(second, right) &&
          canReach(right, second),
        goal: ([left, middle, right]) => left === first && middle === second && right === second,
      });
      if (pump !== undefined) return { growth: 'polynomial', pump };
    }
  }
  return undefined;
};
