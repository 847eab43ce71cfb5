/** The documentation as a site: it builds, its links and its search work, and it needs no other server. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveSite, siteFolder } from '../../docs/site/build.ts';
import { checkLinks } from '../../docs/site/check-links.ts';
import { readSiteContent, routeOf } from '../../docs/site/pages.ts';
import { toolsFolder } from '../../docs/site/tools.ts';
import type { BrowserContext, Chromium, Page } from '../e2e/browser.ts';
import { installChromium } from '../e2e/tools.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const arguments_ = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];

/** The output of the build; it fails if a link is broken. */
let build: SpawnSyncReturns<string>;
let context: BrowserContext;
let server: Server;
let address: string;
/** Requests to other servers, and errors in the console of the browser. */
const unwanted: string[] = [];

beforeAll(async () => {
  const { NODE_ENV: _, ...environment } = process.env;
  const program = join(import.meta.dirname, '../../docs/site/build.ts');
  build = spawnSync(process.execPath, [program], { encoding: 'utf8', env: environment });
  if (build.status !== 0) throw new Error(build.stdout + build.stderr);
  server = await serveSite(0);
  address = `http://localhost:${(server.address() as AddressInfo).port}`;
  const driver = createRequire(join(toolsFolder, 'package.json'));
  const { chromium } = driver('playwright-core') as { chromium: Chromium };
  context = await chromium.launchPersistentContext(mkdtempSync(join(tmpdir(), 'site-')), {
    executablePath: installChromium(),
    args: arguments_,
    colorScheme: 'light',
  });
  context.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(address))
      unwanted.push(request.url());
  });
}, 400_000);

afterAll(async () => {
  await context?.close();
  server?.close();
});

const open = async (path: string): Promise<Page> => {
  const page = await context.newPage();
  page.on('pageerror', (error) => unwanted.push(`${path}: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') unwanted.push(`${path}: ${message.text()}`);
  });
  await page.goto(`${address}${path}`);
  await page.locator('main h1').waitFor();
  return page;
};

test('the site is built, and no link is broken', () => {
  expect(build.stdout).toContain('the site is in ');
});

test('every page of docs/ is in the site', () => {
  const built = new Set(globSync('**/*.html', { cwd: siteFolder }));
  const expected = [...readSiteContent().pages.keys()].map((path) =>
    routeOf(path).replace(/\.md$/, '.html'),
  );
  expect(expected.length).toBeGreaterThan(150);
  expect(expected.filter((path) => !built.has(path))).toEqual([]);
});

test('the check of links finds a missing page, heading and file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'site-links-'));
  mkdirSync(join(folder, 'files'));
  writeFileSync(join(folder, 'other.html'), '<h1 id="present">Other</h1>');
  writeFileSync(
    join(folder, 'index.html'),
    ['other.html#present', 'other.html#absent', 'absent.html', 'files/absent.yaml']
      .map((link) => `<a href="${link}">link</a>`)
      .join(''),
  );
  const found = await checkLinks(folder);
  expect(found.toSorted()).toEqual([
    './: absent.html: no such file',
    './: files/absent.yaml: no such file',
    './: other.html#absent: no such heading',
  ]);
});

test('the search finds the pages about a missing groups prefix', async () => {
  const page = await open('/');
  await page.keyboard.press('Control+k');
  await page.locator('.VPLocalSearchBox input').fill('groups prefix');
  const results = page.locator('.VPLocalSearchBox .result');
  await results.first().waitFor();
  const titles = (await results.allInnerTexts()).map((title) => title.replaceAll('\n', ' '));
  expect(titles.join('\n')).toContain('system-groups');
  expect(titles.join('\n')).toContain('missing-prefix');
  await results.first().click();
  await page.locator('main h1').filter({ hasText: 'system-groups' }).waitFor();
  await page.close();
});

test.each(['/', '/compatibility.html', '/check.html'])(
  '%s: axe-core finds nothing serious, in light and dark',
  async (path) => {
    const page = await open(path);
    for (const isDark of [false, true]) {
      await page.evaluate(`document.documentElement.classList.toggle('dark', ${isDark})`);
      // Colors change gradually.
      await page.waitForTimeout(700);
      await page.evaluate(`${axe}; undefined`);
      const violations = await page.evaluate(`axe.run(document, { resultTypes: ['violations'] })
        .then(({ violations }) => violations
          .filter(({ impact }) => impact === 'serious' || impact === 'critical')
          .flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html, failureSummary }) =>
            id + ': ' + html.slice(0, 160) + ' ' + failureSummary.slice(0, 240))))`);
      expect(violations).toEqual([]);
    }
    await page.close();
  },
);

test('a diagram is drawn', async () => {
  const page = await open('/concepts.html');
  const drawn = await page.evaluate(`document.querySelector('.diagram svg').textContent`);
  expect(drawn).toContain('AuthenticationConfiguration');
  await page.close();
});

test('nothing is requested from another server, and no script fails', () => {
  expect(unwanted).toEqual([]);
});
