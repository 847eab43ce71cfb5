/** JSON patches by chance as texts: odd pointers and numbers, members that come twice or not at all. */
import type { Chance } from './chance.ts';

/** A list of operations, one in ten of them with too much or too little. */
export const patchText = (chance: Chance): string => {
  const { some, one } = chance;
  return `[${[0, ...some(3)].map(() => operation(chance)).join(one([',', ' , ']))}]`;
};

const operation = (chance: Chance): string => {
  const { one, maybe } = chance;
  const op = one(['add', 'add', 'add', 'replace', 'remove', 'test', 'test', 'move', 'copy']);
  const second =
    op === 'move' || op === 'copy' ? `"from":"${one(pointers)}"` : `"value":${value(chance)}`;
  const members = [`"op":"${op}"`, `"path":"${one(pointers)}"`, ...(maybe(0.95) ? [second] : [])];
  return `{${[...members, ...(maybe(0.1) ? [one(extras)] : [])].join(',')}}`;
};

/** Of texts, as repeated members and the spelling of numbers matter. */
const value = (chance: Chance, depth = 0): string => {
  const { one, some, maybe } = chance;
  if (depth > 2 || maybe(0.5)) return one(scalars);
  const inner = some(3).map(() => value(chance, depth + 1));
  return maybe(0.5)
    ? `[${inner.join(', ')}]`
    : `{${inner.map((text) => `"${one(names)}":${text}`).join(',')}}`;
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
