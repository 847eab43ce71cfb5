/** The coverage page in Chromium: accessible, without requests, and with nothing that runs. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installSiteTools, toolsFolder } from '../../docs/site/tools.ts';
import { coverageHtml } from '../../engine/src/cli/coverage/coverage-html.ts';
import { coverageInFile } from '../../engine/src/cli/coverage/file-coverage.ts';
import { measureCoverage } from '../../engine/src/simulate/coverage/measure-coverage.ts';
import type { BrowserContext, Chromium, Page } from '../e2e/browser.ts';
import { installChromium } from '../e2e/tools.ts';
import { compileText } from '../support/compile-text.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const hostile =
  '"><script>document.title = 1</script><img src=https://x.example/ onerror=alert(1)>';

const text = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: https://a.example
    audiences: [app]
  claimMappings:
    username: { claim: sub, prefix: "a:" }
  claimValidationRules:
  - expression: claims.hd == "x" || claims.hd == '${hostile}'
`;

const folder = mkdtempSync(join(tmpdir(), 'coverage-page-'));
const path = join(folder, 'coverage.html');
const requested: string[] = [];
let context: BrowserContext;

beforeAll(async () => {
  const compilation = compileText(text);
  const claims = { claims: { iss: 'https://a.example', sub: 'a', hd: 'x' }, unreadable: new Map() };
  const coverage = measureCoverage(compilation, [{ claims, now: 0, isToken: false }]);
  const file = coverageInFile(
    { ...compilation.document.source, uri: hostile },
    coverage,
    (own) => own,
  );
  writeFileSync(path, coverageHtml([file, file]));
  installSiteTools();
  const driver = createRequire(join(toolsFolder, 'package.json'));
  const { chromium } = driver('playwright-core') as { chromium: Chromium };
  context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: installChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    colorScheme: 'light',
  });
  context.on('request', (request) => requested.push(request.url()));
}, 400_000);

afterAll(() => context?.close());

const open = async (): Promise<Page> => {
  const page = await context.newPage();
  await page.goto(pathToFileURL(path).href);
  await page.locator('main h1').waitFor();
  return page;
};

test('axe-core finds nothing', async () => {
  const page = await open();
  await page.evaluate(`${axe}; undefined`);
  const violations = await page.evaluate(`axe.run(document).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' ')))`);
  expect(violations).toEqual([]);
  await page.close();
});

test('the style sheet applies, and nothing else is loaded or run', async () => {
  requested.length = 0;
  const page = await open();
  expect(await page.evaluate('document.title')).toBe('Coverage');
  expect(await page.evaluate('getComputedStyle(document.querySelector(".scroll")).overflowX')).toBe(
    'auto',
  );
  expect(await page.evaluate('document.scripts.length + document.images.length')).toBe(0);
  expect(requested).toEqual([pathToFileURL(path).href]);
  await page.close();
});

test('missing outcomes are marked in their line', async () => {
  const page = await open();
  const marks = await page.locator('#file-0-10 mark').allInnerTexts();
  expect(marks).toEqual([`claims.hd == "x"`, `claims.hd == '${hostile}'`]);
  expect((await page.locator('#file-0-10 li').allInnerTexts()).join('\n')).toContain(
    'no case makes the condition false: claims.hd == "x"',
  );
  await page.close();
});
