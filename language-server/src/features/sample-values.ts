/** Values of parts of an expression for the samples of the workspace. */
import {
  belongsTo,
  type CelType,
  type CelValue,
  type DraftBinding,
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

export interface SampleValue {
  readonly sample: Sample;
  /** Whether the expression's authenticator shows this sample. */
  readonly isCurrent: boolean;
  /**
   * Whether the sample is of another issuer, so that its tokens never reach the expression.
   * Possible only if the issuer has no sample.
   */
  readonly isOtherIssuer: boolean;
  /** Several inside a macro: one per element. */
  readonly values: readonly CelValue[];
  readonly isEach: boolean;
  readonly error: string | undefined;
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
  if (samples.length === 0) return [];
  const program = planPart({ text: place.text, ...part }, place.environment);
  if (program === undefined) return [];
  const { context, index, environment } = place;
  const { current } = context.workspace.samplesFor(context.part.uri);
  const owner = { compilation: context.part.compilation, index };
  return samples.flatMap((sample): readonly SampleValue[] => {
    const variable = sampleVariable(environment, owner, sample.claims);
    if (variable === undefined) return [];
    const found = program(variable);
    const isCurrent = current !== undefined && sample === samples[0];
    const isOtherIssuer = !belongsTo(owner, sample.claims);
    const isEach = found.kind === 'each';
    const base = { sample, isCurrent, isOtherIssuer, isEach, error: undefined };
    if (found.kind === 'error') return [{ ...base, values: [], error: found.message }];
    return [{ ...base, values: found.kind === 'each' ? found.values : [found.value] }];
  });
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
  const [value] = seen.flatMap(({ values }) => values).filter((found) => found !== null);
  return { declared, likely: value === undefined ? declared : typeOfValue(value) };
};

/** Each sample is evaluated, and a longer table would not be useful. */
const maxSamples = 12;
