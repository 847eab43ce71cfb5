/** The links and pictures of pages, which are paths in the repository, as paths in the site. */
import { posix } from 'node:path';

/** The part of markdown-it's tokens that is used. */
interface Token {
  readonly type: string;
  readonly children: readonly Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

interface Markdown {
  readonly core: {
    readonly ruler: {
      push(name: string, rule: (state: { tokens: readonly Token[]; env: object }) => void): void;
    };
  };
}

export interface SiteMap {
  /** Path in the site by path in the repository. */
  readonly routes: Readonly<Record<string, string>>;
  /** Address of each other file by its path in the repository. */
  readonly files: Readonly<Record<string, string>>;
}

const attributeByType: ReadonlyMap<string, string> = new Map([
  ['link_open', 'href'],
  ['image', 'src'],
]);

/** Returns the address in the site of a link on a page; links that leave the site stay as they are. */
export const siteAddress = (page: string, link: string, { routes, files }: SiteMap): string => {
  if (/^(?:[a-z]+:|\/|#)/i.test(link)) return link;
  const [target = '', anchor] = link.split('#');
  const path = posix.join(posix.dirname(page), target).replace(/\/$/, '');
  const route = routes[path] ?? routes[posix.join(path, 'README.md')];
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (route !== undefined) return `/${route.replace(/\.md$/, '.html')}${hash}`;
  const file = files[path];
  if (file !== undefined) return file;
  throw new Error(`${page}: the link ${link} leads to no file of the repository`);
};

/** A plugin of markdown-it. `pageOf` returns the path in the repository of the page that is rendered. */
export const repositoryLinks = (
  markdown: Markdown,
  site: SiteMap,
  pageOf: (env: object) => string | undefined,
): void => {
  markdown.core.ruler.push('repository-links', ({ tokens, env }) => {
    const page = pageOf(env);
    if (page === undefined) return;
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const name = attributeByType.get(token.type);
      const link = name === undefined ? null : token.attrGet(name);
      if (name === undefined || link === null) continue;
      const address = siteAddress(page, decodeURI(link), site);
      token.attrSet(name, address);
      // The router of the site shows pages; the browser opens files.
      if (address.startsWith('/files/') && name === 'href') token.attrSet('target', '_blank');
    }
  });
};
