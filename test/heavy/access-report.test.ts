/** The access difference as HTML in Chromium: accessible, without requests, and with nothing that runs. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installSiteTools, toolsFolder } from '../../docs/site/tools.ts';
import type { BrowserContext, Chromium, Page } from '../e2e/browser.ts';
import { installChromium } from '../e2e/tools.ts';
import { runCaptured } from '../support/captured-io.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const hostile =
  '"><script>document.title = 1</script><img src=https://x.example/ onerror=alert(1)><style>body{display:none}</style>';

const configuration = (
  username: string,
  rules = '',
): string => `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://a.example, audiences: [app] }
  claimMappings:
    username: { expression: ${JSON.stringify(username)} }
    groups: { claim: groups, prefix: '' }
${rules}`;

const folder = mkdtempSync(join(tmpdir(), 'access-report-'));
const path = join(folder, 'report.html');
const requested: string[] = [];
let context: BrowserContext;

beforeAll(async () => {
  const rule = `claims.hd == '${hostile}' && claims.sub.indexOf('zz') != 9`;
  const files = {
    [`${hostile}.yaml`]: configuration("'a:' + claims.sub"),
    'new.yaml': configuration(
      `'b:' + claims.sub + (claims.?hd.orValue('') == '${hostile}' ? '${hostile}' : '')`,
      `  claimValidationRules: [{ expression: ${JSON.stringify(rule)} }]\n`,
    ),
    'jane.claims.json': JSON.stringify({ iss: 'https://a.example', sub: hostile, hd: hostile }),
  };
  const args = [
    'diff',
    `${hostile}.yaml`,
    'new.yaml',
    '--claims',
    'jane.claims.json',
    '-o',
    'html',
  ];
  const { code, stdout } = await runCaptured(args, { files });
  expect(code).toBe(1);
  writeFileSync(path, stdout);
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
  expect(await page.evaluate('document.title')).toBe('Access difference');
  expect(await page.evaluate('getComputedStyle(document.querySelector(".kind")).whiteSpace')).toBe(
    'nowrap',
  );
  expect(await page.evaluate('document.scripts.length + document.images.length')).toBe(0);
  expect(await page.evaluate('document.querySelectorAll("style").length')).toBe(1);
  const visible = String(await page.evaluate('document.body.innerText'));
  expect(visible).toContain(hostile);
  expect(visible).toContain('someone loses access');
  expect(requested).toEqual([pathToFileURL(path).href]);
  await page.close();
});
