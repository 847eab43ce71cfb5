/**
 * No error is swallowed without a trace: a `catch` returns a named outcome, counts or logs what it
 * caught, or rethrows. A block that holds a comment alone, and `.catch(() => {})`, do none of that.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folders = ['engine/src', 'language-server/src', 'extension/src'];

/** Reasons, by file, why nothing else can be done there. */
const exceptions: ReadonlyMap<string, string> = new Map([
  [
    'engine/src/node/store/etcd-watch.ts',
    'a progress request that fails leaves authgraph_store_view_age_seconds growing, which counts it',
  ],
  ['engine/src/node/store/etcd-member.ts', 'the same promise is awaited in the race below it'],
]);

const comments = String.raw`(?:\s|//[^\n]*\n|/\*(?:(?!\*/)[\s\S])*\*/)*`;
const emptyCatch = new RegExp(
  String.raw`\bcatch(?:\s*\([^)]*\))?\s*\{${comments}\}|\.catch\(\s*(?:async\s*)?\([^)]*\)\s*=>\s*\{${comments}\}`,
);

test('the pattern finds them', () => {
  for (const text of [
    'try { f(); } catch {}',
    'try { f(); } catch (cause) {\n  // Nothing waits.\n}',
    'try { f(); } catch {\n /* a */ // b\n }',
    'promise.catch(() => {})',
    'promise.catch((error) => {\n  // fine\n})',
  ])
    expect(text).toMatch(emptyCatch);
  for (const text of [
    'try { f(); } catch {\n  return undefined;\n}',
    'try { f(); } catch (cause) {\n  // Why.\n  throw cause;\n}',
    'promise.catch(() => undefined)',
    'promise.catch(() => { count(); })',
  ])
    expect(text).not.toMatch(emptyCatch);
});

test('no catch is empty', () => {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  );
  expect(files.length).toBeGreaterThan(500);
  const found = files.filter((file) => emptyCatch.test(readFileSync(join(root, file), 'utf8')));
  expect(found.filter((file) => !exceptions.has(file))).toEqual([]);
});
