/** What the badge counts and which lines are marked, from the changes that the view shows. */
import type {
  AccessDifferenceReport,
  ChangeReport,
  ChangeRow,
  PlaceInFile,
} from '@authgraph/language-server/protocol';
import type { ViewBadge } from 'vscode';

/** The changes for the samples, and for all tokens. */
export interface ShownChanges extends ChangeReport {
  /** Describes the comparison; absent if the saved file would be compared with itself. */
  readonly title?: string;
  readonly access?: AccessDifferenceReport;
}

export interface Loss {
  readonly place: PlaceInFile;
  /** A sentence such as `jane can no longer log in as oidc:jane`. */
  readonly text: string;
}

/** Counts samples whose access changes, and examples of changes that no sample shows. */
export const badgeOf = (changes: ShownChanges): ViewBadge | undefined => {
  if (!isCertain(changes)) return undefined;
  let value = 0;
  const lines = kinds.flatMap(([kind, label]) => {
    const samples = changes.rows.filter(({ overall }) => overall === kind);
    const names = [...new Map(samples.map(({ sample }) => [sample.id, sample.name])).values()];
    const examples = (changes.access?.rows ?? []).flatMap((row) =>
      row[kind].kind === 'found' && !isShownBySample(changes, { kind, ...row })
        ? row[kind].changes.map(({ text }) => text)
        : [],
    );
    const shown = names.length > 0 ? names : examples;
    value += shown.length;
    const more = shown.length > maxNames ? [`${shown.length - maxNames} more`] : [];
    return shown.length === 0
      ? []
      : [`${label}: ${[...shown.slice(0, maxNames).map(shorten), ...more].join(', ')}`];
  });
  return value === 0 ? undefined : { value, tooltip: [changes.title, ...lines].join('\n') };
};

/** Returns the lines that reject what was accepted; samples take precedence over other examples. */
export const lossesOf = (changes: ShownChanges): readonly Loss[] => {
  if (!isCertain(changes)) return [];
  const ofSamples = changes.rows.flatMap(({ sample, details, place, overall }) =>
    place === undefined || overall !== 'lost'
      ? []
      : [{ place, text: `${sample.name} ${details[0] ?? ''}` }],
  );
  const lines = new Set(ofSamples.map(({ place }) => place.range.start.line));
  const ofExamples = (changes.access?.rows ?? []).flatMap(({ lost, configuration }) =>
    lost.kind !== 'found' || isMoved(changes, configuration)
      ? []
      : lost.changes.flatMap(({ text, cause }) =>
          cause.flatMap(({ place }) =>
            place === undefined || lines.has(place.range.start.line)
              ? []
              : [{ place, text: `${text} is no longer accepted` }],
          ),
        ),
  );
  return [...ofSamples, ...ofExamples];
};

/** Whether a sample shows the change in a configuration, so that an example would repeat it. */
const isShownBySample = (
  { rows }: ChangeReport,
  { kind, configuration: { index } }: Pick<ChangeRow, 'kind' | 'configuration'>,
): boolean => rows.some((row) => row.kind === kind && row.configuration.index === index);

/** Whether another configuration accepts a sample that this one no longer accepts. */
const isMoved = ({ rows }: ChangeReport, { index }: ChangeRow['configuration']): boolean =>
  rows.some(
    ({ kind, overall, configuration }) =>
      kind === 'lost' && overall !== 'lost' && configuration.index === index,
  );

/** A text that does not load changes no one's access, so nothing is counted or marked. */
const isCertain = ({ loadFailures, failureBefore }: ChangeReport): boolean =>
  loadFailures === undefined && failureBefore === undefined;

const kinds = [
  ['lost', 'Lost'],
  ['gained', 'Gained'],
  ['changed', 'Changed'],
] as const;

const maxNames = 5;
const maxNameLength = 100;

const shorten = (text: string): string =>
  text.length > maxNameLength ? `${text.slice(0, maxNameLength)}…` : text;
