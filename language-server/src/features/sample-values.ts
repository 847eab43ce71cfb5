/** Values of parts of an expression for the samples of the workspace. */
import {
  belongsTo,
  type CelType,
  type CelValue,
  type DraftBinding,
  displayValue,
  type ExpressionPart,
  isUnknown,
  planPart,
  type Span,
  sampleVariable,
  typeOfPart,
  typeOfValue,
} from '@authgraph/engine/language';
import type { Sample } from '../samples.ts';
import { samplesOfEntry } from './entry-samples.ts';
import { type ExpressionPlace, environmentOf } from './expression-place.ts';

export interface EvaluatedPart {
  /** Several inside a macro: one per element. */
  readonly values: readonly CelValue[];
  readonly isEach: boolean;
  readonly error: string | undefined;
}

export interface SampleValue extends EvaluatedPart {
  readonly sample: Sample;
  /** Whether the expression's authenticator shows this sample. */
  readonly isCurrent: boolean;
  /**
   * Whether the sample is of another issuer, so that its tokens never reach the expression.
   * Possible only if the issuer has no sample.
   */
  readonly isOtherIssuer: boolean;
}

/** Returns the samples of the issuer, or the current sample if there are none. */
const samplesFor = ({ context, index }: ExpressionPlace): readonly Sample[] => {
  const { current } = context.workspace.samplesFor(context.part.uri);
  const own = samplesOfEntry(context, index);
  return own.length > 0 || current === undefined ? own.slice(0, maxSamples) : [current];
};

export interface PlacedPart {
  readonly span: Span;
  readonly bindings: readonly DraftBinding[];
}

/**
 * Returns the value of the part for each sample; none if the part cannot be evaluated on its own.
 */
export const valuesOfPart = (place: ExpressionPlace, part: PlacedPart): readonly SampleValue[] => {
  const samples = samplesFor(place);
  const evaluate = samples.length === 0 ? undefined : evaluatorOf(place, part);
  if (evaluate === undefined) return [];
  const { context, index } = place;
  const { current } = context.workspace.samplesFor(context.part.uri);
  const owner = { compilation: context.part.compilation, index };
  return samples.flatMap((sample): readonly SampleValue[] => {
    const value = evaluate(sample);
    if (value === undefined) return [];
    const isCurrent = current !== undefined && sample === samples[0];
    const isOtherIssuer = !belongsTo(owner, sample.claims);
    return [{ sample, isCurrent, isOtherIssuer, ...value }];
  });
};

/**
 * Returns a function with the value of the part for a sample, or with `undefined` if its mappings
 * give no user; `undefined` if the part cannot be evaluated on its own.
 */
export const evaluatorOf = (
  { text, environment, context, index }: ExpressionPlace,
  part: PlacedPart,
): ((sample: Sample) => EvaluatedPart | undefined) | undefined => {
  const program = planPart({ text, ...part }, environment);
  if (program === undefined) return undefined;
  const owner = { compilation: context.part.compilation, index };
  return ({ claims }) => {
    const variable = sampleVariable(environment, owner, claims);
    if (variable === undefined) return undefined;
    const evaluated = program(variable);
    const isEach = evaluated.kind === 'each';
    if (evaluated.kind === 'error') return { isEach, values: [], error: evaluated.message };
    const values = evaluated.kind === 'each' ? evaluated.values : [evaluated.value];
    return { isEach, values, error: undefined };
  };
};

/** Returns one line; `as` shows untrusted text of at most a number of characters. */
export const resultText = (
  { error, values, isEach }: EvaluatedPart,
  as: (text: string, most: number) => string,
): string => {
  if (error !== undefined) return `error: ${as(error, 120)}`;
  if (!isEach) return as(displayValue(values[0] ?? null), 120);
  if (values.length === 0) return 'not evaluated: the list is empty';
  const each = values.slice(0, 8).map(displayValue).join(', ');
  return `each: ${as(each, 120)}${values.length > 8 ? ` and ${values.length - 8} more` : ''}`;
};

/** Returns the checker's type; if that is unknown, also the type of a sample's value. */
export const typeOfPlacedPart = (
  place: ExpressionPlace,
  part: PlacedPart,
  seen: readonly SampleValue[],
): { readonly declared: CelType | undefined; readonly likely: CelType | undefined } => {
  const expressionPart: ExpressionPart = {
    text: place.text,
    ...part,
    environment: environmentOf(place),
  };
  const declared = typeOfPart(expressionPart);
  if (!isUnknown(declared)) return { declared, likely: declared };
  const [value] = seen.flatMap(({ values }) => values).filter((observed) => observed !== null);
  return { declared, likely: value === undefined ? declared : typeOfValue(value) };
};

/** Each sample is evaluated, and a longer table would not be useful. */
const maxSamples = 12;
