/** The samples that a request is about. */

import type { Sample, SampleSet } from '../samples.ts';
import { problems } from '../unavailable-reasons.ts';

export interface RequestedSamples {
  readonly samples: readonly Sample[];
  /** Why there are none. */
  readonly problem?: string;
}

/**
 * Returns the samples with these IDs, all of them, or the current one if `requested` is undefined.
 */
export const requestedSamples = (
  { all, chosen }: SampleSet,
  requested: readonly string[] | 'all' | undefined,
): RequestedSamples => {
  if (requested === 'all') {
    return all.length === 0 ? { samples: [], problem: problems.noSamples } : { samples: all };
  }
  if (requested === undefined) {
    return chosen === undefined
      ? { samples: [], problem: problems.noneChosen }
      : { samples: [chosen] };
  }
  const wanted = new Set(requested);
  const samples = all.filter(({ id }) => wanted.has(id));
  return samples.length === 0 ? { samples, problem: problems.noSuchSample } : { samples };
};
