/** Drafts in a form that is redrawn while the user types. */
import { expect, test } from 'vitest';
import { emptyAsFields } from '../../extension/src/messages/whoami.ts';
import { createDrafts } from '../../extension/src/pages/drafts.ts';

const joe = { ...emptyAsFields, username: 'joe' };

test('keeps what is typed while a request is in progress, and sends it once', () => {
  const drafts = createDrafts<typeof emptyAsFields>();
  drafts.type('username', 'joe');
  expect(drafts.takeUnsent(emptyAsFields)).toEqual(joe);
  drafts.type('groups', 'de');
  // The answer to the first request arrives.
  expect(drafts.applyTo(joe)).toEqual({ ...joe, groups: 'de' });
  drafts.type('groups', 'dev');
  expect(drafts.takeUnsent(joe)).toEqual({ ...joe, groups: 'dev' });
  expect(drafts.takeUnsent(joe)).toBeUndefined();
  expect(drafts.applyTo(joe)).toEqual({ ...joe, groups: 'dev' });
});

test('drops a draft once an answer contains it', () => {
  const drafts = createDrafts<typeof emptyAsFields>();
  drafts.type('username', 'joe');
  expect(drafts.applyTo(joe)).toEqual(joe);
  expect(drafts.applyTo(emptyAsFields)).toEqual(emptyAsFields);
});

test('sends nothing for an unchanged field', () => {
  expect(createDrafts<typeof emptyAsFields>().takeUnsent(joe)).toBeUndefined();
});

test('forgets all fields', () => {
  const drafts = createDrafts<typeof emptyAsFields>();
  drafts.type('groups', 'dev');
  drafts.forget();
  expect(drafts.applyTo(emptyAsFields)).toEqual(emptyAsFields);
  expect(drafts.takeUnsent(emptyAsFields)).toBeUndefined();
});
