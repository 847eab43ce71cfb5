/** How a mapping run is told: its steps, and its expressions run with a look inside. */
import { planSerializedWithProbe } from '../../cel/evaluate/plan-serialized.ts';
import type { Evaluation } from '../../cel/evaluate/program.ts';
import { attributeReads } from '../../cel/evaluate/attribute-reads.ts';
import { CelOptional, type CelValue } from '../../cel/values/value.ts';
import { toJsonData } from '../../cel/values/json-data.ts';
import type { TracedValue, TraceSink } from '../../model/trace.ts';
import type { LinkedExpression } from './link-mapping.ts';

export interface MappingTrace extends TraceSink {
  /** Runs an expression and tells what its parts came to. */
  evaluate(
    expression: LinkedExpression,
    place: { readonly at: string; readonly variable: CelValue },
  ): Evaluation;
}

/** Adds the look inside to a sink. */
export const traceMapping = (sink: TraceSink): MappingTrace => ({
  step: (step) => sink.step(step),
  evaluate({ serialized, text }, { at, variable }) {
    const seen = new Map<number, string>();
    const program = planSerializedWithProbe(serialized, {
      observe(nodeId, value, error) {
        seen.set(nodeId, value === undefined ? `error: ${error}` : describeValue(value));
      },
    });
    const evaluation = program.evaluate(variable);
    const values = attributeReads(serialized).flatMap(({ nodeId, text: part }): TracedValue[] => {
      const value = seen.get(nodeId);
      // A branch that was not taken has seen nothing.
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

/** In quotes it would be taken for a text. */
const describeValue = (value: CelValue): string =>
  value instanceof CelOptional && value.value === undefined
    ? 'absent'
    : JSON.stringify(toJsonData(value));
