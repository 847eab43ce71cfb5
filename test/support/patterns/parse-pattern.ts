/** Regular expressions as trees, as far as the analysis of their backtracking needs them. */

/** Code units or code points from the first to the last, inclusive. */
export type Range = readonly [first: number, last: number];

export type PatternNode =
  | { readonly kind: 'set'; readonly ranges: readonly Range[] }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly parts: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly body: PatternNode;
      readonly min: number;
      readonly max: number;
    }
  | { readonly kind: 'start' | 'end' | 'boundary' }
  | { readonly kind: 'ahead'; readonly body: PatternNode }
  /** What the character before must be, or must not be. */
  | { readonly kind: 'behind'; readonly ranges: readonly Range[]; readonly negative: boolean };

const last = 0x10ffff;
export const everything: readonly Range[] = [[0, last]];
const digits: readonly Range[] = [[0x30, 0x39]];
const wordCharacters: readonly Range[] = [...digits, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
export const lineEnds: readonly Range[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];
const spaces: readonly Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];

export const complement = (ranges: readonly Range[]): readonly Range[] => {
  const gaps: Range[] = [];
  let from = 0;
  for (const [first, end] of ranges.toSorted(([left], [right]) => left - right)) {
    if (first > from) gaps.push([from, first - 1]);
    from = Math.max(from, end + 1);
  }
  return from > last ? gaps : [...gaps, [from, last]];
};

const classes: Readonly<Record<string, readonly Range[]>> = {
  d: digits,
  D: complement(digits),
  w: wordCharacters,
  W: complement(wordCharacters),
  s: spaces,
  S: complement(spaces),
};

/** Unicode properties, which are assumed to include every character outside of ASCII. */
const properties: Readonly<Record<string, readonly Range[]>> = {
  'p{L}': [
    [0x41, 0x5a],
    [0x61, 0x7a],
    [0x80, last],
  ],
  'p{N}': [...digits, [0x80, last]],
};

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', v: '\v', f: '\f' };

/** Both cases of ASCII letters. */
const folded = (ranges: readonly Range[]): readonly Range[] =>
  ranges.flatMap(([first, end]): Range[] => {
    const shifted = (from: number, to: number, by: number): Range[] => {
      const low = Math.max(first, from);
      const high = Math.min(end, to);
      return low > high ? [] : [[low + by, high + by]];
    };
    return [[first, end], ...shifted(0x41, 0x5a, 0x20), ...shifted(0x61, 0x7a, -0x20)];
  });

