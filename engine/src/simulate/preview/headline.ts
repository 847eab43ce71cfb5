/**
 * Formats a decision as one line: `jane → oidc:jane · 3 groups`. Names and claims are untrusted
 * text.
 */

import { toPrintable } from '../../diagnostics/printable.ts';
import { counted } from '../../formats/counted.ts';
import type { Decision } from '../../model/decision.ts';
import { reasonWithoutPrefix } from '../whoami/brief-reason.ts';

/** What a headline shows in addition to the decision. */
export interface HeadlineNotes {
  /** The entry that has the error. */
  readonly entry?: string | undefined;
  /** What is true of an accepted sample in addition, such as `expired on …`. */
  readonly notes?: readonly string[];
}

/**
 * Returns the headline. If `decision` is `undefined`, an error in the configuration prevents one.
 */
export const headlineOf = (
  name: string,
  decision: Decision | undefined,
  { entry = 'the configuration', notes = [] }: HeadlineNotes = {},
): string => {
  const who = oneLine(name);
  if (decision === undefined) return `${who}: ${entry} has errors`;
  if (decision.kind === 'accepted') {
    const { username, groups } = decision.user;
    const user = `${oneLine(username)} · ${counted(groups.length, 'group')}`;
    return [`${who} → ${user}`, ...notes].join(' · ');
  }
  if (decision.kind === 'noOpinion') return `${who}: ${unmatchedIssuer}`;
  const { at, message } = decision.reason;
  const where = at === undefined ? '' : ` by ${at.replace(/^jwt\[\d+\]\./, '')}`;
  return `${who} rejected${where}: ${oneLine(reasonWithoutPrefix(message))}`;
};

/** Why a sample has no authenticator. */
export const unmatchedIssuer = 'no authenticator accepts its issuer';

/** Makes untrusted text fit into one line: control characters are escaped, and long text is cut. */
export const oneLine = (text: string, most = mostCharacters): string => {
  const shown = toPrintable(text.slice(0, most * 2).replaceAll(/\s+/g, ' '));
  const characters = [...shown];
  return characters.length <= most ? shown : `${characters.slice(0, most - 1).join('')}…`;
};

/**
 * Like `oneLine`, but cuts the middle: the end of a long name, its domain, is the most useful part.
 * An escape sequence is never split.
 */
export const bothEnds = (text: string, most: number): string => {
  const near =
    text.length <= most * 4 ? text : `${text.slice(0, most * 2)}${text.slice(-most * 2)}`;
  const shown = oneLine(near, near.length);
  if ([...shown].length <= most) return shown;
  const units = shown.match(/\\u[0-9a-f]{4}|\\.|./gsu) ?? [];
  const start = fitting(units, Math.ceil((most - 1) / 2));
  const end = fitting(units.slice(start).toReversed(), Math.floor((most - 1) / 2));
  return `${units.slice(0, start).join('')}…${units.slice(units.length - end).join('')}`;
};

/** Returns how many of the first units fit. */
const fitting = (units: readonly string[], most: number): number => {
  let length = 0;
  const over = units.findIndex((unit) => {
    length += [...unit].length;
    return length > most;
  });
  return over === -1 ? units.length : over;
};

/** About the length that fits next to a line in an editor. */
const mostCharacters = 120;
