/** The samples of a `jwt` entry: those of its issuer, with the one that the entry shows first. */
import { entriesFor } from '@authgraph/engine/language';
import { recentFirst, type Sample, type SampleSet } from '../samples.ts';
import type { PartContext } from './feature.ts';
import { verdictOn } from './sample-verdict.ts';

/**
 * Returns the current sample of an entry: the last one selected for its issuer, or the first one
 * that it accepts, or its first one. There is none while the user has deselected all samples.
 */
export const currentOfEntry = (context: PartContext, index: number): Sample | undefined => {
  const { workspace, part } = context;
  const samples = workspace.samplesFor(part.uri);
  if (samples.current === undefined) return undefined;
  const own = handledBy(context, index);
  const [first] = own;
  return first === undefined || samples.recent.includes(first)
    ? first
    : (firstAccepted(context, own) ?? first);
};

/**
 * Returns the current sample of an entry, then the other samples of its issuer, then claims without
 * `iss`.
 */
export const samplesOfEntry = (context: PartContext, index: number): readonly Sample[] => {
  const { workspace, part } = context;
  const all = recentFirst(workspace.samplesFor(part.uri));
  const current = currentOfEntry(context, index);
  const withoutIssuer = all.filter(({ claims }) => !Object.hasOwn(claims.claims, 'iss'));
  return [
    ...new Set([
      ...(current === undefined ? [] : [current]),
      ...handledBy(context, index),
      ...withoutIssuer,
    ]),
  ];
};

/** Returns the samples of an entry, then all others; without an entry those selected last first. */
export const entryFirst = (context: PartContext, index: number | undefined): readonly Sample[] => {
  const all = recentFirst(context.workspace.samplesFor(context.part.uri));
  if (index === undefined) return all;
  return [...new Set([...samplesOfEntry(context, index), ...all])];
};

/** Returns the samples of the issuer of an entry, the last one selected first. */
const handledBy = ({ workspace, part }: PartContext, index: number): readonly Sample[] => {
  const samples = workspace.samplesFor(part.uri);
  const known = groups.get(part);
  if (known?.samples === samples) return known.byEntry.get(index) ?? [];
  const byEntry = new Map<number, Sample[]>();
  for (const sample of recentFirst(samples)) {
    for (const entry of entriesFor(part.compilation, sample.claims)) {
      const own = byEntry.get(entry);
      if (own === undefined) byEntry.set(entry, [sample]);
      else own.push(sample);
    }
  }
  groups.set(part, { samples, byEntry });
  return byEntry.get(index) ?? [];
};

/** The samples of each entry, as long as neither the configuration nor the samples change. */
const groups = new WeakMap<
  PartContext['part'],
  { readonly samples: SampleSet; readonly byEntry: ReadonlyMap<number, readonly Sample[]> }
>();

/** Prefers samples whose token would be accepted, too. */
const firstAccepted = (
  { workspace, part }: PartContext,
  samples: readonly Sample[],
): Sample | undefined => {
  let accepted: Sample | undefined;
  for (const sample of samples) {
    const { decision, problems } = verdictOn(part, sample, workspace.now());
    if (decision?.kind !== 'accepted') continue;
    if (problems.length === 0) return sample;
    accepted ??= sample;
  }
  return accepted;
};
