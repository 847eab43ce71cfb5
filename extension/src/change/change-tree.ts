/** The access changes as a tree: lost, gained, changed. */
import type { ChangeReport, ChangeRow } from '@authgraph/language-server/protocol';
import { ThemeColor, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';

export type ChangeNode =
  | { readonly kind: 'message'; readonly text: string; readonly isWarning?: true }
  | { readonly kind: 'group'; readonly group: Group; readonly rows: readonly ChangeRow[] }
  | { readonly kind: 'row'; readonly row: ChangeRow }
  | { readonly kind: 'detail'; readonly text: string };

type Group = (typeof groups)[number];

const groups = [
  { of: 'lost', title: 'Lost', icon: 'arrow-down', color: 'charts.red' },
  { of: 'gained', title: 'Gained', icon: 'arrow-up', color: 'charts.green' },
  { of: 'changed', title: 'Changed', icon: 'arrow-swap', color: 'list.warningForeground' },
  { of: 'same', title: 'Unchanged', icon: 'dash', color: 'descriptionForeground' },
] as const;

/** `title` describes the comparison; without it, the summary stands alone. */
export const changeChildren = (
  parent: ChangeNode | undefined,
  report: ChangeReport,
  title: string | undefined,
): readonly ChangeNode[] => {
  switch (parent?.kind) {
    case undefined:
      return [
        ...failuresOf(report).map(
          (text): ChangeNode => ({ kind: 'message', text, isWarning: true }),
        ),
        { kind: 'message', text: withTitle(title, report.problem ?? report.summary) },
        ...groups.flatMap((group): readonly ChangeNode[] => {
          const rows = report.rows.filter(({ kind }) => kind === group.of);
          return rows.length === 0 ? [] : [{ kind: 'group', group, rows }];
        }),
      ];
    case 'group':
      return parent.rows.map((row) => ({ kind: 'row', row }));
    case 'row':
      return parent.row.details.map((text) => ({ kind: 'detail', text }));
    default:
      return [];
  }
};

/** Returns sentences about texts that kube-apiserver does not load. */
const failuresOf = ({ loadFailures = [], failureBefore }: ChangeReport): readonly string[] => [
  ...loadFailures.map(({ text }) => text),
  ...(failureBefore === undefined ? [] : [capitalize(failureBefore)]),
];

const withTitle = (title: string | undefined, text: string): string =>
  title === undefined ? `${capitalize(text)}.` : `${title}: ${text}`;

const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

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
          : TreeItemCollapsibleState.Expanded,
      );
      item.description = rowText(row);
      item.tooltip = `Before: ${row.before}\nAfter: ${row.after}`;
      item.command = {
        title: 'Compare',
        command: 'authgraph.showChangedResult',
        arguments: [node],
      };
      return item;
    }
    case 'detail':
      return new TreeItem(node.text);
  }
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
export const changeText = (report: ChangeReport, title: string | undefined): string => {
  const linesBelow = (parent: ChangeNode | undefined, indent: string): readonly string[] =>
    changeChildren(parent, report, title).flatMap((node) => [
      ...(node.kind === 'group' ? [''] : []),
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
    case 'detail':
      return node.text;
  }
};
