/** Reports what would be accepted in place of a rejected sample: the saved file, other claims, or another sample. */
import { closestAccepted, escapeUnprintable, whyNot } from '@authgraph/engine/language';
import type { WhoamiRow } from '../protocol.ts';
import { previewAssumption } from './load-failure.ts';
import { pairVersions } from './pair-versions.ts';
import type { RowRequest } from './sample-rows.ts';
import { verdictOn } from './sample-verdict.ts';

/**
 * Mapping evaluations of the why-not search, shared by all rejected samples of a request; each
 * sample gets at least `minRuns`.
 */
const runBudget = 3000;
const minRuns = 40;

const runsFor = (samples: number): number => Math.max(minRuns, Math.floor(runBudget / samples));

export const remediesFor = async (
  request: RowRequest,
): Promise<Pick<WhoamiRow, 'whyNot' | 'closest' | 'acceptedWhenSaved'>> => {
  // The claims are not the cause.
  if (await isAcceptedWhenSaved(request)) return { whyNot: [], acceptedWhenSaved: true };
  const { workspace, part, sample, sampleCount } = request;
  const { compilation } = part;
  const others = workspace.samplesFor(part.uri).all.filter(({ id }) => id !== sample.id);
  const changes = whyNot(compilation, sample.claims, {
    now: workspace.now(),
    mostRuns: runsFor(sampleCount),
    others: others.map(({ claims }) => claims),
  });
  const closest =
    changes.length === 0 ? closestAccepted(compilation, sample.claims, others) : undefined;
  return {
    whyNot: changes.map(({ text, claims }) => ({
      text: escapeUnprintable(text),
      claims: JSON.stringify(claims, undefined, 2),
    })),
    ...(closest === undefined ? {} : { closest: escapeUnprintable(closest) }),
  };
};

/** Returns whether the saved version of the configuration loads and accepts the sample. */
const isAcceptedWhenSaved = async ({ workspace, part, sample }: RowRequest): Promise<boolean> => {
  const { uri } = part;
  const saved = await workspace.savedText(uri);
  if (saved === undefined || saved === workspace.text(uri)) return false;
  const before = await workspace.partsOfComparedText(uri, saved);
  if (before === 'stopped') return false;
  const version = pairVersions(before, workspace.parts(uri)).find(({ after }) => after === part);
  if (version?.before === undefined) return false;
  // kube-apiserver does not load the saved file, so a reverted file accepts no one.
  if (previewAssumption(version.before.compilation) !== undefined) return false;
  return verdictOn(version.before, sample, workspace.now()).decision?.kind === 'accepted';
};
