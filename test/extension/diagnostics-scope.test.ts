/** The setting for diagnostics of closed configurations: what the client requests, and links. */
import { beforeEach, expect, test, vi } from 'vitest';
import { clientOptions } from '../../extension/src/client-options.ts';
import { createLensRefresh } from '../../extension/src/lens-refresh.ts';
import { editor, Uri } from './fake-vscode.ts';

vi.mock('vscode', () => import('./fake-vscode.ts'));

beforeEach(() => editor.reset());

const options = () => clientOptions({ files: () => 'server' }, createLensRefresh());

test.each([
  [undefined, 'openFiles'],
  ['openFiles', 'openFiles'],
  ['everything', 'openFiles'],
  ['workspace', undefined],
])('requests diagnostics of the workspace if the setting asks for them: %s', (set, expected) => {
  if (set !== undefined) editor.set('diagnostics.scope', set);
  const { initializationOptions } = options();
  expect(initializationOptions()).toMatchObject({ commands: 'client' });
  expect(initializationOptions().diagnosticsScope).toBe(expected);
});

test('links the codes of closed files to the packaged pages', async () => {
  const provide = options().middleware?.provideWorkspaceDiagnostics ?? vi.fn();
  const target = Uri.parse('pkg:npm/authgraph/docs/diagnostics/unknown-field.md');
  const items = [{ code: { value: 'AG1008', target } }];
  const chunk = { items: [{ kind: 'full', items }, { kind: 'unChanged' }] };
  const reported: unknown[] = [];
  await Reflect.apply(provide, undefined, [
    [],
    {},
    (sent: unknown) => reported.push(sent),
    async (_: unknown, __: unknown, report: (sent: unknown) => void) => {
      report(chunk);
      report(null);
    },
  ]);
  expect(reported).toEqual([chunk, null]);
  expect(items[0]?.code.target.toString()).toBe('authgraph-result:/rules/unknown-field.md');
});