/** Throws for syntax that it does not support, so that nothing passes unseen. */
export const parsePattern = (source: string, flags: string): PatternNode => {
  let at = 0;
  let count = 0;
  const groups = new Map<string, PatternNode>();
  const ignoresCase = flags.includes('i');
  const set = (ranges: readonly Range[]): PatternNode => ({
    kind: 'set',
    ranges: ignoresCase ? folded(ranges) : ranges,
  });
  const unknown = (what: string): Error => new Error(`${what} at ${at} of /${source}/${flags}`);
  const accept = (text: string): boolean => {
    if (!source.startsWith(text, at)) return false;
    at += text.length;
    return true;
  };

  const choice = (): PatternNode => {
    const parts = [sequence()];
    while (accept('|')) parts.push(sequence());
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'choice', parts };
  };

  const sequence = (): PatternNode => {
    const parts: PatternNode[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      parts.push(quantified(atom()));
    }
    return { kind: 'sequence', parts };
  };

  const quantified = (body: PatternNode): PatternNode => {
    const found = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/.exec(source.slice(at, at + 24));
    if (found === null) return body;
    at += found[0].length;
    const [, sign, low, comma, high] = found;
    const min = sign === undefined ? Number(low) : Number(sign === '+');
    if (sign !== undefined) {
      return { kind: 'repeat', body, min, max: sign === '?' ? 1 : Number.POSITIVE_INFINITY };
    }
    const bounded = comma === undefined ? min : Number(high);
    return { kind: 'repeat', body, min, max: high === '' ? Number.POSITIVE_INFINITY : bounded };
  };

  const atom = (): PatternNode => {
    if (accept('^')) return { kind: 'start' };
    if (accept('$')) return { kind: 'end' };
    if (accept('.')) return set(flags.includes('s') ? everything : complement(lineEnds));
    if (accept('(')) return group();
    if (accept('[')) return set(characterClass());
    if (source.startsWith('\\b', at) || source.startsWith('\\B', at)) {
      at += 2;
      return { kind: 'boundary' };
    }
    const reference = /^\\([1-9]|k<[^>]*>)/.exec(source.slice(at, at + 40));
    if (reference !== null) {
      // As any string that the group matches it is at least as ambiguous.
      at += reference[0].length;
      const referred = groups.get(reference[1] ?? '');
      if (referred === undefined) throw unknown('no such group');
      return referred;
    }
    return set(escapeOrCharacter());
  };

  const group = (): PatternNode => {
    if (accept('?=') || accept('?!')) return { kind: 'ahead', body: groupBody() };
    if (accept('?<=')) return behind(groupBody(), false);
    if (accept('?<!')) return behind(groupBody(), true);
    if (accept('?:')) return groupBody();
    count += 1;
    const number = String(count);
    const name = /^\?(<[^>]*>)/.exec(source.slice(at, at + 40))?.[1] ?? '';
    if (name === '' && source[at] === '?') throw unknown('group');
    at += name === '' ? 0 : name.length + 1;
    const body = groupBody();
    groups.set(number, body);
    groups.set(`k${name}`, body);
    return body;
  };

  const groupBody = (): PatternNode => {
    const body = choice();
    if (!accept(')')) throw unknown('no end of a group');
    return body;
  };

  const behind = (body: PatternNode, negative: boolean): PatternNode => {
    const parts = body.kind === 'sequence' ? body.parts : [body];
    const before = parts.at(-1);
    const isShort = parts.every(({ kind }) => kind === 'set') && (parts.length === 1 || !negative);
    if (!isShort || before?.kind !== 'set') throw unknown('look-behind');
    // Of several characters the last is enough: it lets more through.
    return { kind: 'behind', ranges: before.ranges, negative };
  };

  const characterClass = (): readonly Range[] => {
    if (flags.includes('v')) throw unknown('a class of sets');
    const negative = accept('^');
    const ranges: Range[] = [];
    while (!accept(']')) {
      const low = escapeOrCharacter();
      const isRange = source[at] === '-' && source[at + 1] !== ']';
      if (!isRange) {
        ranges.push(...low);
        continue;
      }
      at += 1;
      const high = escapeOrCharacter();
      ranges.push([low[0]?.[0] ?? 0, high[0]?.[0] ?? last]);
    }
    const cased = ignoresCase ? folded(ranges) : ranges;
    return negative ? complement(cased) : cased;
  };

  const escapeOrCharacter = (): readonly Range[] => {
    const one = (code: number): readonly Range[] => [[code, code]];
    if (!accept('\\')) {
      const code = source.codePointAt(at);
      if (code === undefined) throw unknown('no end');
      at += code > 0xffff ? 2 : 1;
      return one(code);
    }
    const letter = source[at] ?? '';
    at += 1;
    const known = classes[letter];
    if (known !== undefined) return known;
    const control = controls[letter];
    if (control !== undefined) return one(control.charCodeAt(0));
    if (letter === 'b') return one(0x08);
    if (letter === '0') return one(0);
    if (letter === 'p' || letter === 'P') {
      const end = source.indexOf('}', at) + 1;
      const property = letter + source.slice(at, end);
      at = end;
      // Any other property: as everything it is at least as ambiguous.
      return properties[property] ?? everything;
    }
    const hex = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]+)\})/.exec(
      source.slice(at - 1, at + 10),
    );
    if (hex !== null) {
      at += hex[0].length - 1;
      return one(Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? '', 16));
    }
    if (/[a-zA-Z0-9]/.test(letter)) throw unknown(`\\${letter}`);
    return one(letter.charCodeAt(0));
  };

  const tree = choice();
  if (at < source.length) throw unknown('more than one tree');
  return tree;
};
