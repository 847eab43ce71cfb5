/**
 * Edits as people and programs make them: single keys, lines, pasted blocks, invalid characters.
 */
import type { Random } from './random.ts';

export interface Edit {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export const applyEdit = (text: string, { start, end, text: inserted }: Edit): string =>
  text.slice(0, start) + inserted + text.slice(end);

type Maker = (text: string, random: Random) => Omit<Edit, 'kind'>;

const insert = (start: number, text: string) => ({ start, end: start, text });
const place = (text: string, random: Random): number => random.below(text.length + 1);

/** Returns the start of a random line. */
const line = (text: string, random: Random): number =>
  text.lastIndexOf('\n', place(text, random) - 1) + 1;
const lineEnd = (text: string, from: number): number => {
  const at = text.indexOf('\n', from);
  return at === -1 ? text.length : at + 1;
};

/** Returns an offset inside a value, where most keys are typed. */
const valuePlace = (text: string, random: Random): number => {
  const start = line(text, random);
  const end = lineEnd(text, start);
  const colon = text.indexOf(': ', start);
  const from = colon === -1 || colon > end ? start : colon + 2;
  return Math.min(end, from + random.below(Math.max(1, end - from)));
};

const letters = [
  'x',
  'a',
  '0',
  '.',
  '"',
  "'",
  '(',
  ')',
  ' ',
  '/',
  '_',
  '-',
  '\\',
  '$',
  '+',
  '{',
  '#',
];
const pieces = [
  '\n',
  '\n\n',
  '\r\n',
  '\r',
  '\t',
  '  ',
  ': ',
  '- ',
  '---\n',
  '...\n',
  '--- ',
  '%YAML 1.1\n',
  '# comment\n',
  ' # comment',
  '&a ',
  '*a',
  '!!str ',
  '!t ',
  '<<: {a: b}\n',
  '[',
  ']',
  '{',
  '}',
  ',',
  '? ',
  '|\n',
  '>-\n',
  '|+\n',
  '"',
  "'",
  '\ufeff',
  '\u0001',
  '\u2028',
  '\u0085',
  '\ufffd',
  'é',
  '𝒳',
  '\ud835',
  'null',
  '~',
  '1e99',
  '.inf',
  'claims.',
  'claims.sub',
  'has(claims.x) && ',
  "split(',')",
  'https://issuer.example.com',
];
const blocks = (indent: string): readonly string[] => [
  `${indent}- issuer:\n${indent}    url: https://pasted.example\n${indent}    audiences: [a]\n${indent}  claimMappings:\n${indent}    username: {claim: sub, prefix: ""}\n`,
  `${indent}- issuer: {url: https://issuer.example.com, audiences: [a, b]}\n`,
  `${indent}-\n`,
  `${indent}- null\n`,
  `${indent}  claimValidationRules:\n${indent}  - expression: claims.hd == 'x'\n${indent}    message: no\n`,
  `${indent}  claimValidationRules:\n${indent}  - claim: email_verified\n${indent}    requiredValue: "true"\n`,
  `${indent}    audienceMatchPolicy: MatchAny\n`,
  `${indent}  userValidationRules: [{expression: "user.username != ''", message: >-\n      long\n\n      text}]\n`,
  'anonymous:\n  enabled: true\n',
  'kind: AuthenticationConfiguration\n',
];

const makers: ReadonlyMap<string, readonly [weight: number, make: Maker]> = new Map([
  ['letter', [10, (text, random) => insert(valuePlace(text, random), random.pick(letters))]],
  [
    'rub out',
    [
      8,
      (text, random) => {
        const start = valuePlace(text, random);
        return { start, end: Math.min(text.length, start + 1), text: '' };
      },
    ],
  ],
  [
    'word',
    [
      4,
      (text, random) => {
        const start = valuePlace(text, random);
        const end = start + (/^\w*/.exec(text.slice(start, start + 40))?.[0].length ?? 0);
        return { start, end, text: random.pick(['claims', 'sub', 'true', '7', '', 'MatchAny']) };
      },
    ],
  ],
  ['piece', [6, (text, random) => insert(place(text, random), random.pick(pieces))]],
  ['piece at a line', [3, (text, random) => insert(line(text, random), random.pick(pieces))]],
  [
    'indent',
    [
      3,
      (text, random) => {
        const start = line(text, random);
        return random.chance(0.5)
          ? insert(start, ' '.repeat(1 + random.below(3)))
          : { start, end: start + (/^ {0,2}/.exec(text.slice(start))?.[0].length ?? 0), text: '' };
      },
    ],
  ],
  [
    'remove a line',
    [
      3,
      (text, random) => {
        const start = line(text, random);
        return { start, end: lineEnd(text, start), text: '' };
      },
    ],
  ],
  [
    'remove some lines',
    [
      1,
      (text, random) => {
        const start = line(text, random);
        let end = start;
        for (let count = random.below(8); count >= 0; count -= 1) end = lineEnd(text, end);
        return { start, end, text: '' };
      },
    ],
  ],
  [
    'copy lines',
    [
      2,
      (text, random) => {
        const from = line(text, random);
        let to = from;
        for (let count = random.below(12); count >= 0; count -= 1) to = lineEnd(text, to);
        return insert(line(text, random), text.slice(from, to));
      },
    ],
  ],
  [
    'paste',
    [
      2,
      (text, random) =>
        insert(line(text, random), random.pick(blocks(random.pick(['', '  ', '    '])))),
    ],
  ],
  ['end', [2, (text, random) => insert(text.length, random.pick([...pieces, ...blocks('  ')]))]],
  [
    'change all line ends',
    [
      0.15,
      (text, random) => ({
        start: 0,
        end: text.length,
        text: random.chance(0.5) ? text.replace(/\r?\n/g, '\r\n') : text.replace(/\r\n/g, '\n'),
      }),
    ],
  ],
]);

const whole = [...makers.values()].reduce((sum, [weight]) => sum + weight, 0);

export const randomEdit = (text: string, random: Random): Edit => {
  let left = random.fraction() * whole;
  for (const [kind, [weight, make]] of makers) {
    left -= weight;
    if (left < 0) return { kind, ...make(text, random) };
  }
  return { kind: 'none', ...insert(0, '') };
};
