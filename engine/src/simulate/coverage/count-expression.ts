/** Evaluates an expression for coverage: its result and its parts are counted. */
import type { LinkedExpression } from '../../authenticators/jwt/link-mapping.ts';
import { planSerialized } from '../../cel/evaluate/plan-serialized.ts';
import type { Program } from '../../cel/evaluate/program.ts';
import { CelError, type CelValue } from '../../cel/values/value.ts';
import type { PlacedExpression } from '../../compile/compile-expressions.ts';
import { toFileSpan } from '../../source/position-map.ts';
import type { CoveragePlace } from './coverage.ts';
import { type ExpressionPoint, expressionPoints } from './expression-points.ts';

/** A place whose outcomes are being counted. */
export interface CountedPlace extends Omit<CoveragePlace, 'outcomes'> {
  readonly outcomes: readonly { readonly name: string; hits: number }[];
}

/** An expression that counts, and the places of its parts. */
export interface CountedExpression<Linked extends LinkedExpression> {
  readonly linked: Linked;
  readonly places: readonly CountedPlace[];
}

/** Returns the expression with a program that counts; `onValue` receives each of its results. */
export const countExpression = <Linked extends LinkedExpression>(
  linked: Linked,
  { compilation: { checked }, map }: PlacedExpression,
  { at, onValue }: { readonly at: string; readonly onValue: (value: CelValue) => void },
): CountedExpression<Linked> => {
  const text = checked.parsed.text;
  const observers = new Map<number, ((value: CelValue | undefined) => void)[]>();
  const places = expressionPoints(checked).map((point) => {
    const place: CountedPlace = {
      kind: point.kind,
      at,
      span: toFileSpan(map, point.span),
      text: text.slice(point.span.start, point.span.end),
      outcomes: point.outcomes.map((name) => ({ name, hits: 0 })),
    };
    for (const nodeId of point.nodeIds) {
      const known = observers.get(nodeId) ?? [];
      observers.set(nodeId, [...known, (value) => count(place, point, nodeId, value)]);
    }
    return place;
  });
  const program = planSerialized(linked.serialized, {
    probe: {
      observe(nodeId, value) {
        for (const observer of observers.get(nodeId) ?? []) observer(value);
      },
    },
  });
  return { linked: { ...linked, program: observedProgram(program, onValue) }, places };
};

const count = (
  place: CountedPlace,
  point: ExpressionPoint,
  nodeId: number,
  value: CelValue | undefined,
): void => {
  const index = point.outcomeOf(nodeId, value);
  const outcome = index === undefined ? undefined : place.outcomes[index];
  if (outcome !== undefined) outcome.hits++;
};

const observedProgram = (program: Program, onValue: (value: CelValue) => void): Program => ({
  evaluate(variable) {
    const evaluation = program.evaluate(variable);
    if (evaluation.value !== undefined) onValue(evaluation.value);
    return evaluation;
  },
  evaluateMetered(record, meter) {
    const result = program.evaluateMetered(record, meter);
    if (!(result instanceof CelError)) onValue(result);
    return result;
  },
});
