/**
 * Lines above each authenticator: the verdict for the chosen sample, how many samples get in, and ways to
 * the panels. Every lens has its command at once, since one may be drawn before it could be resolved.
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
  /** `unknown`: an error of the configuration leaves it open. */
  readonly verdict: 'accepted' | 'refused' | 'unknown';
}

const previewsOf = ({ workspace, part }: PartContext): readonly PreviewedSample[] =>
  workspace.samples.all.map((sample) => {
    const { decision, headline, entries } = verdictOn(part.compilation, sample);
    return { id: sample.id, headline, verdict: verdictOf(decision), entries };
  });

const verdictOf = (decision: Decision | undefined): PreviewedSample['verdict'] => {
  if (decision === undefined) return 'unknown';
  return decision.kind === 'accepted' ? 'accepted' : 'refused';
};

/** Where nobody is chosen, or the chosen one meets no authenticator at all. */
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
  if (workspace.samples.all.length > 0) return 'Choose a sample';
  return workspace.isSearchPending ? 'Reading samples…' : 'Choose or create a sample';
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
    // With an error in the entry nobody knows.
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
 * On rules that every sample passes. One sample alone shows nothing. It is no advice: a guard against
 * names that nobody has yet is worth most where no sample feels it.
 */
const ruleLenses = (context: PartContext): readonly CodeLens[] => {
  const { workspace, part } = context;
  const samples = workspace.samples.all.map(({ claims }) => claims);
  return effectlessRules(part.compilation, samples).flatMap(({ path, samples: count }) => {
    const start = part.compilation.origins.get(path)?.start;
    if (count < 2 || start === undefined) return [];
    const title = `changes nothing for the ${counted(count, 'sample')}`;
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

/** Among the configurations of its document. */
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

/** Names are foreign, and some editors draw `$(check)` as a picture. */
const safeTitle = (title: string): string => oneLine(title).replaceAll('$(', '$ (');

const placeOf = ({ part }: PartContext, start: number): Range =>
  part.places.range({ start, end: start });

export const codeLens: Feature = {
  capabilities: { codeLensProvider: { resolveProvider: false } },
  register(connection, handlers) {
    connection.onCodeLens(handlers.forEachConfiguration(codeLensesOf));
  },
};
