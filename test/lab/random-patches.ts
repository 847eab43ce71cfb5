/** Generates JSON patches as text: unusual pointers and numbers, repeated and missing members. */
import type { SeededRandom } from './seeded-random.ts';

/** Generates a list of operations, one in ten of them with missing or additional members. */
export const randomPatch = (random: SeededRandom): string => {
  const { indexes, pick } = random;
  return `[${[0, ...indexes(3)].map(() => randomOperation(random)).join(pick([',', ' , ']))}]`;
};

const randomOperation = (random: SeededRandom): string => {
  const { pick, chance } = random;
  const op = pick(['add', 'add', 'add', 'replace', 'remove', 'test', 'test', 'move', 'copy']);
  const second =
    op === 'move' || op === 'copy'
      ? `"from":"${pick(pointers)}"`
      : `"value":${randomValue(random)}`;
  const members = [`"op":"${op}"`, `"path":"${pick(pointers)}"`, ...(chance(0.95) ? [second] : [])];
  return `{${[...members, ...(chance(0.1) ? [pick(extras)] : [])].join(',')}}`;
};

/** Generates a value as text, as repeated members and the spelling of numbers matter. */
const randomValue = (random: SeededRandom, depth = 0): string => {
  const { pick, indexes, chance } = random;
  if (depth > 2 || chance(0.5)) return pick(scalars);
  const inner = indexes(3).map(() => randomValue(random, depth + 1));
  return chance(0.5)
    ? `[${inner.join(', ')}]`
    : `{${inner.map((text) => `"${pick(names)}":${text}`).join(',')}}`;
};

const names: readonly string[] = ['a', 'b', 'name', 'uid', 'kind', 'generation'];

const scalars: readonly string[] = [
  ...['null', 'true', 'false', '0', '1', '1.0', '-0', '1e2', '2.5', '1e400'],
  ...['""', '"b"', '"<b>"', '"\\u003cb\\u003e"', '"\\u0062"', '"example.com/f"'],
];

const extras: readonly string[] = [
  ...['"op":"add"', '"op":5', '"path":"/nope"', '"path":null', '"from":null', '"Op":"test"'],
  ...['"nope":1', '"nope":{"q":1,"q":2}', '"value":{"q":1,"q":2}'],
];

const pointers: readonly string[] = [
  ...['', '/', 'x/nope', '/nope', '/nope/a', '/nope/a/b', '/nope/0', '/nope/-', '/nope/+0'],
  ...['/metadata', '/metadata/labels', '/metadata/labels/a', '/metadata/labels/a~2b'],
  ...['/metadata/annotations/a.b~1c', '/metadata/annotations/n', '/metadata/generation'],
  ...['/metadata/finalizers', '/metadata/finalizers/-', '/metadata/finalizers/00'],
  ...['/metadata/finalizers/-1', '/secrets', '/secrets/0/name', '/rules/0/verbs', '/rules/-'],
];
