/** The page of `authgraph report` in Chromium, with hostile names and claims in every part. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from '../e2e/browser.ts';
import { runCaptured } from '../support/captured-io.ts';
import {
  accessibilityProblems,
  type FileInBrowser,
  fileInBrowser,
} from '../support/file-in-browser.ts';

const hostile =
  '"><script>document.title = 1</script><img src=https://x.example/ onerror=alert(1)><style>body{display:none}</style>';

const configuration = (prefix: string): string => `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://a.example, audiences: [${JSON.stringify(hostile)}] }
  claimMappings:
    username: { claim: sub, prefix: ${JSON.stringify(prefix)} }
    groups: { claim: groups, prefix: '' }
  claimValidationRules:
  - expression: claims.hd != 'z'
    message: ${JSON.stringify(hostile)}
`;
const claims = { iss: 'https://a.example', aud: hostile, sub: hostile, hd: 'x', groups: [hostile] };
const suite = {
  configuration: 'auth.yaml',
  base: { claims },
  tests: [
    { name: hostile, expect: { user: hostile } },
    { name: 'rejected', claims: { hd: 'z' }, expect: { rejected: true } },
  ],
};

let file: FileInBrowser;

beforeAll(async () => {
  const sample = `c/${hostile.replaceAll('/', '|')}.claims.json`;
  const { code, stdout } = await runCaptured(
    ['report', 'c/auth.yaml', '--base', 'c/old.yaml', '--claims', sample, '--mutate'],
    {
      files: {
        'c/auth.authtest.yaml': JSON.stringify(suite),
        'c/auth.yaml': configuration(hostile),
        'c/old.yaml': configuration('old:'),
        [sample]: JSON.stringify(claims),
      },
    },
  );
  expect(code).toBe(1);
  file = await fileInBrowser(stdout);
}, 400_000);

afterAll(() => file?.close());

const withPage = async (work: (page: Page) => Promise<void>): Promise<void> => {
  const page = await file.open();
  await work(page);
  await page.close();
};

test('INV-F3 the styles apply, and nothing else is loaded or run', () =>
  withPage(async (page) => {
    expect(await page.evaluate('document.title')).toBe('Authentication report: c/auth.yaml');
    expect(await page.evaluate('document.scripts.length + document.images.length')).toBe(0);
    expect(await page.evaluate('document.querySelectorAll("style").length')).toBe(2);
    expect(
      await page.evaluate('getComputedStyle(document.querySelector(".finding")).borderLeftWidth'),
    ).toBe('4px');
    const visible = String(await page.evaluate('document.body.innerText'));
    for (const part of ['Findings', 'Access difference', 'Identities', 'Tests', 'Coverage'])
      expect(visible).toContain(part);
    expect(visible).toContain(hostile);
    expect(file.requested()).toEqual([file.url]);
  }));

describe.each([
  ['light', 1200],
  ['dark', 1200],
  ['light', 600],
  ['dark', 320],
] as const)('%s, %i pixels', (colorScheme, width) => {
  test('axe-core finds nothing, and only regions scroll sideways', () =>
    withPage(async (page) => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }));
});

test('the keyboard reaches every link, every closed part and every region', () =>
  withPage(async (page) => {
    const count = Number(
      await page.evaluate('document.querySelectorAll("a, summary, [tabindex]").length'),
    );
    const reached = new Set<unknown>();
    for (let press = 0; press < count; press += 1) {
      await page.keyboard.press('Tab');
      reached.add(
        await page.evaluate(
          '[...document.querySelectorAll("a, summary, [tabindex]")].indexOf(document.activeElement)',
        ),
      );
    }
    expect(reached.size).toBe(count);
    expect(reached.has(-1)).toBe(false);
  }));

test('the accessibility tree is as recorded', async () => {
  await expect(await file.tree()).toMatchFileSnapshot('../e2e/accessibility-trees/report-page.txt');
});
