/** Acting as somebody else: what was asked and allowed, and the form for it. */
import type { AsFields, ShownRow } from '../messages/whoami.ts';
import { createDrafts } from './drafts.ts';
import { button, type Content, element } from './element.ts';

/** Of the form; the page has one. */
const drafts = createDrafts<AsFields>();

/** That somebody is acted as, for as long as it is asked: it outlives a change of the sample. */
export const actingNote = (
  { username }: AsFields,
  rows: readonly ShownRow[],
  stop: () => void,
): Content => {
  if (username.trim() === '') return undefined;
  const isRefused = isActingRefused(rows);
  return element(
    'p',
    { class: isRefused ? 'acting-note failed' : 'acting-note' },
    isRefused && [element('span', { class: 'sign', 'aria-hidden': 'true' }, '✗'), ' '],
    `${actingText(isRefused)} ${username} `,
    button(
      {
        key: 'as.stop',
        click: () => {
          drafts.forget();
          stop();
        },
        title: 'Stop',
        'aria-label': `Stop acting as ${username}`,
      },
      '✕',
    ),
  );
};

/** For people who listen; nothing where nobody is acted as. */
export const spokenActing = (
  { username }: AsFields,
  rows: readonly ShownRow[],
): readonly string[] =>
  username.trim() === '' ? [] : [`${actingText(isActingRefused(rows))} ${username}`];

const isActingRefused = (rows: readonly ShownRow[]): boolean =>
  rows.some(({ acting }) => acting?.allowed === false);

const actingText = (isRefused: boolean): string => (isRefused ? 'May not act as' : 'Acting as');

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
      element('span', { class: 'sign', 'aria-hidden': 'true' }, allowed ? '✓' : '✗'),
      allowed ? ` Acts as ${user?.username ?? ''}` : ' May not act as this user',
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

/** `change` gets all fields when one of them was changed, and left. */
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
    // A field that was drawn anew under the caret knows of no change.
    input.addEventListener('blur', send);
    const caption = element('label', {}, label);
    caption.htmlFor = `as-${name}`;
    return [caption, input];
  };
  const details = element(
    'details',
    { key: 'as', class: 'as' },
    element('summary', { key: 'as.summary' }, 'Act as somebody else'),
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
