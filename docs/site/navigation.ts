/** The navigation of the site, read from docs/README.md, so that both lead to a page in the same order. */

export interface NavigationGroup {
  readonly text: string;
  readonly items: readonly { readonly text: string; readonly path: string }[];
}

/** Returns a group for the table of tasks, and one for each item of the list of references. */
export const navigationOf = (index: string): readonly NavigationGroup[] => {
  const [tasks = '', reference = ''] = index.split('\n## Reference\n');
  const rows = tasks.split('\n').filter((line) => line.startsWith('| '));
  const items = reference.split(/\n(?=- )/).filter((item) => item.startsWith('- '));
  return [
    { text: 'I want to', items: rows.flatMap(linksIn) },
    ...items.map((item) => ({
      text: item.slice(2).split(/[:,]/, 1)[0] ?? '',
      items: linksIn(item),
    })),
  ].filter((group) => group.items.length > 0);
};

const linksIn = (text: string): NavigationGroup['items'] =>
  Array.from(text.matchAll(/\[([^\]]+)\]\(([^)#\s]+)[^)]*\)/g), ([, label = '', path = '']) => ({
    text: label.charAt(0).toUpperCase() + label.slice(1),
    path,
  }));
