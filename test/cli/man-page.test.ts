/** Manual pages: one per command, listed in package.json, and readable by `man`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandManPage, manPageName, programManPage } from '../../.ci/man-pages.ts';
import { commands } from '../../engine/src/cli/run.ts';

test('package.json lists the page of each command, which npm installs', () => {
  const manifest = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../engine/package.json'), 'utf8'),
  );
  const names = ['', ...commands.map(({ name }) => name)].map(manPageName);
  expect(manifest.man).toEqual(names.map((name) => `dist/man/${name}.1`));
});

/** Lines that start a request, and text; both in ASCII. */
const line = /^(?:\.(?:TH|SH|SS|TP|PP|B|BR|RS|RE|nf|fi)(?: [ -~]+)?|\\&[ -~]*|[a-z][ -~]*)$/;

describe.each(commands)('$name', ({ name, summary, load }) => {
  test('has the flags of its help, and only requests that man knows', async () => {
    const command = await load();
    const page = commandManPage(command, summary);
    expect(page).toMatch(/^\.TH AUTHGRAPH\\-[A-Z\\-]+ 1 "" "authgraph [\d.]+" "AuthGraph"\n/);
    for (const flag of command.flags)
      expect(page).toContain(`\\-\\-${flag.name.replaceAll('-', '\\-')}`);
    for (const text of page.trimEnd().split('\n')) expect(text).toMatch(line);
    expect(programManPage(commands)).toContain(
      `.BR ${manPageName(name).replaceAll('-', '\\-')} (1)\n`,
    );
  });
});

test('escapes what would be a request or a quote', () => {
  const page = commandManPage(
    {
      name: 'x',
      usage: "'a' \\n",
      about: '.SH not a heading — “quoted”',
      flags: [],
      examples: [{ line: "'.so /etc/passwd", does: '.sy rm' }],
    },
    'y',
  );
  expect(page).toContain('\n\\&\\(aqa\\(aq \\en\n');
  expect(page).toContain('\n\\&.SH not a heading \\[u2014] \\[u201C]quoted\\[u201D]\n');
  expect(page).toContain('\n\\&\\(aq.so /etc/passwd\n');
  expect(page).toContain('\n\\&.sy rm:\n');
});
