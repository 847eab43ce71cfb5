/** The coverage page in Chromium: accessible, without requests, and with nothing that runs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { coverageHtml } from '../../engine/src/cli/coverage/coverage-html.ts';
import { coverageInFile } from '../../engine/src/cli/coverage/file-coverage.ts';
import { measureCoverage } from '../../engine/src/simulate/coverage/measure-coverage.ts';
import { compileText } from '../support/compile-text.ts';
import {
  accessibilityProblems,
  type FileInBrowser,
  fileInBrowser,
} from '../support/file-in-browser.ts';

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

let file: FileInBrowser;

beforeAll(async () => {
  const compilation = compileText(text);
  const claims = { claims: { iss: 'https://a.example', sub: 'a', hd: 'x' }, unreadable: new Map() };
  const coverage = measureCoverage(compilation, [{ claims, now: 0, isToken: false }]);
  const covered = coverageInFile(
    { ...compilation.document.source, uri: hostile },
    coverage,
    (own) => own,
  );
  file = await fileInBrowser(coverageHtml([covered, covered]));
}, 400_000);

afterAll(() => file?.close());

test('axe-core finds nothing', async () => {
  const page = await file.open();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.close();
});

test('INV-F3 the style sheet applies, and nothing else is loaded or run', async () => {
  const page = await file.open();
  expect(await page.evaluate('document.title')).toBe('Coverage');
  expect(await page.evaluate('getComputedStyle(document.querySelector(".scroll")).overflowX')).toBe(
    'auto',
  );
  expect(await page.evaluate('document.scripts.length + document.images.length')).toBe(0);
  expect(file.requested()).toEqual([file.url]);
  await page.close();
});

test('missing outcomes are marked in their line', async () => {
  const page = await file.open();
  const marks = await page.locator('#file-0-10 mark').allInnerTexts();
  expect(marks).toEqual([`claims.hd == "x"`, `claims.hd == '${hostile}'`]);
  expect((await page.locator('#file-0-10 li').allInnerTexts()).join('\n')).toContain(
    'no case makes the condition false: claims.hd == "x"',
  );
  await page.close();
});

test('the accessibility tree is as recorded', async () => {
  await expect(await file.tree()).toMatchFileSnapshot(
    '../e2e/accessibility-trees/coverage-page.txt',
  );
});
