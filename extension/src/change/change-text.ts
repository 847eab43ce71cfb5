/** The access changes as text, with every row expanded. */
import type { ChangeReport } from '@authgraph/language-server/protocol';
import { type ChangeNode, changeChildren, rowText } from './change-tree.ts';

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
