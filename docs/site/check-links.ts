/** Checks each link of a static site to its own pages, headings and files. */
import { importTool } from './tools.ts';

interface Linkinator {
  readonly LinkChecker: new () => {
    check(options: object): Promise<{
      readonly links: readonly {
        readonly url: string;
        readonly state: string;
        readonly parent?: string;
        readonly status?: number;
      }[];
    }>;
  };
}

/** Returns a line for each link that leads to no page, no heading or no file of the site. */
export const checkLinks = async (folder: string): Promise<readonly string[]> => {
  const { LinkChecker } = await importTool<Linkinator>('linkinator');
  const { links } = await new LinkChecker().check({
    path: ['/'],
    serverRoot: folder,
    recurse: true,
    checkFragments: true,
    // Other sites; the site itself is served on this machine while it is checked.
    linksToSkip: ['^https://', '^http://(?!127\\.0\\.0\\.1[:/])', '^mailto:'],
  });
  return links
    .filter(({ state }) => state === 'BROKEN')
    .map(({ url, parent = folder, status }) =>
      status === 200 ? `${parent}: ${url}: no such heading` : `${parent}: ${url}: no such file`,
    );
};
