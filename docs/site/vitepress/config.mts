/** The configuration of VitePress. build.ts copies this folder next to the pages and writes site.json. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { renderMermaidSVG } from 'beautiful-mermaid';
import { slug } from 'github-slugger';
import { defineConfig } from 'vitepress';
import { repositoryLinks } from './repository-links.mts';

const site = JSON.parse(readFileSync(`${import.meta.dirname}/site.json`, 'utf8'));
const source = `${import.meta.dirname}/../pages`;
const pageByRoute = new Map(Object.entries(site.routes).map(([page, route]) => [route, page]));

/** Returns the path in the repository of the page that is rendered. */
const pageOf = (env: { relativePath?: string; path?: string }) =>
  pageByRoute.get(env.relativePath ?? '') ??
  pageByRoute.get(relative(source, env.path ?? '').replaceAll('\\', '/'));

export default defineConfig({
  title: 'AuthGraph',
  description: "Check, simulate and run kube-apiserver's authentication.",
  srcDir: 'pages',
  outDir: site.output,
  cacheDir: 'cache',
  vite: { build: { chunkSizeWarningLimit: 2_000 } },
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    // Braces after a word are text, as on GitHub.
    attrs: { disable: true },
    anchor: { slugify: (title: string) => slug(title) },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
    languageAlias: { cel: 'javascript' },
    config: (markdown) => {
      repositoryLinks(markdown, site, pageOf);
      // Vue evaluates double braces in its templates.
      const { escapeHtml } = markdown.utils;
      const plainText = (text = '') => escapeHtml(text).replaceAll('{{', '&#123;&#123;');
      markdown.renderer.rules.text = (tokens, index) => plainText(tokens[index]?.content);
      markdown.renderer.rules.code_inline = (tokens, index) =>
        `<code>${plainText(tokens[index]?.content)}</code>`;
      const fence = markdown.renderer.rules.fence;
      markdown.renderer.rules.fence = (tokens, index, ...rest) => {
        const { info = '', content = '' } = tokens[index] ?? {};
        if (info.trim() === 'mermaid') return diagram(content);
        return fence?.(tokens, index, ...rest) ?? '';
      };
    },
  },
  themeConfig: {
    siteTitle: 'AuthGraph',
    nav: [
      { text: 'Documentation', link: '/' },
      { text: 'About', link: '/about' },
      { text: 'Diagnostics', link: '/diagnostics/' },
      { text: 'Changelog', link: '/repository/CHANGELOG' },
    ],
    sidebar: site.sidebar,
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: { miniSearch: { searchOptions: { combineWith: 'AND', fuzzy: 0.1 } } },
    },
    docFooter: { prev: false, next: false },
  },
});

/** Draws a diagram from top to bottom, since a page is narrower than it is long. */
const diagram = (source: string): string => {
  const svg = renderMermaidSVG(source.replace(/^flowchart LR$/m, 'flowchart TD'), {
    bg: 'var(--vp-c-bg)',
    fg: 'var(--vp-c-text-1)',
    transparent: true,
  }).replaceAll(/@import url\([^)]*\);/g, '');
  const html = JSON.stringify(svg).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return `<div class="diagram" role="img" aria-label="Diagram" v-html="${html}"></div>\n`;
};
