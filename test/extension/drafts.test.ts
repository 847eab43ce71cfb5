/** Fields of a form that is drawn anew while one types. */
import { expect, test } from 'vitest';
import { noOneElse } from '../../extension/src/messages/whoami.ts';
import { createDrafts } from '../../extension/src/pages/drafts.ts';

const joe = { ...noOneElse, username: 'joe' };

test('what is typed while the answer is under way stays, and is sent once', () => {
  const drafts = createDrafts<typeof noOneElse>();
  drafts.type('username', 'joe');
  expect(drafts.take(noOneElse)).toEqual(joe);
  drafts.type('groups', 'de');
  // The answer to the first question comes.
  expect(drafts.over(joe)).toEqual({ ...joe, groups: 'de' });
  drafts.type('groups', 'dev');
  expect(drafts.take(joe)).toEqual({ ...joe, groups: 'dev' });
  expect(drafts.take(joe)).toBeUndefined();
  expect(drafts.over(joe)).toEqual({ ...joe, groups: 'dev' });
});

test('an answer that has it ends it: a later one may say otherwise', () => {
  const drafts = createDrafts<typeof noOneElse>();
  drafts.type('username', 'joe');
  expect(drafts.over(joe)).toEqual(joe);
  expect(drafts.over(noOneElse)).toEqual(noOneElse);
});

test('a field that nobody typed into sends nothing', () => {
  expect(createDrafts<typeof noOneElse>().take(joe)).toBeUndefined();
});

test('forgetting is for all fields', () => {
  const drafts = createDrafts<typeof noOneElse>();
  drafts.type('groups', 'dev');
  drafts.forget();
  expect(drafts.over(noOneElse)).toEqual(noOneElse);
  expect(drafts.take(noOneElse)).toBeUndefined();
});
