// Compares the language server with yaml-language-server 2.0.0 and the schema of the format: the
// same file, the same keys, the same client. Ours checks all CEL as well. A ratio holds inside one
// round; what is printed is the median of the rounds' ratios. Exit 1 where a bar is missed.
//
//   bench/setup.sh lsp && npm run bench:lsp -- [--rounds 3] [--out result.jsonl]
//     [--ours 'node language-server/dist/main.js --stdio']
import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { session } from './lsp/session.mjs';
import { configuration } from './lsp/workload.mjs';

const root = join(import.meta.dirname, '..');
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    out: { type: 'string' },
    ours: {
      type: 'string',
      // As the extension and `authgraph lsp` start it.
      default: `env MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072 MALLOC_MMAP_THRESHOLD_=65536 ${process.execPath} ${join(root, 'language-server/dist/main.js')} --stdio`,
    },
  },
});
const cache = process.env.BENCH_CACHE ?? join(homedir(), '.cache/authgraph-bench');
const peer = join(
  cache,
  'yaml-language-server/node_modules/yaml-language-server/bin/yaml-language-server',
);
if (!existsSync(peer)) {
  console.error(`The peer is missing: run bench/setup.sh lsp first. Looked at ${peer}`);
  process.exit(2);
}

/** Factors by which ours must be faster. */
const bars = [
  { measure: 'keystrokeP50', what: 'keystroke to diagnostics, p50', unit: 'ms', atLeast: 8 },
  { measure: 'keystrokeP95', what: 'keystroke to diagnostics, p95', unit: 'ms', atLeast: 4 },
  { measure: 'firstDiagnosticsMs', what: 'open to first diagnostics', unit: 'ms', atLeast: 1 },
  { measure: 'completionP95', what: 'completion, p95', unit: 'ms', atLeast: 1 },
  { measure: 'hoverP95', what: 'hover, p95', unit: 'ms', atLeast: 1 },
  { measure: 'memoryAfterOpen', what: 'memory after open', unit: 'MiB', atLeast: 2 },
  { measure: 'memoryAtEnd', what: 'memory after 200 edits', unit: 'MiB', atLeast: 2 },
  { measure: 'initializeMs', what: 'start to initialized', unit: 'ms', atLeast: undefined },
  { measure: 'startToDiagnosticsMs', what: 'start to diagnostics', unit: 'ms', atLeast: undefined },
];

const folder = mkdtempSync(join(tmpdir(), 'authgraph-bench-'));
const file = join(folder, 'authentication.yaml');
const text = configuration();
writeFileSync(file, text);
const schema = pathToFileURL(join(root, 'docs/schema/authenticationconfiguration.json')).href;
const yamlSettings = {
  validate: true,
  hover: true,
  completion: true,
  schemaStore: { enable: false },
  schemas: { [schema]: ['*.yaml'] },
};
const rivals = [
  { name: 'authgraph', command: options.ours.split(' '), settings: {} },
  {
    name: 'yaml-language-server',
    command: [process.execPath, peer, '--stdio'],
    settings: { yaml: yamlSettings, http: {}, '[yaml]': {}, editor: {}, files: {} },
  },
];

const rounds = [];
for (let round = 1; round <= Number(options.rounds); round += 1) {
  process.stderr.write(`round ${round} of ${options.rounds}\n`);
  const figures = [];
  for (const { name, command, settings } of rivals) {
    const found = await session({ command, folder, file, text, settings });
    figures.push(found);
    if (options.out !== undefined)
      appendFileSync(options.out, `${JSON.stringify({ round, server: name, ...found })}\n`);
  }
  rounds.push(figures);
}
rmSync(folder, { recursive: true });

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
let missed = 0;
console.log('measure                          ours      peer   ratio   bar');
for (const { measure, what, unit, atLeast } of bars) {
  const ratio = median(rounds.map(([ours, theirs]) => theirs[measure] / ours[measure]));
  const of = (index) => median(rounds.map((figures) => figures[index][measure]));
  const isMissed = atLeast !== undefined && ratio < atLeast;
  if (isMissed) missed += 1;
  console.log(
    [
      what.padEnd(30),
      `${of(0).toFixed(1)}`.padStart(7),
      `${of(1).toFixed(1)} ${unit}`.padStart(11),
      `${ratio.toFixed(1)}×`.padStart(6),
      atLeast === undefined ? '' : `  ${atLeast}×${isMissed ? ' MISSED' : ''}`,
    ].join(' '),
  );
}
process.exitCode = missed === 0 ? 0 : 1;
