/**
 * Returns an example of what a message pattern matches, with `…` for each variable part. Optional
 * parts are left out, and of alternatives the first one is used.
 */
export const patternText = ({ source }: RegExp): string => {
  const [text] = readAlternatives(source, 0);
  return text.replaceAll(/…(?: ?…)+/g, '…').trim();
};

type Reading = readonly [text: string, end: number];

/** Reads up to the end of the group. */
const readAlternatives = (source: string, start: number): Reading => {
  let first: string | undefined;
  let text = '';
  let at = start;
  while (at < source.length && source[at] !== ')') {
    if (source[at] === '|') {
      first ??= text;
      text = '';
      at += 1;
      continue;
    }
    const [atom, end] = readAtom(source, at);
    const [quantifier, next] = readQuantifier(source, end);
    // A variable part may be empty, but is shown.
    if (quantifier !== '?' && (quantifier !== '*' || atom === '…')) text += atom;
    at = next;
  }
  return [first ?? text, at];
};

const readAtom = (source: string, at: number): Reading => {
  const character = source[at] ?? '';
  switch (character) {
    case '^':
    case '$':
      return ['', at + 1];
    case '.':
      return ['…', at + 1];
    case '[': {
      const end = endOfClass(source, at);
      const characters = source.slice(at + 1, end - 1);
      return [/^[^\\^-]+$/.test(characters) ? (characters[0] ?? '') : '…', end];
    }
    case '(':
      return readGroup(source, at);
    case '\\': {
      const escaped = source[at + 1] ?? '';
      if (/[dwS]/.test(escaped)) return ['…', at + 2];
      return [escaped === 'n' ? '' : escaped, at + 2];
    }
    default:
      return [character, at + 1];
  }
};

const readGroup = (source: string, at: number): Reading => {
  const head = /\(\?(?::|<\w+>)/y;
  head.lastIndex = at;
  const start = at + (head.exec(source)?.[0].length ?? 1);
  const [text, end] = readAlternatives(source, start);
  return [text, end + 1];
};

const endOfClass = (source: string, at: number): number => {
  let end = at + 1;
  while (end < source.length && source[end] !== ']') end += source[end] === '\\' ? 2 : 1;
  return end + 1;
};

/** Reads the quantifier after an atom; empty if there is none. */
const readQuantifier = (source: string, at: number): Reading => {
  const character = source[at] ?? '';
  if (!/^[?*+]$/.test(character)) return ['', at];
  return [character, source[at + 1] === '?' ? at + 2 : at + 1];
};
