/**
 * The TextMate grammars, which color expressions before the language server answers: where an
 * expression starts and ends in YAML.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { macrosIn } from '../../engine/src/cel/syntax/macros.ts';
import { newestRelease } from '../../engine/src/model/release.ts';

interface Rule {
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly while?: string;
  readonly include?: string;
  readonly patterns?: readonly Rule[];
}
interface Grammar extends Rule {
  readonly scopeName: string;
  readonly repository: Readonly<Record<string, Rule>>;
}

const root = join(import.meta.dirname, '../../extension');
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const { grammars } = read('package.json').contributes;
const loaded: ReadonlyMap<string, Grammar> = new Map(
  grammars.map(({ path }: { path: string }) => {
    const grammar: Grammar = read(path);
    return [grammar.scopeName, grammar];
  }),
);
const yaml = loaded.get('authgraph.cel.yaml');
const cel = loaded.get('source.cel');

const rulesOf = (rule: Rule): readonly Rule[] => [rule, ...(rule.patterns ?? []).flatMap(rulesOf)];
const allRules = (grammar: Grammar): readonly Rule[] =>
  [grammar, ...Object.values(grammar.repository)].flatMap(rulesOf);

test('the manifest lists the scopes and files of the grammars', () => {
  for (const { scopeName, path } of grammars) expect(read(path).scopeName).toBe(scopeName);
});

test('included rules exist', () => {
  const included = [...loaded.values()].flatMap((grammar) =>
    allRules(grammar).flatMap(({ include }) =>
      include === undefined ? [] : [{ grammar, include }],
    ),
  );
  expect(included.length).toBeGreaterThan(20);
  for (const { grammar, include } of included) {
    const [scope = '', name] = include.split('#');
    const target = scope === '' ? grammar : loaded.get(scope);
    expect(target, include).toBeDefined();
    if (name !== undefined) expect(target?.repository[name], include).toBeDefined();
  }
});

test.each(
  macrosIn(newestRelease).map(({ name, isReceiverStyle }) => ({
    name,
    receiver: isReceiverStyle,
  })),
)('colors the macro $name', ({ name, receiver }) => {
  const macros = cel?.repository.word?.patterns?.find(({ match }) => match?.includes('exists'));
  const text = `${receiver ? 'a.' : ''}${name}(`;
  expect(new RegExp(macros?.match ?? 'none').exec(text)?.[0]).toBe(name);
});

const begin = (name: string): RegExp => new RegExp(yaml?.repository[name]?.begin ?? 'none');

test.each([
  ['plain', '  expression: claims.sub', 'claims'],
  ['plain', '- valueExpression:   user.uid', 'user'],
  ['plain', 'expression: "a"', undefined],
  ['plain', 'expression: |', undefined],
  ['plain', 'myexpression: a', undefined],
  ['plain', 'message: expression', undefined],
  ['double', '  - expression: "a"', '"a'],
  ['double', '{"expression": "a"}', '"a'],
  ['single', "  expression: 'a'", "'a"],
  ['flow', '{a: b, expression: claims.a}', 'claims'],
  ['flow', '  expression: claims.a', undefined],
  ['block', '    expression: |', 'expression'],
  ['block', '    valueExpression: >2- # why', 'valueExpression'],
  ['block', '  - expression: |', undefined],
  ['block', '    message: |', undefined],
  ['block-behind-dash', '  - expression: |-', 'expression'],
])('%s: %s', (name, line, expected) => {
  const found = begin(name).exec(line);
  if (expected === undefined) expect(found).toBeNull();
  else expect(found && line.slice(found.index)).toMatch(new RegExp(`^${expected}`));
});

/** Tests whether a line continues a rule; backreferences are replaced like in an editor. */
const continues = (name: string, opening: string, line: string): boolean => {
  const groups = begin(name).exec(opening) ?? [];
  const pattern = (yaml?.repository[name]?.while ?? '')
    .replace('\\G[', '^[')
    .replace(/\\(\d+)/g, (_, group: string) => groups[Number(group)] ?? '');
  return new RegExp(pattern).test(line);
};

test.each([
  ['block', '    expression: |', '      claims.a', true],
  ['block', '    expression: |', '     claims.a', true],
  ['block', '    expression: |', '', true],
  ['block', '    expression: |', '    message: a', false],
  ['block', '    expression: |', 'kind: a', false],
  ['block-behind-dash', '  - expression: |', '     claims.a', true],
  ['block-behind-dash', '  - expression: |', '    message: a', false],
  ['block-behind-dash', '  - expression: |', '  - message: a', false],
])('%s after %j: %j', (name, opening, line, expected) => {
  expect(continues(name, opening, line)).toBe(expected);
});
