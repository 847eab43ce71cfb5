/** Opens an HTML file in Chromium, and records what it requests and reports. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installSiteTools, toolsFolder } from '../../docs/site/tools.ts';
import type { Chromium, Page } from '../e2e/browser.ts';
import { installChromium } from '../e2e/tools.ts';
import { accessibilityTree } from './accessibility-tree.ts';

export interface FileInBrowser {
  readonly url: string;
  /** Opens the file in a new tab. */
  readonly open: () => Promise<Page>;
  /** Returns the accessibility tree of the file. */
  readonly tree: () => Promise<string>;
  /** The URLs that were requested since the last tab was opened. */
  readonly requested: () => readonly string[];
  readonly close: () => Promise<void>;
}

export const fileInBrowser = async (html: string): Promise<FileInBrowser> => {
  const folder = mkdtempSync(join(tmpdir(), 'file-in-browser-'));
  const path = join(folder, 'page.html');
  writeFileSync(path, html);
  installSiteTools();
  const driver = createRequire(join(toolsFolder, 'package.json'));
  const { chromium } = driver('playwright-core') as { chromium: Chromium };
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: installChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    colorScheme: 'light',
  });
  const requested: string[] = [];
  context.on('request', (request) => requested.push(request.url()));
  const { href: url } = pathToFileURL(path);
  const open = async (): Promise<Page> => {
    requested.length = 0;
    const page = await context.newPage();
    await page.goto(url);
    await page.locator('main h1').waitFor();
    return page;
  };
  return {
    url,
    open,
    async tree() {
      const page = await open();
      const tree = await accessibilityTree(await context.newCDPSession(page));
      await page.close();
      return tree;
    },
    requested: () => requested,
    close: () => context.close(),
  };
};

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns what axe-core finds, with the markup. */
export const accessibilityProblems = async (page: Page): Promise<unknown> => {
  await page.evaluate(`${axe}; undefined`);
  return page.evaluate(`axe.run(document).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' ')))`);
};
