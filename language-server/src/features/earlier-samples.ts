/**
 * The claims that samples had before a change. A rename of a claim edits configurations and samples
 * together, so the earlier configuration has to be compared with the earlier claims.
 */
import type { ClaimSet } from '@authgraph/engine/language';
import { canonicalUri } from '../folders.ts';
import { limits } from '../limits.ts';
import type { ChangeParams } from '../protocol.ts';
import { parseSampleFile, type Sample } from '../samples.ts';
import type { Workspace } from '../workspace.ts';

/** Returns the earlier claims by ID of the sample; a sample that did not change has none. */
export const earlierClaims = async (
  workspace: Workspace,
  samples: readonly Sample[],
  { against, samples: earlier }: Pick<ChangeParams, 'against' | 'samples'>,
): Promise<ReadonlyMap<string, ClaimSet>> => {
  const texts = new Map(
    (earlier ?? []).slice(0, limits.sampleFiles).map(({ uri, text }) => [canonicalUri(uri), text]),
  );
  const claimsById = new Map<string, ClaimSet>();
  for (const { id, document } of samples) {
    const current = workspace.text(id);
    if (document === undefined) continue;
    // An unsaved edit is compared with the saved files.
    const isUnsaved = earlier === undefined && against === undefined && current !== undefined;
    const text = isUnsaved ? await workspace.savedText(id) : texts.get(canonicalUri(id));
    if (text === undefined || text === current || text.length > limits.sampleLength) continue;
    const { claims } = parseSampleFile(id, text);
    if (claims !== undefined) claimsById.set(id, claims);
  }
  return claimsById;
};
