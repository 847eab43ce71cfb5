/** A file changes under a running server: what is in service, reported and counted. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { AuthenticatorGraph } from '../../../engine/src/compile/graph.ts';
import { defineFinding, diagnosticOf } from '../../../engine/src/diagnostics/rule.ts';
import { nodeDigest } from '../../../engine/src/node/digest.ts';
import { nodeMetrics } from '../../../engine/src/node/metrics.ts';
import {
  type LoadedConfiguration,
  type Reload,
  type ReloadEvent,
  startReload,
} from '../../../engine/src/server/configuration/reload.ts';
import type { Candidate } from '../../../engine/src/server/configuration/wait-for-health.ts';
import type { SourceFile } from '../../../engine/src/source/source-file.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder = '';
let reloads: Reload[] = [];

beforeEach(() => {
  folder = temporaryFolder(onTestFinished).path;
  reloads = [];
});
afterEach(async () => {
  await Promise.all(reloads.map((reload) => reload.close()));
});

const graphOf = (paths: readonly string[] | undefined): AuthenticatorGraph => ({
  apiDomain: 'platform.io',
  targetRelease: 37,
  nodes: [],
  anonymous: { module: 'anonymous', enabled: true, paths, fromFile: paths !== undefined },
});

const broken = defineFinding<Record<never, never>>({
  code: 'AG1001',
  name: 'broken',
  severity: 'error',
  source: 'server',
  summary: 'broken',
  message: () => 'broken',
});

/** The test server accepts the texts `good …`, `broken …`, `slow …` and `anonymous …`. */
const server = (text = 'good 1') => {
  const path = join(folder, 'config.yaml');
  writeFileSync(path, text);
  const events: ReloadEvent[] = [];
  const serving = { text, loads: 0, discarded: [] as string[], unready: ['issuer is down'] };
  const { clock, pass, waiting } = manualClock();
  const metrics = nodeMetrics({ serverIdHash: '' });
  const load = async (source: SourceFile): Promise<LoadedConfiguration> => {
    serving.loads += 1;
    if (source.text.startsWith('throw')) throw new Error('a fault of ours');
    const isBroken = source.text.startsWith('broken');
    const paths = source.text.startsWith('anonymous') ? ['/other'] : ['/livez'];
    return {
      graph: isBroken ? undefined : graphOf(paths),
      diagnostics: isBroken ? [diagnosticOf(broken, { start: 0, end: 6 }, {})] : [],
      origins: new Map([['anonymous', { start: 2, end: 5 }]]),
    };
  };
  let latest = '';
  const candidate = (): Candidate => {
    const text = latest;
    return {
      unready: () => (text.startsWith('slow') ? serving.unready : []),
      install: () => {
        serving.text = text;
      },
      prepare: () => {},
      discard: async () => {
        serving.discarded.push(text);
      },
    };
  };
  const reload = startReload({
    path,
    servingHash: nodeDigest().sha256Hex(text),
    serving: graphOf(['/livez']),
    load: (source) => {
      latest = source.text;
      return load(source);
    },
    link: candidate,
    report: (event) => events.push(event),
    clock,
    metrics,
    log: { event: () => {} },
    debounceMs: 3_600_000,
    pollMs: 3_600_000,
  });
  reloads.push(reload);
  const kinds = () => events.map(({ kind }) => kind);
  const write = (content: string) => writeFileSync(path, content);
  /** Starts a check and does not wait for its end. */
  const begin = async (content: string) => {
    write(content);
    const before = waiting();
    void reload.checkNow();
    while (waiting() === before && serving.text !== content) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const save = (content: string) => {
    write(content);
    return reload.checkNow();
  };
  const count = async (status: string): Promise<number> => {
    const line = (await metrics.text())
      .split('\n')
      .find((found) => found.includes(`automatic_reloads_total{status="${status}"`));
    return Number(line?.split(' ').at(-1) ?? 0);
  };
  return { path, reload, serving, events, kinds, save, begin, pass, count, metrics };
};

test('ignores unchanged content', async () => {
  const { reload, serving, kinds, save, count } = server();
  await reload.checkNow();
  await save('good 1');
  expect([serving.loads, kinds(), await count('success')]).toEqual([0, [], 0]);
});

test('puts a valid edit into service and counts it', async () => {
  const { serving, kinds, save, count, metrics } = server();
  await save('good 2');
  expect(serving.text).toBe('good 2');
  expect(kinds()).toEqual(['reloaded']);
  expect(await count('success')).toBe(1);
  const hash = nodeDigest().sha256Hex('good 2');
  const text = await metrics.text();
  expect(text.match(/last_config_info\{/g)?.length).toBe(1);
  expect(text).toContain(`hash="sha256:${hash}"} 1`);
  expect(text).toContain(
    'automatic_reload_last_timestamp_seconds{status="success",apiserver_id_hash=""} 1000',
  );
});

test('reports a broken edit once, with its location, and keeps the old graph', async () => {
  const { path, reload, serving, events, save, count } = server();
  await save('broken 1');
  await reload.checkNow();
  await reload.checkNow();
  expect(serving.text).toBe('good 1');
  expect(serving.loads).toBe(1);
  expect(events).toMatchObject([
    {
      kind: 'refused',
      source: { uri: path, text: 'broken 1' },
      diagnostics: [{ code: 'AG1001', span: { start: 0, end: 6 } }],
    },
  ]);
  expect(await count('failure')).toBe(1);
});

test('never loads bytes that are not UTF-8', async () => {
  const { path, reload, serving, events, kinds } = server();
  writeFileSync(path, Buffer.from('good é', 'latin1'));
  await reload.checkNow();
  expect([serving.text, serving.loads, kinds()]).toEqual(['good 1', 0, ['refused']]);
  expect(events).toMatchObject([
    { diagnostics: [{ code: 'AG1001', message: 'yaml: incomplete UTF-8 octet sequence' }] },
  ]);
});

test('reports the return to the content in service, and the same error again after it', async () => {
  const { kinds, save } = server();
  await save('broken 1');
  await save('good 1');
  await save('broken 1');
  await save('broken 2');
  await save('good 2');
  expect(kinds()).toEqual(['refused', 'restored', 'refused', 'refused', 'reloaded']);
});

test("rejects a changed anonymous section with kube-apiserver's message", async () => {
  const { serving, events, save } = server();
  await save('anonymous');
  expect(serving.text).toBe('good 1');
  expect(events).toMatchObject([
    {
      kind: 'refused',
      diagnostics: [
        {
          message: 'anonymous: Forbidden: changed from initial configuration file',
          span: { start: 2, end: 5 },
        },
      ],
    },
  ]);
});

test('reports a deleted file once, keeps the old graph, and reports its return', async () => {
  const { path, reload, serving, events, kinds, save } = server();
  rmSync(path);
  await reload.checkNow();
  await reload.checkNow();
  expect(events).toEqual([
    { kind: 'unreadable', reason: `open ${path}: no such file or directory` },
  ]);
  expect(serving.text).toBe('good 1');
  await save('good 1');
  expect(kinds()).toEqual(['unreadable', 'restored']);
});

test('does not read a file that is too large', async () => {
  const { serving, events, save } = server();
  await save('x'.repeat(3 * 1024 * 1024));
  expect(serving.loads).toBe(0);
  expect(events).toMatchObject([{ kind: 'unreadable' }]);
});

test('an internal error keeps the old graph, and the next edit works', async () => {
  const { serving, kinds, save, count } = server();
  await save('throw');
  expect([serving.text, await count('failure')]).toEqual(['good 1', 1]);
  await save('good 2');
  expect([serving.text, kinds()]).toEqual(['good 2', ['reloaded']]);
});

test('waits for issuers that become healthy in time, and keeps the old graph until then', async () => {
  const { serving, kinds, begin, pass } = server();
  await begin('slow 1');
  pass(1_000);
  expect([serving.text, kinds()]).toEqual(['good 1', []]);
  pass(20_000);
  expect([serving.text, kinds()]).toEqual(['good 1', ['waiting']]);
  serving.unready = [];
  pass(1_000);
  expect([serving.text, kinds()]).toEqual(['slow 1', ['waiting', 'reloaded']]);
  expect(serving.discarded).toEqual([]);
});

test('gives up on issuers that do not become healthy within a minute, and tries again at the next check', async () => {
  const { serving, events, kinds, begin, pass, count } = server();
  await begin('slow 1');
  pass(59_000);
  expect(kinds()).toEqual(['waiting']);
  pass(2_000);
  expect(events.at(-1)).toEqual({ kind: 'unhealthy', reasons: ['issuer is down'] });
  expect([serving.text, serving.discarded, await count('failure')]).toEqual([
    'good 1',
    ['slow 1'],
    1,
  ]);
  await begin('slow 1');
  serving.unready = [];
  pass(1_000);
  expect(serving.text).toBe('slow 1');
});

test('an edit during the wait replaces the pending one', async () => {
  const { serving, kinds, begin, pass, save } = server();
  await begin('slow 1');
  await save('good 2');
  expect([serving.text, serving.discarded, kinds()]).toEqual(['good 2', ['slow 1'], ['reloaded']]);
  pass(120_000);
  expect([serving.text, kinds()]).toEqual(['good 2', ['reloaded']]);
});

test('restoring the file during the wait cancels it', async () => {
  const { serving, kinds, begin, pass, save } = server();
  await begin('slow 1');
  await save('good 1');
  pass(120_000);
  expect([serving.text, serving.discarded, kinds()]).toEqual(['good 1', ['slow 1'], ['restored']]);
});

test('closing the server cancels the wait', async () => {
  const { reload, serving, begin, pass } = server();
  await begin('slow 1');
  await reload.close();
  pass(120_000);
  expect([serving.text, serving.discarded]).toEqual(['good 1', ['slow 1']]);
});
