/** The access difference as HTML in Chromium: accessible, without requests, and with nothing that runs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCaptured } from '../support/captured-io.ts';
import {
  accessibilityProblems,
  type FileInBrowser,
  fileInBrowser,
} from '../support/file-in-browser.ts';

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

let file: FileInBrowser;

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
  file = await fileInBrowser(stdout);
}, 400_000);

afterAll(() => file?.close());

test('axe-core finds nothing', async () => {
  const page = await file.open();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.close();
});

test('INV-F3 the style sheet applies, and nothing else is loaded or run', async () => {
  const page = await file.open();
  expect(await page.evaluate('document.title')).toBe('Access difference');
  expect(await page.evaluate('getComputedStyle(document.querySelector(".kind")).whiteSpace')).toBe(
    'nowrap',
  );
  expect(await page.evaluate('document.scripts.length + document.images.length')).toBe(0);
  expect(await page.evaluate('document.querySelectorAll("style").length')).toBe(1);
  const visible = String(await page.evaluate('document.body.innerText'));
  expect(visible).toContain(hostile);
  expect(visible).toContain('someone loses access');
  expect(file.requested()).toEqual([file.url]);
  await page.close();
});

test('the accessibility tree is as recorded', async () => {
  await expect(await file.tree()).toMatchFileSnapshot(
    '../e2e/accessibility-trees/access-difference-page.txt',
  );
});
