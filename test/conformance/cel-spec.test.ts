/**
 * The cases of the CEL specification that need no protobuf message, in an environment of their own.
 * Values are compared by type and number; where an error is wanted any error will do.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compileIn } from '../../engine/src/cel/compile-expression.ts';
import { outputTypeText } from '../../engine/src/cel/type-text.ts';
import type { JsonRecord } from '../../engine/src/cel/value.ts';
import { compileUnchecked } from '../support/compile-unchecked.ts';
import { languageEnvironment, readType, type SpecCase } from '../support/language-environment.ts';
import { readTaggedValue, type TaggedValue, taggedValue } from '../support/tagged-value.ts';

/** Where the reference implementation differs from the specification, we do as it does. */
const differsByReference: ReadonlyMap<string, string> = new Map([
  [
    'cel-spec/type_deductions/legacy_nullable_types/null_assignable_to_abstract_parameter_candidate',
    'null_type',
  ],
]);

const folder = join(import.meta.dirname, 'cel-spec');

for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
  const cases = JSON.parse(readFileSync(join(folder, file), 'utf8')) as readonly SpecCase[];
  describe(file, () => {
    test.each(cases)('$id', (wanted) => {
      const answer = run(wanted);
      if (wanted.error !== undefined) {
        expect(answer.error).toBeDefined();
        return;
      }
      expect(answer.error).toBeUndefined();
      const type = differsByReference.get(wanted.id) ?? wanted.outputType;
      if (type !== undefined) expect(answer.outputType).toBe(outputTypeText(readType(type)));
      if (wanted.value !== undefined) expect(answer.value).toEqual(comparable(wanted.value));
    });
  });
}

interface SpecAnswer {
  readonly outputType: string;
  readonly value?: TaggedValue;
  readonly error?: string;
}

const run = (wanted: SpecCase): SpecAnswer => {
  const compiled =
    wanted.disableCheck === true
      ? compileUnchecked(wanted)
      : compileIn(languageEnvironment(wanted), { text: wanted.expr, result: 'any' });
  const outputType = outputTypeText(compiled.checked.type);
  if (compiled.serverError !== undefined) return { outputType, error: compiled.serverError.detail };
  if (wanted.checkOnly === true) return { outputType };
  const evaluation = compiled.program?.evaluate(bindingsOf(wanted));
  if (evaluation?.value === undefined)
    return { outputType, error: evaluation?.error ?? 'no program' };
  return { outputType, value: comparable(taggedValue(evaluation.value)) };
};

const bindingsOf = (wanted: SpecCase): JsonRecord =>
  Object.fromEntries(
    Object.entries(wanted.bindings ?? {}).map(([name, value]) => [name, readTaggedValue(value)]),
  );

/** The same value always in the same words: read and written again, maps sorted. */
const comparable = (value: TaggedValue): TaggedValue => taggedValue(readTaggedValue(value));
