/** Impersonation on the whoami page: the authorization checks and the form. */
import type { AsFields, ShownRow } from '../messages/whoami.ts';
import { createDrafts } from './drafts.ts';
import { button, type Content, element } from './element.ts';

/** The drafts of the page's only form. */
const drafts = createDrafts<AsFields>();

/** Returns the note that impersonation is active. It remains when the current sample changes. */
export const actingNote = (
  { username }: AsFields,
  rows: readonly ShownRow[],
  stop: () => void,
): Content => {
  if (username.trim() === '') return undefined;
  const isDenied = isImpersonationDenied(rows);
  return element(
    'p',
    { class: isDenied ? 'acting-note failed' : 'acting-note' },
    isDenied && element('span', { class: 'sign', 'aria-hidden': 'true' }, '✗ '),
    `${actingText(isDenied)} ${username} `,
    button(
      {
        key: 'as.stop',
        click: () => {
          drafts.forget();
          stop();
        },
        title: 'Stop',
        'aria-label': `Stop impersonating ${username}`,
      },
      '✕',
    ),
  );
};

/** Returns the announcement for screen readers; empty without impersonation. */
export const spokenActing = (
  { username }: AsFields,
  rows: readonly ShownRow[],
): readonly string[] =>
  username.trim() === '' ? [] : [`${actingText(isImpersonationDenied(rows))} ${username}`];

const isImpersonationDenied = (rows: readonly ShownRow[]): boolean =>
  rows.some(({ acting }) => acting?.allowed === false);

const actingText = (isDenied: boolean): string =>
  isDenied ? 'Not allowed to impersonate' : 'Impersonating';

export const acting = ({
  allowed,
  user,
  message,
  questions,
}: NonNullable<ShownRow['acting']>): Content =>
  element(
    'div',
    { class: allowed ? 'acting' : 'acting refusal' },
    element(
      'h3',
      { class: allowed ? 'passed' : 'failed' },
      element('span', { class: 'sign', 'aria-hidden': 'true' }, allowed ? '✓ ' : '✗ '),
      allowed ? `Impersonates ${user?.username ?? ''}` : 'Not allowed to impersonate this user',
    ),
    user !== undefined && element('p', {}, `Groups: ${user.groups.join(', ') || 'none'}`),
    message !== undefined && element('p', {}, message),
    element(
      'ul',
      {},
      questions.map((question) =>
        element(
          'li',
          { class: question.allowed ? 'passed' : 'failed' },
          `${question.allowed ? '✓' : '✗'} ${question.text}`,
          question.reason !== '' && element('span', { class: 'detail' }, ` ${question.reason}`),
        ),
      ),
    ),
  );

/** Returns the form. `change` receives all fields after the user changed one and left it. */
export const impersonation = (as: AsFields, change: (as: AsFields) => void): Content => {
  const fields = drafts.applyTo(as);
  const send = (): void => {
    const changed = drafts.takeUnsent(as);
    if (changed !== undefined) change(changed);
  };
  const field = (name: keyof AsFields, label: string, hint: string): Content => {
    const input = element('input', { key: `as.${name}`, id: `as-${name}` });
    input.value = fields[name];
    input.placeholder = hint;
    input.spellcheck = false;
    input.addEventListener('input', () => drafts.type(name, input.value));
    input.addEventListener('change', send);
    // A field that was redrawn during editing fires no change event.
    input.addEventListener('blur', send);
    const caption = element('label', {}, label);
    caption.htmlFor = `as-${name}`;
    return [caption, input];
  };
  const details = element(
    'details',
    { key: 'as', class: 'as' },
    element('summary', { key: 'as.summary' }, 'Impersonate'),
    element(
      'div',
      { class: 'fields' },
      field('username', 'User', 'system:serviceaccount:ci:deployer'),
      field('groups', 'Groups', 'developers, operators'),
      field('uid', 'UID', ''),
      field('extra', 'Extra', 'example.com/tenant=acme'),
    ),
  );
  if (as.username !== '') details.open = true;
  return details;
};
