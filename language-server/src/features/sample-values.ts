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
import { chosenFirst, type Sample } from '../samples.ts';
import { type ExpressionPlace, environmentOf } from './expression-place.ts';
import type { PartContext } from './feature.ts';

export interface SampleValue {
  readonly sample: Sample;
  readonly isChosen: boolean;
  /**
   * Whether the sample is of another issuer, so that its tokens never reach the expression.
   * Possible for the current sample only.
   */
  readonly isOtherIssuer: boolean;
  /** Several inside a macro: one per element. */
  readonly values: readonly CelValue[];
  readonly isEach: boolean;
  readonly error: string | undefined;
}

/** Returns the samples of the issuer of a `jwt` entry, the current one first. */
export const samplesOfEntry = (
  { workspace, part: { compilation } }: PartContext,
  index: number,
): readonly Sample[] =>
  chosenFirst(workspace.samples).filter(({ claims }) => belongsTo({ compilation, index }, claims));

/** Returns the current sample, then the other samples of the same issuer. */
const samplesFor = ({ context, index }: ExpressionPlace): readonly Sample[] => {
  const { chosen } = context.workspace.samples;
  const own = samplesOfEntry(context, index);
  return (chosen === undefined || own[0] === chosen ? own : [chosen, ...own]).slice(0, maxSamples);
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
  const owner = { compilation: context.part.compilation, index };
  return samples.flatMap((sample): readonly SampleValue[] => {
    const variable = sampleVariable(environment, owner, sample.claims);
    if (variable === undefined) return [];
    const found = program(variable);
    const isChosen = sample === context.workspace.samples.chosen;
    const isOtherIssuer = !belongsTo(owner, sample.claims);
    const isEach = found.kind === 'each';
    const base = { sample, isChosen, isOtherIssuer, isEach, error: undefined };
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
