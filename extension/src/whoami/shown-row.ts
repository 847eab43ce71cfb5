/** Converts a row for the page: locations become line numbers. */
import type { WhoamiRow } from '@authgraph/language-server/protocol';
import { window } from 'vscode';
import type { ShownRow } from '../messages/whoami.ts';
import { smallestAtCursor } from '../place.ts';

export const shownRow = (
  row: WhoamiRow,
  { isChosen }: { readonly isChosen: boolean },
): ShownRow => ({
  sample: row.sample.name,
  configuration: row.configuration.title,
  isChosen,
  verdict: row.verdict,
  headline: row.headline,
  warning: row.refusal,
  user: row.user,
  sources: row.sources.map(({ part, place }) => ({ part, line: lineOf(place) })),
  code: row.code,
  message: row.message,
  line: row.place && lineOf(row.place),
  steps: row.steps.map(({ place, ...step }) => ({ ...step, line: place && lineOf(place) })),
  whyNot: row.whyNot.map(({ text }) => text),
  acting: row.acting,
  stepAtCursor: stepAtCursor(row),
});

const lineOf = ({ range }: NonNullable<WhoamiRow['place']>): number => range.start.line + 1;

/** Returns `undefined` if the cursor is in no step. */
const stepAtCursor = ({ steps }: WhoamiRow): number | undefined => {
  const step = smallestAtCursor(steps, window.activeTextEditor);
  return step && steps.indexOf(step);
};
