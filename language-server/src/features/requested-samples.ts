/** The samples that a request is about. */

import type { Sample } from '../samples.ts';
import { problems } from '../unavailable-reasons.ts';
import type { Workspace } from '../workspace.ts';

export interface RequestedSamples {
  readonly samples: readonly Sample[];
  /** Why there are none. */
  readonly problem?: string;
}

/**
 * Returns the samples with these IDs, all that count for the configurations of a document, or the
 * current one if `requested` is undefined.
 */
export const requestedSamples = (
  workspace: Pick<Workspace, 'samples' | 'samplesFor'>,
  uri: string,
  requested: readonly string[] | 'all' | undefined,
): RequestedSamples => {
  const { all, current } = workspace.samplesFor(uri);
  if (requested === 'all') {
    return all.length === 0 ? { samples: [], problem: problems.noSamples } : { samples: all };
  }
  if (requested === undefined) {
    return current === undefined
      ? { samples: [], problem: problems.noneCurrent }
      : { samples: [current] };
  }
  const wanted = new Set(requested);
  const samples = workspace.samples.all.filter(({ id }) => wanted.has(id));
  return samples.length === 0 ? { samples, problem: problems.noSuchSample } : { samples };
};
