/** The name that a list selects, as kube-apiserver parses it. */
import { expect, test } from 'vitest';
import { requestInfo } from '../../../engine/src/server/http/request-info.ts';
import { parseTarget } from '../../../engine/src/server/http/target.ts';

const nameAsked = (query: string): string | undefined => {
  const target = parseTarget(`/api/v1/namespaces/team/secrets?${query}`);
  if (target === undefined) throw new Error('unreachable: a target that can be read');
  const info = requestInfo('GET', target);
  return info.kind === 'resource' ? info.attributes.name : undefined;
};

test.each([
  ['fieldSelector=metadata.name%3Dfa', 'fa'],
  ['fieldSelector=metadata.name%3Dfa&labelSelector=a%3Db', 'fa'],
  ['fieldSelector=metadata.name%3Dfa&limit=5', 'fa'],
  ['fieldSelector=metadata.name%21%3Dfa', undefined],
  // If one option is invalid, none applies.
  ['fieldSelector=metadata.name%3Dfa&limit=x', undefined],
  ['fieldSelector=metadata.name%3Dfa&labelSelector=a%3Cx', undefined],
  ['fieldSelector=metadata.name%3Dfa&labelSelector=%2C', undefined],
])('%s', (query, name) => {
  expect(nameAsked(query)).toBe(name);
});
