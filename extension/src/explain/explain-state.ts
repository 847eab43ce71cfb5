/** What the page that explains a token shows, and the places that its links go to. */
import type {
  ExplainedRow,
  ExplainTokenReport,
  PlaceInFile,
} from '@authgraph/language-server/protocol';
import { Uri, workspace } from 'vscode';
import type { ExplainState, ShownExplanation, ShownText } from '../messages/explain.ts';
import { lineOf } from '../place.ts';

export interface ShownReport {
  readonly state: ExplainState;
  /** The places by the index of their links. */
  readonly places: readonly PlaceInFile[];
}

export const explainState = (
  report: ExplainTokenReport,
  { number, token }: { readonly number: number; readonly token: string },
): ShownReport => {
  const places: PlaceInFile[] = [];
  const shown = (text: string, place: PlaceInFile | undefined): ShownText => ({
    text,
    link: place && { line: lineOf(place), place: places.push(place) - 1 },
  });
  const { summary, problem, skipped, nearest, rows } = report;
  const state: ExplainState = {
    kind: 'state',
    number,
    token,
    summary,
    problem,
    skipped,
    nearest: nearest && shown(nearest.text, nearest.place),
    rows: rows.map((row) => shownRow(row, shown)),
  };
  return { state, places };
};

const shownRow = (
  row: ExplainedRow,
  shown: (text: string, place: PlaceInFile | undefined) => ShownText,
): ShownExplanation => {
  const { configuration, verdict, loadFailure, authenticator, user } = row;
  const file = workspace.asRelativePath(Uri.parse(row.uri, true));
  return {
    name: configuration.title === undefined ? file : `${file} · ${configuration.title}`,
    verdict,
    loadFailure: loadFailure && {
      text: loadFailure.text,
      asIf: loadFailure.asIf,
      errors: loadFailure.errors.map(({ message, place }) => shown(message, place)),
    },
    authenticator:
      authenticator && shown(`${authenticator.path}, ${authenticator.issuer}`, authenticator.place),
    check: row.check,
    reason: row.reason === undefined ? undefined : shown(row.reason, row.place),
    code: row.code,
    logLine: row.logLine,
    whyNot: row.whyNot ?? [],
    user: user && [user.username, ...user.groups].join(' · '),
  };
};
