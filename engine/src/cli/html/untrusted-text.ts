/**
 * Escapes everything that a page shows of files, claims and names. All pages use these functions and no others, so that
 * no untrusted string becomes markup, and no secret is shown.
 */
import { xmlText } from '../../compile/svg-text.ts';
import type { UserInfo } from '../../model/user-info.ts';
import { redactSecrets } from '../../source/redact-secrets.ts';

/** Escapes text for element content and for quoted attributes, makes it visible and redacts secrets. */
export const text = (untrusted: string): string => xmlText(redactSecrets(untrusted));

export const code = (untrusted: string): string => `<code>${text(untrusted)}</code>`;

/** Text with its line breaks. */
export const block = (untrusted: string): string => `<pre>${text(untrusted)}</pre>`;

/** A list of texts; empty without any. */
export const list = (items: readonly string[], item: (untrusted: string) => string): string =>
  items.length === 0 ? '' : `<ul>${items.map((one) => `<li>${item(one)}</li>`).join('')}</ul>`;

/** The parts of a user, one per line; `null` is a rejected request. */
export const userHtml = (user: UserInfo | null): string => {
  if (user === null) return 'rejected';
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['Username', [user.username]],
    ...(user.uid === '' ? [] : [['UID', [user.uid]] as const]),
    ['Groups', user.groups],
    ...[...user.extra].map(([key, values]) => [`Extra ${key}`, values] as const),
  ];
  return rows
    .map(([name, values]) => `${text(name)}: ${values.map(code).join(', ') || '(none)'}`)
    .join('<br>');
};
