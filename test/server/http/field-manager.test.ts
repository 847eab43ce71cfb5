/** The field manager of written fields. */
import { expect, test } from 'vitest';
import { headerList } from '../../../engine/src/model/header-list.ts';
import { fieldManager } from '../../../engine/src/server/http/field-manager.ts';

const latin1 = (text: string): string => Buffer.from(text).toString('latin1');

test.each([
  ['asked', 'kubectl/v1.36', 'asked'],
  ['', 'kubectl/v1.36.3 (linux/amd64)', 'kubectl'],
  ['', 'my tool 2', 'my tool 2'],
  ['', latin1('w\u00e4chter/1'), 'w\u00e4chter'],
  ['', 'a\u0007b\u007fc/1', 'abc'],
  ['', 'x'.repeat(200), 'x'.repeat(128)],
  ['', latin1(`${'x'.repeat(127)}\u00e4y`), 'x'.repeat(127)],
  ['', '/v1', 'unknown'],
  ['', '', 'unknown'],
])('%j %j', (asked, agent, name) => {
  expect(fieldManager(asked, headerList(agent === '' ? [] : ['User-Agent', agent]))).toBe(name);
});
