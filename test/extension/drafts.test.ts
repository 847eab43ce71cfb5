/** Fields of a form that is drawn anew while one types. */
import { expect, test } from 'vitest';
import { emptyAsFields } from '../../extension/src/messages/whoami.ts';
import { createDrafts } from '../../extension/src/pages/drafts.ts';

const joe = { ...emptyAsFields, username: 'joe' };

test('what is typed while the answer is under way stays, and is sent once', () => {
  const drafts = createDrafts<typeof emptyAsFields>();
  drafts.type('username', 'joe');
  expect(drafts.takeUnsent(emptyAsFields)).toEqual(joe);
  drafts.type('groups', 'de');
  // The answer to the first question comes.
  expect(drafts.applyTo(joe)).toEqual({ ...joe, groups: 'de' });
  drafts.type('groups', 'dev');
  expect(drafts.takeUnsent(joe)).toEqual({ ...joe, groups: 'dev' });
  expect(drafts.takeUnsent(joe)).toBeUndefined();
  expect(drafts.applyTo(joe)).toEqual({ ...joe, groups: 'dev' });
});

test('an answer that has it ends it: a later one may say otherwise', () => {
  const drafts = createDrafts<typeof emptyAsFields>();
  drafts.type('username', 'joe');
  expect(drafts.applyTo(joe)).toEqual(joe);
  expect(drafts.applyTo(emptyAsFields)).toEqual(emptyAsFields);
});

test('a field that nobody typed into sends nothing', () => {
  expect(createDrafts<typeof emptyAsFields>().takeUnsent(joe)).toBeUndefined();
});

test('forgetting is for all fields', () => {
  const drafts = createDrafts<typeof emptyAsFields>();
  drafts.type('groups', 'dev');
  drafts.forget();
  expect(drafts.applyTo(emptyAsFields)).toEqual(emptyAsFields);
  expect(drafts.takeUnsent(emptyAsFields)).toBeUndefined();
});
