/** The items of the Test Explorer: one for each test file, and below it one for each case. */
import {
  type TestCaseRow,
  type TestCasesAnswer,
  withoutIcons,
} from '@authgraph/language-server/protocol';
import { type TestController, type TestItem, type Uri, workspace } from 'vscode';
import { rangeOf } from '../place.ts';

/** Cases that have items in the whole workspace. */
const maxCaseItems = 20_000;

/** Characters of a label; a name may be as long as its file. */
const maxLabelLength = 200;

export type TestItems = ReturnType<typeof createTestItems>;

export const createTestItems = (controller: TestController) => {
  const countByFile = new Map<string, number>();
  /** The version of the cases that a file shows. */
  const shownVersions = new WeakMap<TestItem, number>();
  let versions = 0;
  const nextVersion = (): number => {
    versions += 1;
    return versions;
  };
  const otherCases = (file: TestItem): number => {
    let count = -(countByFile.get(file.id) ?? 0);
    for (const each of countByFile.values()) count += each;
    return count;
  };
  const caseItem = (file: TestItem, id: string, { name, range }: TestCaseRow): TestItem => {
    const item = file.children.get(id) ?? controller.createTestItem(id, labelOf(name), file.uri);
    item.range = rangeOf({ uri: file.id, range });
    if (item.parent === undefined) file.children.add(item);
    return item;
  };

  return {
    /** Returns the version of cases that are requested now. */
    nextVersion,
    /** Returns the item of a test file; creates it if it does not exist. */
    add(uri: Uri): TestItem {
      const id = uri.toString();
      const existing = controller.items.get(id);
      if (existing !== undefined) return existing;
      const item = controller.createTestItem(id, withoutIcons(workspace.asRelativePath(uri)), uri);
      item.canResolveChildren = true;
      controller.items.add(item);
      return item;
    },
    get: (uri: Uri): TestItem | undefined => controller.items.get(uri.toString()),
    remove(id: string): void {
      countByFile.delete(id);
      controller.items.delete(id);
    },
    /**
     * Updates the cases of a file and returns their items in the order of the file. While the file has
     * mistakes, the items of cases that cannot be read stay. Changes nothing if the file was removed
     * or shows newer cases, and returns the items that it still has.
     */
    update(
      file: TestItem,
      { cases, problem }: TestCasesAnswer,
      version = nextVersion(),
    ): readonly (TestItem | undefined)[] {
      const isRemoved = controller.items.get(file.id) !== file;
      if (isRemoved || version < (shownVersions.get(file) ?? 0))
        return caseIds(cases).map((id) => file.children.get(id));
      shownVersions.set(file, version);
      const shown = cases.slice(0, Math.max(0, maxCaseItems - otherCases(file)));
      const ids = caseIds(shown);
      const items = shown.map((row, index) => caseItem(file, ids[index] ?? '', row));
      if (problem === undefined) {
        const current = new Set(ids);
        const outdated = itemsOf(file).filter(({ id }) => !current.has(id));
        for (const { id } of outdated) file.children.delete(id);
      }
      countByFile.set(file.id, file.children.size);
      file.error =
        problem ??
        (shown.length < cases.length
          ? `Only ${maxCaseItems} cases of the workspace are shown. The others run with authgraph test.`
          : undefined);
      return items;
    },
  };
};

/** Returns the items below an item, in their order. */
export const itemsOf = ({ children }: Pick<TestItem, 'children'>): readonly TestItem[] =>
  [...children].map(([, item]) => item);

/** Returns an ID for each case: its name, with a number if an earlier case has the same name. */
const caseIds = (cases: readonly TestCaseRow[]): readonly string[] => {
  const counts = new Map<string, number>();
  return cases.map(({ name }) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    // JSON has no control characters, one of which separates IDs in VS Code.
    return `${JSON.stringify(name)} ${count}`;
  });
};

const labelOf = (name: string): string => {
  const line = withoutIcons(name.replaceAll('\n', ' ')).trim();
  if (line === '') return '(no name)';
  return line.length <= maxLabelLength ? line : `${line.slice(0, maxLabelLength - 1)}…`;
};

/** Returns the test file of an item. */
export const fileOf = (item: TestItem): TestItem => item.parent ?? item;
