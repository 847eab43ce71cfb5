/** What is said about functions and macros: each has a sentence, and examples that run. */
import { describe, expect, test } from 'vitest';
import { compileExpression } from '../../../../engine/src/cel/compile-expression.ts';
import {
  namesForCall,
  globalNames,
  memberNames,
} from '../../../../engine/src/cel/editor/known-names.ts';
import { macroDocs } from '../../../../engine/src/cel/syntax/macro-docs.ts';
import { macroSignatures } from '../../../../engine/src/cel/syntax/macros.ts';
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

describe('every name', () => {
  const functions = names.filter(({ kind }) => kind !== 'namespace');

  test.each(functions)('$name is explained', ({ doc, examples, signatures }) => {
    expect(doc).toMatch(/^[A-Z0-9].*\.$/);
    expect(signatures.length).toBeGreaterThan(0);
    expect(examples.length).toBeGreaterThan(0);
  });

  test.each(functions.flatMap(({ examples }) => examples))('%s runs', (text) => {
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

test('every macro is documented, in all its forms', () => {
  const documented = macroDocs.map(({ name, params }) => `${name} ${params.length}`);
  const known = macroSignatures(newestRelease, 'authentication').map(
    ({ name, argCount }) => `${name} ${argCount}`,
  );
  expect(documented.toSorted()).toEqual(known.toSorted());
});

test('a receiver of a known type has what fits it', () => {
  const of = (type: typeof stringType | ReturnType<typeof listOf>): readonly string[] =>
    memberNames(type, request).map(({ name }) => name);
  expect(of(stringType)).toContain('startsWith');
  expect(of(stringType)).not.toContain('exists');
  expect(of(listOf(stringType))).toEqual(expect.arrayContaining(['exists', 'join', 'map']));
  expect(of(listOf(stringType))).not.toContain('sum');
  expect(of(optionalOf(stringType))).toContain('orValue');
});

test('what a newer release brought is marked', () => {
  const [sort] = namesForCall('sort', listOf(dynType), { ...request, release: 33 });
  expect(sort).toMatchObject({ since: 34, isNewer: true });
  const [split] = namesForCall('split', stringType, { ...request, release: 33 });
  expect(split).toMatchObject({ isNewer: false });
});

test.each(['a', 'a_b', 'a__b', '__proto__', 'x__dot__y', 'in', '____'])(
  'the field %s is found by its escaped name',
  (field) => {
    expect(unescapeName(escapeName(field))).toBe(field);
  },
);
