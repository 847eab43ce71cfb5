/**
 * The cases of the CEL specification that need no protobuf message, in an environment of their own.
 * Values are compared by type and value; where an error is expected, any error is accepted.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compileIn } from '../../engine/src/cel/compile-expression.ts';
import { formatOutputType } from '../../engine/src/cel/values/type-format.ts';
import type { JsonRecord } from '../../engine/src/cel/values/value.ts';
import { compileUnchecked } from '../support/compile-unchecked.ts';
import { languageEnvironment, readType, type SpecCase } from '../support/language-environment.ts';
import { readTaggedValue, type TaggedValue, taggedValue } from '../support/tagged-value.ts';

/**
 * Cases in which cel-go differs from the specification, and so does AuthGraph. Constant parts are
 * folded before the evaluation, so that an invalid key is an error that `||` cannot absorb; lists
 * of other nullable types, double keys and indexes beyond the end have different results.
 */
const differsByReference: ReadonlyMap<string, Partial<SpecCase>> = new Map([
  [
    'cel-spec/type_deductions/legacy_nullable_types/null_assignable_to_abstract_parameter_candidate',
    { outputType: 'null_type' },
  ],
  [
    'cel-spec/fields/map_fields/map_bad_key_type_or_true',
    { error: 'program instantiation failed: invalid qualifier type: types.Bytes' },
  ],
  [
    'cel-spec/fields/map_fields/map_bad_key_type_and_false',
    { error: 'program instantiation failed: invalid qualifier type: types.Bytes' },
  ],
  [
    'cel-spec/fields/qualified_identifier_resolution/map_key_float',
    { error: undefined, value: { type: 'int', value: '5' } },
  ],
  [
    'cel-spec/string_ext/value_errors/indexof_out_of_range',
    { error: undefined, value: { type: 'bool', value: true } },
  ],
]);

const folder = join(import.meta.dirname, 'cel-spec');

for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
  const cases = JSON.parse(readFileSync(join(folder, file), 'utf8')) as readonly SpecCase[];
  describe(file, () => {
    test.each(cases)('$id', (recorded) => {
      const expected = { ...recorded, ...differsByReference.get(recorded.id) };
      const answer = run(expected);
      if (expected.error !== undefined) {
        expect(answer.error).toBeDefined();
        return;
      }
      expect(answer.error).toBeUndefined();
      if (expected.outputType !== undefined) {
        expect(answer.outputType).toBe(formatOutputType(readType(expected.outputType)));
      }
      if (expected.value !== undefined) expect(answer.value).toEqual(comparable(expected.value));
    });
  });
}

interface SpecAnswer {
  readonly outputType: string;
  readonly value?: TaggedValue;
  readonly error?: string;
}

const run = (expected: SpecCase): SpecAnswer => {
  const compiled =
    expected.disableCheck === true
      ? compileUnchecked(expected)
      : compileIn(languageEnvironment(expected), { text: expected.expr, result: 'any' });
  const outputType = formatOutputType(compiled.checked.type);
  if (compiled.serverError !== undefined) return { outputType, error: compiled.serverError.detail };
  if (expected.checkOnly === true) return { outputType };
  const evaluation = compiled.program?.evaluate(bindingsOf(expected));
  if (evaluation?.value === undefined)
    return { outputType, error: evaluation?.error ?? 'no program' };
  return { outputType, value: comparable(taggedValue(evaluation.value)) };
};

const bindingsOf = (expected: SpecCase): JsonRecord =>
  Object.fromEntries(
    Object.entries(expected.bindings ?? {}).map(([name, value]) => [name, readTaggedValue(value)]),
  );

/** Normalizes a value: parses and writes it again, sorts maps, and has only one zero. */
const comparable = (value: TaggedValue): TaggedValue =>
  normalizeZero(taggedValue(readTaggedValue(value)));

const normalizeZero = (value: TaggedValue): TaggedValue =>
  value.type === 'double' && value.value === '-0' ? { type: 'double', value: '0' } : value;
