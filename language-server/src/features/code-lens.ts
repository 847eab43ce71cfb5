/**
 * Code lenses: a link to the graph above `jwt`, and above each authenticator the verdict for its
 * current sample and how many samples are accepted. Every lens carries its command from the start
 * because clients may draw it before resolving it.
 */

import { counted, oneLine, type TokenCheck } from '@authgraph/engine/language';
import type { CodeLens, Range } from 'vscode-languageserver';
import { commandNames, verdictSigns } from '../protocol.ts';
import { currentOfEntry } from './entry-samples.ts';
import type { Feature, PartContext } from './feature.ts';
import { loadFailureOf, previewAssumption } from './load-failure.ts';
import { type SampleVerdict, verdictOn } from './sample-verdict.ts';

const codeLensesOf = (context: PartContext): readonly CodeLens[] => {
  const { workspace, part } = context;
  const { configuration } = part.compilation;
  if (!workspace.options.codeLenses || configuration === undefined) return [];
  const samples = previewsOf(context);
  return [
    ...loadLenses(context),
    ...fileLenses(context, samples),
    ...graphLenses(context),
    ...configuration.jwt.flatMap((_, index) => entryLenses(context, index, samples)),
  ];
};

interface PreviewedSample extends SampleVerdict {
  readonly id: string;
}

const previewsOf = ({ workspace, part }: PartContext): readonly PreviewedSample[] => {
  const now = workspace.now();
  return workspace.samplesFor(part.uri).all.map((sample) => ({
    id: sample.id,
    ...verdictOn(part, sample, now),
  }));
};

/** Returns the lens at the top of a configuration that kube-apiserver does not load. */
const loadLenses = (context: PartContext): readonly CodeLens[] => {
  const { part } = context;
  const failure = loadFailureOf(part, { index: indexOfPart(context) });
  if (failure === undefined) return [];
  return [lens(topOf(context), `⚠ ${failure.text}`, commandNames.whoami, [part.uri])];
};

/**
 * Returns the lens at the top of the file, shown if there is no current sample, or if no
 * authenticator accepts the issuer of a sample that the user selected or of any sample.
 */
const fileLenses = (
  context: PartContext,
  samples: readonly PreviewedSample[],
): readonly CodeLens[] => {
  const { workspace, part } = context;
  const { current, recent } = workspace.samplesFor(part.uri);
  const top = topOf(context);
  if (current === undefined) {
    const title = choiceTitle(context);
    return [lens(top, title, commandNames.selectSample, [part.uri])];
  }
  const previewed = samples.find(({ id }) => id === current.id);
  if (previewed === undefined || previewed.entries.length > 0) return [];
  if (recent.length === 0 && samples.some(({ entries }) => entries.length > 0)) return [];
  return [lens(top, marked(previewed), commandNames.selectSample, [part.uri])];
};

const topOf = (context: PartContext): Range =>
  placeOf(context, context.part.compilation.configuration?.version.span.start ?? 0);

const choiceTitle = ({ workspace, part }: PartContext): string => {
  if (workspace.samplesFor(part.uri).all.length > 0) return 'Select a sample';
  return workspace.isSearchPending ? 'Reading samples…' : 'Select or create a sample';
};

/** Returns the link to the graph, once for all authenticators of the configuration. */
const graphLenses = (context: PartContext): readonly CodeLens[] => {
  const { uri, compilation } = context.part;
  const { data } = compilation.document;
  const jwt = data?.kind === 'object' ? data.byKey.get('jwt') : undefined;
  if (jwt === undefined || compilation.configuration?.jwt.length === 0) return [];
  const place = placeOf(context, jwt.keySpan.start);
  return [lens(place, 'Show graph', commandNames.showGraph, [uri])];
};

const entryLenses = (
  context: PartContext,
  index: number,
  samples: readonly PreviewedSample[],
): readonly CodeLens[] => {
  const { part } = context;
  const start = part.compilation.origins.get(`jwt[${index}]`)?.start;
  if (start === undefined) return [];
  const place = placeOf(context, start);
  const own = samples.filter(({ entries }) => entries.some((entry) => entry.index === index));
  const shown = currentOfEntry(context, index)?.id;
  const current = own.find(({ id }) => id === shown);
  const here = [part.uri, index, indexOfPart(context)];
  return [
    ...(current === undefined
      ? []
      : [lens(place, marked(current), commandNames.selectSample, [part.uri])]),
    ...(own.length === 0 ? [] : [lens(place, 'Explain', commandNames.whoami, here)]),
    // Samples are undecided while the entry has an error.
    ...(own.length === 0 || own.some(({ verdict }) => verdict === 'undecided')
      ? []
      : [
          lens(
            place,
            // The lens of the current sample already says what it assumes.
            countText(own, current === undefined ? previewAssumption(part.compilation) : undefined),
            commandNames.whoamiAll,
            here,
          ),
        ]),
  ];
};

/**
 * Returns `2 of 4 samples accepted, 1 expired`: samples that are accepted although a token with
 * their claims would be rejected are counted separately.
 */
const countText = (samples: readonly SampleVerdict[], assumption: string | undefined): string => {
  const accepted = samples.filter(({ decision }) => decision?.kind === 'accepted');
  const count = (check: TokenCheck | undefined): number =>
    accepted.filter(({ problems: [first] }) => first?.check === check).length;
  const counts = [
    `${count(undefined)} of ${counted(samples.length, 'sample')} accepted`,
    ...(
      [
        ['exp', 'expired'],
        ['audience', 'for another audience'],
        ['nbf', 'not yet valid'],
      ] as const
    ).flatMap(([check, what]) => (count(check) === 0 ? [] : [`${count(check)} ${what}`])),
  ].join(', ');
  return assumption === undefined ? counts : `${counts} · ${assumption}`;
};

/** Returns the index of the configuration in its document. */
const indexOfPart = ({ workspace, part }: PartContext): number =>
  workspace.parts(part.uri).indexOf(part);

const marked = ({ headline, verdict }: PreviewedSample): string =>
  `${verdictSigns[verdict]} ${headline}`;

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
