/** Pickers. Rows contain names of files and samples and values of claims, which are untrusted. */

import { withoutIcons } from '@authgraph/language-server/protocol';
import { type QuickPickItem, type QuickPickOptions, window } from 'vscode';

export const pick = async <Item extends QuickPickItem>(
  items: readonly Item[] | Promise<readonly Item[]>,
  options: QuickPickOptions,
): Promise<Item | undefined> => window.showQuickPick(rowsWithoutIcons(items), options);

/** Returns `undefined` if the user dismissed the picker. */
export const pickMany = async <Item extends QuickPickItem>(
  items: readonly Item[],
  options: QuickPickOptions,
): Promise<readonly Item[] | undefined> =>
  window.showQuickPick(rowsWithoutIcons(items), { ...options, canPickMany: true });

const rowsWithoutIcons = async <Item extends QuickPickItem>(
  items: readonly Item[] | Promise<readonly Item[]>,
): Promise<Item[]> =>
  (await items).map((item) => ({
    ...item,
    label: withoutIcons(item.label),
    ...(item.description === undefined ? {} : { description: withoutIcons(item.description) }),
    ...(item.detail === undefined ? {} : { detail: withoutIcons(item.detail) }),
  }));
