/** How a mapping run is told: its steps, and its expressions run with a look inside. */
import type { Evaluation } from '../../cel/program.ts';
import type { CelValue } from '../../cel/value.ts';
import type { TraceSink } from '../../model/trace.ts';
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
  evaluate({ program, text }, { at, variable }) {
    const evaluation = program.evaluate(variable);
    sink.step(
      evaluation.error === undefined
        ? { at, what: 'expression', outcome: 'value', detail: text, value: evaluation.value }
        : { at, what: 'expression', outcome: 'failed', detail: `${text}: ${evaluation.error}` },
    );
    return evaluation;
  },
});
