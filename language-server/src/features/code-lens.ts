/**
 * Code lenses above each authenticator: the verdict for the current sample, how many samples are
 * accepted, and links to the panels. Every lens carries its command from the start because clients
 * may draw it before resolving it.
 */

import type { Decision } from '@authgraph/engine';
import { counted, effectlessRules, oneLine } from '@authgraph/engine/language';
import type { CodeLens, Range } from 'vscode-languageserver';
import { commandNames } from '../protocol.ts';
import type { Feature, PartContext } from './feature.ts';
import { type SampleVerdict, verdictOn } from './sample-verdict.ts';

const codeLensesOf = (context: PartContext): readonly CodeLens[] => {
  const { workspace, part } = context;
  const { configuration } = part.compilation;
  if (!workspace.options.codeLenses || configuration === undefined) return [];
  const samples = previewsOf(context);
  return [
    ...fileLenses(context, samples),
    ...configuration.jwt.flatMap((_, index) => entryLenses(context, index, samples)),
    ...ruleLenses(context),
  ];
};

interface PreviewedSample extends Pick<SampleVerdict, 'headline' | 'entries'> {
  readonly id: string;
  /** `unknown` if an error in the configuration leaves the sample undecided. */
  readonly verdict: 'accepted' | 'rejected' | 'unknown';
}

const previewsOf = ({ workspace, part }: PartContext): readonly PreviewedSample[] =>
  workspace.samples.all.map((sample) => {
    const { decision, headline, entries } = verdictOn(part.compilation, sample);
    return { id: sample.id, headline, verdict: verdictOf(decision), entries };
  });

const verdictOf = (decision: Decision | undefined): PreviewedSample['verdict'] => {
  if (decision === undefined) return 'unknown';
  return decision.kind === 'accepted' ? 'accepted' : 'rejected';
};

/**
 * Returns the lens at the top of the file, shown if there is no current sample or no authenticator
 * accepts its issuer.
 */
const fileLenses = (
  context: PartContext,
  samples: readonly PreviewedSample[],
): readonly CodeLens[] => {
  const { workspace, part } = context;
  const { chosen } = workspace.samples;
  const top = placeOf(context, part.compilation.configuration?.version.span.start ?? 0);
  if (chosen === undefined) {
    const title = choiceTitle(context);
    return [lens(top, title, commandNames.selectSample, [part.uri])];
  }
  const current = samples.find(({ id }) => id === chosen.id);
  if (current === undefined || current.entries.length > 0) return [];
  return [lens(top, `✗ ${current.headline}`, commandNames.selectSample, [part.uri])];
};

const choiceTitle = ({ workspace }: PartContext): string => {
  if (workspace.samples.all.length > 0) return 'Select a sample';
  return workspace.isSearchPending ? 'Reading samples…' : 'Select or create a sample';
};

const entryLenses = (
  context: PartContext,
  index: number,
  samples: readonly PreviewedSample[],
): readonly CodeLens[] => {
  const { workspace, part } = context;
  const start = part.compilation.origins.get(`jwt[${index}]`)?.start;
  if (start === undefined) return [];
  const place = placeOf(context, start);
  const chosen = workspace.samples.chosen?.id;
  const own = samples.filter(({ entries }) => entries.some((entry) => entry.index === index));
  const current = own.find(({ id }) => id === chosen);
  const accepted = own.filter(({ verdict }) => verdict === 'accepted').length;
  const here = [part.uri, index, indexOfPart(context)];
  return [
    ...(current === undefined
      ? []
      : [lens(place, marked(current), commandNames.selectSample, [part.uri])]),
    ...(own.length === 0 ? [] : [lens(place, 'Explain', commandNames.whoami, here)]),
    // Samples are undecided while the entry has an error.
    ...(own.length === 0 || own.some(({ verdict }) => verdict === 'unknown')
      ? []
      : [
          lens(
            place,
            `${accepted} of ${counted(own.length, 'sample')} accepted`,
            commandNames.whoamiAll,
            here,
          ),
        ]),
    lens(place, 'Show graph', commandNames.showGraph, here),
  ];
};

/**
 * Returns lenses on rules that reject no sample, from two samples on. This is not a lint: a guard
 * such as one against reserved names is useful even if no sample triggers it.
 */
const ruleLenses = (context: PartContext): readonly CodeLens[] => {
  const { workspace, part } = context;
  const samples = workspace.samples.all.map(({ claims }) => claims);
  return effectlessRules(part.compilation, samples).flatMap(({ path, samples: count }) => {
    const start = part.compilation.origins.get(path)?.start;
    if (count < 2 || start === undefined) return [];
    const title = `passes for all ${counted(count, 'sample')}`;
    const [, index = ''] = /^jwt\[(\d+)\]/.exec(path) ?? [];
    return [
      lens(placeOf(context, start), title, commandNames.whoamiAll, [
        part.uri,
        Number(index),
        indexOfPart(context),
      ]),
    ];
  });
};

/** Returns the index of the configuration in its document. */
const indexOfPart = ({ workspace, part }: PartContext): number =>
  workspace.parts(part.uri).indexOf(part);

const marked = ({ headline, verdict }: PreviewedSample): string => {
  if (verdict === 'unknown') return `⚠ ${headline}`;
  return `${verdict === 'accepted' ? '✓' : '✗'} ${headline}`;
};

const lens = (
  range: Range,
  title: string,
  command: string,
  args: readonly (string | number)[],
): CodeLens => ({ range, command: { title: safeTitle(title), command, arguments: [...args] } });

/** Names are untrusted, and some editors render `$(check)` in a title as an icon. */
const safeTitle = (title: string): string => oneLine(title).replaceAll('$(', '$ (');

const placeOf = ({ part }: PartContext, start: number): Range =>
  part.places.range({ start, end: start });

export const codeLens: Feature = {
  capabilities: { codeLensProvider: { resolveProvider: false } },
  register(connection, handlers) {
    connection.onCodeLens(handlers.forEachConfiguration(codeLensesOf));
  },
};
