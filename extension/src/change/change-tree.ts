/** The access changes as a tree: samples that are lost, gained or changed, and what all tokens show. */
import type {
  AccessDifferenceRow,
  AccessPlaceRow,
  ChangeRow,
  PlaceInFile,
} from '@authgraph/language-server/protocol';
import { ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState, Uri } from 'vscode';
import { lineOf, rangeOf } from '../place.ts';
import type { ShownChanges } from './change-summary.ts';

export type ChangeNode =
  | { readonly kind: 'message'; readonly text: string; readonly isWarning?: true }
  | { readonly kind: 'group'; readonly group: Group; readonly rows: readonly ChangeRow[] }
  | { readonly kind: 'row'; readonly row: ChangeRow }
  | FactNode
  | { readonly kind: 'detail'; readonly text: string };

/** What was found or proved about all tokens. */
interface FactNode {
  readonly kind: 'fact';
  readonly text: string;
  readonly look?: Look;
  readonly place?: PlaceInFile;
  readonly isExpanded?: true;
  readonly children: readonly ChangeNode[];
}

interface Look {
  readonly icon: string;
  readonly color: string;
}

type Group = (typeof groups)[number];

const groups = [
  { of: 'lost', title: 'Lost', icon: 'arrow-down', color: 'charts.red' },
  { of: 'gained', title: 'Gained', icon: 'arrow-up', color: 'charts.green' },
  { of: 'changed', title: 'Changed', icon: 'arrow-swap', color: 'list.warningForeground' },
  { of: 'same', title: 'Unchanged', icon: 'dash', color: 'descriptionForeground' },
] as const;

export const changeChildren = (
  parent: ChangeNode | undefined,
  report: ShownChanges,
): readonly ChangeNode[] => {
  switch (parent?.kind) {
    case undefined:
      return [
        ...failuresOf(report).map(
          (text): ChangeNode => ({ kind: 'message', text, isWarning: true }),
        ),
        { kind: 'message', text: withTitle(report.title, report.problem ?? report.summary) },
        ...groups.flatMap((group): readonly ChangeNode[] => {
          const rows = report.rows.filter(({ kind }) => kind === group.of);
          return rows.length === 0 ? [] : [{ kind: 'group', group, rows }];
        }),
        ...(report.access?.rows ?? []).map((row) => allTokens(row, report.rows)),
      ];
    case 'group':
      return parent.rows.map((row) => ({ kind: 'row', row }));
    case 'row':
      return parent.row.details.map((text) => ({ kind: 'detail', text }));
    case 'fact':
      return parent.children;
    default:
      return [];
  }
};

/** Returns sentences about texts that kube-apiserver does not load. */
const failuresOf = ({
  loadFailures = [],
  failureBefore,
  problem,
  access,
}: ShownChanges): readonly string[] => {
  const failures = [
    ...loadFailures.map(({ text }) => text),
    ...(failureBefore === undefined ? [] : [capitalize(failureBefore)]),
  ];
  const other = access?.problem;
  return failures.length > 0 || other === undefined || other === problem
    ? failures
    : [capitalize(other)];
};

const allTokens = (row: AccessDifferenceRow, samples: readonly ChangeRow[]): ChangeNode => {
  const { title, index } = row.configuration;
  /** Whether a sample answers a question that is undecided for other tokens. */
  const isAnswered = (kind: ChangeRow['kind']): boolean =>
    samples.some((sample) => sample.kind === kind && sample.configuration.index === index);
  return {
    kind: 'fact',
    text: title === undefined ? 'All Tokens' : `All Tokens · ${title}`,
    look: { icon: 'key', color: 'descriptionForeground' },
    isExpanded: true,
    children: [
      ...groups.flatMap((group) =>
        group.of === 'same' || (row[group.of].kind === 'undecided' && isAnswered(group.of))
          ? []
          : [verdictNode(row, group)],
      ),
      ...row.settings.map(({ text }): ChangeNode => factOf(`Changed setting: ${text}`)),
      ...(row.fullControl === undefined ? [] : [factOf(`${capitalize(row.fullControl)}.`)]),
    ],
  };
};

const verdictNode = (
  row: AccessDifferenceRow,
  group: Exclude<Group, { readonly of: 'same' }>,
): ChangeNode => {
  const verdict = row[group.of];
  const text = `${capitalize(verdict.kind)}: ${verdict.text}`;
  switch (verdict.kind) {
    case 'proved':
      return { ...factOf(text), look: { icon: 'verified', color: 'charts.green' } };
    case 'undecided': {
      const look = { icon: 'question', color: 'list.warningForeground' };
      return { ...factOf(text), look, children: verdict.reasons.map(placeNode) };
    }
    case 'found': {
      const children = verdict.changes.flatMap((change): readonly ChangeNode[] => [
        factOf(capitalize(change.text)),
        ...change.details.map((detail): ChangeNode => ({ kind: 'detail', text: detail })),
        ...change.cause.map(placeNode),
      ]);
      return { ...factOf(text), look: group, children };
    }
  }
};

