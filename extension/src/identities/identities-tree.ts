/** The samples as a tree: who each of them is in the configuration, and which one is current. */
import type { SampleRow, VerdictRow, VerdictsReport } from '@authgraph/language-server/protocol';
import { Disposable, ThemeColor, ThemeIcon, TreeItem, type TreeView, Uri } from 'vscode';
import { latestOnly } from '../latest-request.ts';
import type { Model } from '../model.ts';
import type { ServerRequests } from '../requests.ts';
import { expiryText } from './token-claims.ts';

export interface IdentitiesTree {
  getChildren(row?: unknown): Promise<readonly SampleRow[]>;
  getTreeItem(row: unknown): TreeItem;
}

export const createIdentitiesTree = (model: Model, requests: ServerRequests): IdentitiesTree => {
  const requestVerdicts = latestOnly(requests.verdicts);
  let verdicts: ReadonlyMap<string, VerdictRow> = new Map();
  let requestCount = 0;
  return {
    async getChildren(row) {
      if (row !== undefined) return [];
      const uri = model.configuration?.uri.toString();
      requestCount += 1;
      const number = requestCount;
      const { rows }: VerdictsReport =
        uri === undefined || model.samples.length === 0
          ? { rows: [] }
          : await requestVerdicts({ uri, samples: 'all' });
      // One that was called off has no rows, and says nothing of the samples.
      if (number === requestCount) verdicts = bestRows(rows);
      return model.samples;
    },
    getTreeItem: (row) =>
      isSampleRow(row)
        ? itemOf(row, verdicts.get(row.id), row.id === model.chosen?.id)
        : new TreeItem(''),
  };
};

/** The selection goes with the current sample, however that was chosen. */
export const selectCurrent = (tree: TreeView<unknown>, model: Model): Disposable => {
  let selected: string | undefined;
  const follow = async (): Promise<void> => {
    const { chosen } = model;
    // To reveal a row of a view that is hidden would bring the view forward.
    if (!tree.visible || chosen === undefined || chosen.id === selected) return;
    selected = chosen.id;
    try {
      await tree.reveal(chosen, { select: true, focus: false });
    } catch {
      // The row is gone by now.
      selected = undefined;
    }
  };
  return Disposable.from(
    model.onDidChange(() => void follow()),
    tree.onDidChangeVisibility(() => {
      selected = undefined;
      void follow();
    }),
  );
};

export const isSampleRow = (value: unknown): value is SampleRow =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'name' in value &&
  typeof value.name === 'string';

/** A file may hold several configurations: the one that lets the sample in says most. */
const bestRows = (rows: VerdictsReport['rows']): ReadonlyMap<string, VerdictRow> => {
  const best = new Map<string, VerdictRow>();
  for (const row of rows) {
    const known = best.get(row.sample.id);
    if (known === undefined || verdictRank(row) > verdictRank(known)) best.set(row.sample.id, row);
  }
  return best;
};

const verdictRank = ({ verdict }: VerdictRow): number =>
  ({ accepted: 2, rejected: 1, noOpinion: 0 })[verdict];

const itemOf = (sample: SampleRow, row: VerdictRow | undefined, isCurrent: boolean): TreeItem => {
  const item = new TreeItem(sample.name);
  item.id = sample.id;
  const verdict = sample.problem ?? (row === undefined ? '' : verdictText(row));
  // The mark first: a narrow view cuts off the end.
  item.description = isCurrent ? `◉ ${[verdict, 'current'].filter(Boolean).join(' · ')}` : verdict;
  item.tooltip = tooltipOf(sample, verdict);
  item.iconPath = iconOf(sample, row);
  item.contextValue = [
    sample.uri === undefined ? 'memory' : 'file',
    isCurrent ? 'current' : 'other',
  ].join('.');
  item.command = { title: 'Choose', command: 'authgraph.chooseSample', arguments: [sample] };
  item.accessibilityInformation = {
    label: `${sample.name}${isCurrent ? ', current sample' : ''}${verdict === '' ? '' : `, ${verdict}`}`,
  };
  if (sample.uri !== undefined) item.resourceUri = Uri.parse(sample.uri);
  return item;
};

/** The headline repeats the name that the row has already. */
const verdictText = ({ sample, headline }: VerdictRow): string =>
  headline.startsWith(sample.name)
    ? headline.slice(sample.name.length).replace(/^[\s:]+/, '')
    : headline;

const tooltipOf = (sample: SampleRow, verdict: string): string =>
  [
    sample.name,
    verdict,
    sample.issuer === undefined ? '' : `issuer ${sample.issuer}`,
    sample.expires === undefined ? '' : expiryText(sample.expires, Date.now()),
    sample.signature ?? '',
    sample.uri === undefined ? 'kept in memory until the window closes' : '',
  ]
    .filter((line) => line !== '')
    .join('\n');

const iconOf = (sample: SampleRow, row: VerdictRow | undefined): ThemeIcon => {
  if (sample.problem !== undefined) return icon('warning', 'list.warningForeground');
  if (row === undefined) return new ThemeIcon('account');
  if (row.verdict === 'accepted') return icon('pass-filled', 'charts.green');
  if (row.verdict === 'rejected') return icon('error', 'charts.red');
  return icon('circle-slash', 'disabledForeground');
};

const icon = (name: string, color: string): ThemeIcon => new ThemeIcon(name, new ThemeColor(color));
