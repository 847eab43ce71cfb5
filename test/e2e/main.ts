/**
 * `npm run test:e2e`: runs lists of steps in a real VS Code with the packed extension, on the
 * desktop extension host and on the web one. Options: `--help`, `--host desktop|web`, `--list
 * <name>` (repeatable), `--times <n>`, `--repeat-failed`, `--record-trees`, `--vsix <file>`, and
 * `--compare <file>`, another extension whose activation is measured as well. Pictures and
 * `report.json` are written to `.cache/e2e/<host>`.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Host } from './code-server.ts';
import { lists } from './lists/registry.ts';
import { playHost } from './play-host.ts';
import { installTools } from './tools.ts';

const { values } = parseArgs({
  options: {
    host: { type: 'string', multiple: true, default: ['desktop', 'web'] },
    list: { type: 'string', multiple: true, default: [] },
    compare: { type: 'string', default: '' },
    vsix: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
    times: { type: 'string', default: '1' },
    'repeat-failed': { type: 'boolean', default: false },
    'record-trees': { type: 'boolean', default: false },
  },
});

if (values.help) {
  console.log(`npm run test:e2e -- [--host desktop|web] [--list <name>]… [--times <n>] [--repeat-failed] [--record-trees] [--vsix <file>] [--compare <file>]
lists: ${lists.map(({ name, isExtra }) => (isExtra ? `${name} (only by name)` : name)).join(', ')}`);
  process.exit();
}

const root = join(import.meta.dirname, '../..');
const packed = (): string => {
  const folder = join(root, 'extension');
  const found = readdirSync(folder).find((name) => /^authgraph-[\d.]+\.vsix$/.test(name));
  if (found === undefined) throw new Error('the extension is not packed yet: run npm run package');
  return join(folder, found);
};
const packages = [
  values.vsix === '' ? packed() : values.vsix,
  ...(values.compare === '' ? [] : [values.compare]),
];
const hosts = values.host.filter((name): name is Host => name === 'desktop' || name === 'web');
const wanted = lists.filter(({ name, isExtra }) =>
  values.list.length === 0 ? isExtra === undefined : values.list.includes(name),
);
if (hosts.length === 0 || wanted.length === 0) throw new Error('no such host or list');

const tools = installTools();
let failed = 0;
for (let run = 1; run <= Number(values.times); run += 1) {
  for (const host of hosts) {
    const folder = join(root, '.cache/e2e', host);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const started = performance.now();
    const { steps, notes } = await playHost({
      tools,
      host,
      packages,
      pictures: folder,
      lists: wanted,
      repeatsFailed: values['repeat-failed'],
      recordsTrees: values['record-trees'],
    });
    const seconds = Math.round((performance.now() - started) / 1000);
    const bad = steps.filter(({ failure }) => failure !== undefined).length;
    failed += bad;
    writeFileSync(
      join(folder, 'report.json'),
      `${JSON.stringify({ host, seconds, passed: steps.length - bad, failed: bad, notes, steps }, undefined, 2)}\n`,
    );
    console.log(`${host}, run ${run}: ${steps.length - bad} passed, ${bad} failed in ${seconds} s`);
  }
}
process.exitCode = failed === 0 ? 0 : 1;