const placeNode = ({ text, field, place }: AccessPlaceRow): ChangeNode => {
  const line = place === undefined ? '' : `line ${lineOf(place)} · `;
  const node = factOf(`${line}${field === undefined ? '' : `${field}: `}${text}`);
  return place === undefined ? node : { ...node, place };
};

const factOf = (text: string): FactNode => ({ kind: 'fact', text, children: [] });

/** Returns the summary behind its title; without a title, it is a sentence of its own. */
const withTitle = (title: string | undefined, text: string): string =>
  title === undefined ? `${capitalize(text)}.` : `${title}: ${text}`;

const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/**
 * Returns the row of a node. Only rows at the top are expanded: if VS Code draws expanded rows again,
 * a row can get the children of another one that has expanded rows itself.
 */
export const changeItem = (node: ChangeNode): TreeItem => {
  switch (node.kind) {
    case 'message': {
      const item = new TreeItem(node.text);
      item.iconPath =
        node.isWarning === true
          ? new ThemeIcon('warning', new ThemeColor('list.warningForeground'))
          : new ThemeIcon('info');
      item.tooltip = node.text;
      return item;
    }
    case 'group': {
      const { title, icon, color, of } = node.group;
      const item = new TreeItem(
        title,
        of === 'same' ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.Expanded,
      );
      item.description = String(node.rows.length);
      item.iconPath = new ThemeIcon(icon, new ThemeColor(color));
      return item;
    }
    case 'row': {
      const { row } = node;
      const item = new TreeItem(
        row.sample.name,
        row.details.length === 0
          ? TreeItemCollapsibleState.None
          : TreeItemCollapsibleState.Collapsed,
      );
      item.description = rowText(row);
      item.tooltip = [`Before: ${row.before}`, `After: ${row.after}`, ...row.details].join('\n');
      item.command = {
        title: 'Compare',
        command: 'authgraph.showChangedResult',
        arguments: [node],
      };
      return item;
    }
    case 'fact':
      return factItem(node);
    case 'detail':
      return new TreeItem(node.text);
  }
};

const factItem = ({ text, look, place, isExpanded, children }: FactNode): TreeItem => {
  const folded =
    isExpanded === true ? TreeItemCollapsibleState.Expanded : TreeItemCollapsibleState.Collapsed;
  const item = new TreeItem(text, children.length === 0 ? TreeItemCollapsibleState.None : folded);
  item.tooltip = text;
  if (look !== undefined) item.iconPath = new ThemeIcon(look.icon, new ThemeColor(look.color));
  if (place !== undefined) {
    const options = { selection: rangeOf(place) };
    item.command = {
      title: 'Go to Line',
      command: 'vscode.open',
      arguments: [Uri.parse(place.uri, true), options],
    };
  }
  return item;
};

/**
 * Returns `one · auth.yaml: a:jane · 1 group ⇒ b:jane · 1 group`; the configuration is named only
 * if there are several.
 */
export const rowText = (row: ChangeRow): string => {
  const { title } = row.configuration;
  const after = withoutName(row, row.after);
  const what = row.kind === 'same' ? after : `${withoutName(row, row.before)} ⇒ ${after}`;
  return title === undefined ? what : `${title}: ${what}`;
};

/** Removes the sample's name from a headline, because the row already shows it. */
const withoutName = ({ sample }: ChangeRow, headline: string): string =>
  headline.startsWith(`${sample.name} `)
    ? headline.slice(sample.name.length).replace(/^ (?:→ )?/, '')
    : headline;

/** The access changes as text, with every row expanded. */
export const changeText = (report: ShownChanges): string => {
  const linesBelow = (parent: ChangeNode | undefined, indent: string): readonly string[] =>
    changeChildren(parent, report).flatMap((node) => [
      ...(parent === undefined && node.kind !== 'message' ? [''] : []),
      `${indent}${nodeText(node)}`,
      ...linesBelow(node, `${indent}  `),
    ]);
  return `${linesBelow(undefined, '').join('\n')}\n`;
};

const nodeText = (node: ChangeNode): string => {
  switch (node.kind) {
    case 'group':
      return `${node.group.title} (${node.rows.length})`;
    case 'row':
      return `${node.row.sample.name}: ${rowText(node.row)}`;
    case 'message':
    case 'fact':
    case 'detail':
      return node.text;
  }
};
