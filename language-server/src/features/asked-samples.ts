/** Which samples a question is about. */
import type { Sample, SampleSet } from '../samples.ts';

export interface AskedSamples {
  readonly samples: readonly Sample[];
  /** Why there is none. */
  readonly problem?: string;
}

export const noConfiguration = 'this document holds no AuthenticationConfiguration';
const noSample = 'no sample is chosen';

/** Ids; the chosen one where none is named; `all`: every one. */
export const askedSamples = (
  { all, chosen }: SampleSet,
  asked: readonly string[] | 'all' | undefined,
): AskedSamples => {
  if (asked === 'all') {
    return all.length === 0 ? { samples: [], problem: 'there is no sample' } : { samples: all };
  }
  if (asked === undefined) {
    return chosen === undefined ? { samples: [], problem: noSample } : { samples: [chosen] };
  }
  const wanted = new Set(asked);
  const samples = all.filter(({ id }) => wanted.has(id));
  return samples.length === 0 ? { samples, problem: 'there is no such sample' } : { samples };
};
