/** Every function and macro has documentation and examples that run. */
import { describe, expect, test } from 'vitest';
import { compileExpression } from '../../../../engine/src/cel/compile-expression.ts';
import {
  globalNames,
  memberNames,
  namesForCall,
} from '../../../../engine/src/cel/editor/known-names.ts';
import { macroDocs } from '../../../../engine/src/cel/syntax/macro-docs.ts';
import { macrosIn } from '../../../../engine/src/cel/syntax/macros.ts';
import { escapeName, unescapeName } from '../../../../engine/src/cel/tree/field-name.ts';
import {
  dynType,
  listOf,
  optionalOf,
  stringType,
} from '../../../../engine/src/cel/values/types.ts';
import { newestRelease } from '../../../../engine/src/model/release.ts';

const request = { environment: 'claims', release: newestRelease } as const;
const names = [...globalNames(request), ...memberNames(dynType, request)];

describe('documentation of functions and macros', () => {
  const functions = names.filter(({ kind }) => kind !== 'namespace');

  test.each(functions)('documents $name', ({ doc, examples, signatures }) => {
    expect(doc).toMatch(/^[A-Z0-9].*\.$/);
    expect(signatures.length).toBeGreaterThan(0);
    expect(examples.length).toBeGreaterThan(0);
  });

  test.each(functions.flatMap(({ examples }) => examples))('runs the example %s', (text) => {
    const { program, errors } = compileExpression({
      text,
      environment: 'claims',
      result: 'any',
      release: newestRelease,
    });
    expect(errors).toEqual([]);
    expect(program?.evaluate({}).error).toBeUndefined();
  });
});

test('documents every overload of every macro', () => {
  const documented = macroDocs.map(({ name, params }) => `${name} ${params.length}`);
  const known = macrosIn(newestRelease).map(({ name, argCount }) => `${name} ${argCount}`);
  expect(documented.toSorted()).toEqual(known.toSorted());
});

test('lists the functions and macros of a receiver type', () => {
  const of = (type: typeof stringType | ReturnType<typeof listOf>): readonly string[] =>
    memberNames(type, request).map(({ name }) => name);
  expect(of(stringType)).toContain('startsWith');
  expect(of(stringType)).not.toContain('exists');
  expect(of(listOf(stringType))).toEqual(expect.arrayContaining(['exists', 'join', 'map']));
  expect(of(listOf(stringType))).not.toContain('sum');
  expect(of(optionalOf(stringType))).toContain('orValue');
});

test('marks names that the target release does not have', () => {
  const [sort] = namesForCall('sort', listOf(dynType), { ...request, release: 33 });
  expect(sort).toMatchObject({ since: 34, isNewer: true });
  const [split] = namesForCall('split', stringType, { ...request, release: 33 });
  expect(split).toMatchObject({ isNewer: false });
});

test.each(['a', 'a_b', 'a__b', '__proto__', 'x__dot__y', 'in', '____'])(
  'unescapes the escaped name of the field %s',
  (field) => {
    expect(unescapeName(escapeName(field))).toBe(field);
  },
);
