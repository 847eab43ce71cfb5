/**
 * The memory that a hostile list costs compared with a valid file, measured in separate processes.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n';
const entry = `${head}jwt:\n- issuer:\n    url: https://a.example\n    audiences: `;
const mappings = '\n  claimMappings:\n    username: {claim: sub, prefix: ""}\n';
const good = `${entry}[a]${mappings}`;
const many = 90_000;

const compiler = join(import.meta.dirname, '../../engine/src/doors/index.ts');
const renderer = join(import.meta.dirname, '../../engine/src/diagnostics/render.ts');

/** Compiles and prints its input, and reports its maximum memory. */
const program = `
import { readFileSync } from 'node:fs';
import { compile, newestRelease, settingsFor, sourceFile } from ${JSON.stringify(compiler)};
import { renderText } from ${JSON.stringify(renderer)};
const source = sourceFile('authentication.yaml', readFileSync(0, 'utf8'));
const { diagnostics, graph } = compile({ source, settings: settingsFor(newestRelease), limits: 'warn' });
const text = renderText([{ source, diagnostics }], { color: false, width: 80 });
console.log(JSON.stringify([text.length + (graph?.nodes.length ?? 0), process.resourceUsage().maxRSS / 1024]));
`;

const measure = (text: string): { readonly length: number; readonly megabytes: number } => {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { input: text, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  const [length = 0, megabytes = 0] = JSON.parse(stdout);
  return { length, megabytes };
};

const bar = 150;

let baseline: ReturnType<typeof measure> | undefined;

test.each([
  ['authenticators', `${head}jwt: [${'{},'.repeat(many)}]\n`],
  ['audiences', `${entry}[${'a,'.repeat(many)}]${mappings}`],
  ['numbers for audiences', `${entry}[${'1,'.repeat(many)}]${mappings}`],
  ['rules', `${entry}[a]\n  claimValidationRules: [${'{},'.repeat(many)}]\n`],
  ['unknown items', `${head}x: [${'a,'.repeat(many)}]\n`],
])(
  '90000 %s use less than 150 MiB more than a valid file',
  (_, text) => {
    baseline ??= measure(good);
    // The best of three runs, because garbage collection is not predictable.
    let best = Number.POSITIVE_INFINITY;
    for (let time = 0; time < 3 && best >= bar; time += 1) {
      const { length, megabytes } = measure(text);
      expect(length).toBeGreaterThan(baseline.length);
      best = Math.min(best, megabytes - baseline.megabytes);
    }
    expect(best).toBeLessThan(bar);
  },
  120_000,
);
