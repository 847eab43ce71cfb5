/** The Identities tree: the verdict on each sample, and the current sample. */
import {
  type SampleRow,
  type VerdictRow,
  type VerdictsReport,
  withoutIcons,
} from '@authgraph/language-server/protocol';
import { Disposable, ThemeColor, ThemeIcon, TreeItem, type TreeView, Uri } from 'vscode';
import { latestOnly } from '../latest-request.ts';
import type { Model } from '../model.ts';
import type { ServerRequests } from '../requests.ts';
import { expiryText } from './token-claims.ts';

/** `view` shows a message above the rows if kube-apiserver does not load the configuration. */
export const createIdentitiesTree = (
  model: Model,
  requests: ServerRequests,
  view: Pick<TreeView<unknown>, 'message'>,
) => {
  const requestVerdicts = latestOnly(requests.verdicts);
  let verdicts: ReadonlyMap<string, VerdictRow> = new Map();
  let requestCount = 0;
  return {
    async getChildren(row?: unknown): Promise<readonly SampleRow[]> {
      if (row !== undefined) return [];
      const uri = model.configuration?.uri.toString();
      requestCount += 1;
      const number = requestCount;
      const { rows, loadFailures = [] }: VerdictsReport =
        uri === undefined || model.samples.length === 0
          ? { rows: [] }
          : await requestVerdicts({ uri, samples: 'all' });
      // A canceled request has no rows and must not clear the verdicts.
      if (number === requestCount) {
        verdicts = bestRows(rows);
        view.message = loadFailures.map(({ text }) => withoutIcons(`⚠ ${text}`)).join('\n');
      }
      return model.samples;
    },
    getTreeItem: (row: unknown): TreeItem =>
      isSampleRow(row)
        ? itemOf(row, verdicts.get(row.id), row.id === model.current?.id)
        : new TreeItem(''),
  };
};

/** Keeps the selection of the tree on the current sample. */
export const selectCurrent = (tree: TreeView<unknown>, model: Model): Disposable => {
  let selected: string | undefined;
  const follow = async (): Promise<void> => {
    const { current } = model;
    // Revealing a row of a hidden view would show the view.
    if (!tree.visible || current === undefined || current.id === selected) return;
    selected = current.id;
    try {
      await tree.reveal(current, { select: true, focus: false });
    } catch {
      // The row no longer exists.
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

/**
 * Returns one row per sample. If the file holds several configurations, the one that accepts the
 * sample is shown.
 */
const bestRows = (rows: VerdictsReport['rows']): ReadonlyMap<string, VerdictRow> => {
  const best = new Map<string, VerdictRow>();
  for (const row of rows) {
    const known = best.get(row.sample.id);
    if (known === undefined || verdictRank(row) > verdictRank(known)) best.set(row.sample.id, row);
  }
  return best;
};

const verdictRank = ({ verdict }: VerdictRow): number =>
  ({ accepted: 4, acceptedWithNote: 3, undecided: 2, rejected: 1, noOpinion: 0 })[verdict];

const itemOf = (sample: SampleRow, row: VerdictRow | undefined, isCurrent: boolean): TreeItem => {
  const item = new TreeItem(sample.name);
  item.id = sample.id;
  const verdict = sample.problem ?? (row === undefined ? '' : verdictText(row));
  // The mark comes first because narrow views cut off the end.
  item.description = isCurrent ? `◉ ${[verdict, 'current'].filter(Boolean).join(' · ')}` : verdict;
  item.tooltip = tooltipOf(sample, verdict);
  item.iconPath = iconOf(sample, row);
  item.contextValue = [
    sample.uri === undefined ? 'memory' : 'file',
    isCurrent ? 'current' : 'other',
  ].join('.');
  item.command = { title: 'Use', command: 'authgraph.chooseSample', arguments: [sample] };
  item.accessibilityInformation = {
    label: `${sample.name}${isCurrent ? ', current sample' : ''}${verdict === '' ? '' : `, ${verdict}`}`,
  };
  if (sample.uri !== undefined) item.resourceUri = Uri.parse(sample.uri);
  return item;
};

/** Removes the sample's name from the headline, because the row already shows it. */
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
    sample.uri === undefined ? 'held in memory until the window closes' : '',
  ]
    .filter((line) => line !== '')
    .join('\n');

const iconOf = (sample: SampleRow, row: VerdictRow | undefined): ThemeIcon => {
  if (sample.problem !== undefined) return icon('warning', 'list.warningForeground');
  if (row === undefined) return new ThemeIcon('account');
  const [name, color] = verdictIcons[row.verdict];
  return icon(name, color);
};

const verdictIcons = {
  accepted: ['pass-filled', 'charts.green'],
  acceptedWithNote: ['warning', 'charts.yellow'],
  rejected: ['error', 'charts.red'],
  noOpinion: ['circle-slash', 'disabledForeground'],
  undecided: ['question', 'disabledForeground'],
} as const satisfies Record<VerdictRow['verdict'], readonly [string, string]>;

const icon = (name: string, color: string): ThemeIcon => new ThemeIcon(name, new ThemeColor(color));
