/** Traces a mapping, including the values inside its expressions. */

import { attributeReads } from '../../cel/evaluate/attribute-reads.ts';
import { planSerialized } from '../../cel/evaluate/plan-serialized.ts';
import type { Evaluation, Probe } from '../../cel/evaluate/program.ts';
import { toJsonData } from '../../cel/values/json-data.ts';
import { CelOptional, type CelValue } from '../../cel/values/value.ts';
import type { TracedValue, TraceSink } from '../../model/trace.ts';
import type { LinkedExpression } from './link-mapping.ts';

export interface MappingTrace extends TraceSink {
  /** Evaluates an expression and records the values of its parts. */
  evaluate(
    expression: LinkedExpression,
    place: { readonly at: string; readonly variable: CelValue },
  ): Evaluation;
}

/** Creates a mapping trace that writes to the sink. */
export const traceMapping = (sink: TraceSink): MappingTrace => ({
  step: (step) => sink.step(step),
  evaluate({ serialized, text }, { at, variable }) {
    const seen = new Map<number, string>();
    const probe: Probe = {
      observe(nodeId, value, error) {
        seen.set(nodeId, value === undefined ? `error: ${error}` : describeValue(value));
      },
    };
    const program = planSerialized(serialized, { probe });
    const evaluation = program.evaluate(variable);
    const values = attributeReads(serialized).flatMap(({ nodeId, text: part }): TracedValue[] => {
      const value = seen.get(nodeId);
      // A branch that was not evaluated has no value.
      return value === undefined ? [] : [{ expression: part, value }];
    });
    sink.step(
      evaluation.value === undefined
        ? { at, what: 'expression', outcome: 'failed', detail: text, values }
        : {
            at,
            what: 'expression',
            outcome: 'value',
            detail: text,
            value: toJsonData(evaluation.value),
            values,
          },
    );
    return evaluation;
  },
});

/** Formats a value. `absent` is not quoted, so that it is not mistaken for a string. */
const describeValue = (value: CelValue): string =>
  value instanceof CelOptional && value.value === undefined
    ? 'absent'
    : JSON.stringify(toJsonData(value));
