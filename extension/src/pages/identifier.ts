/** Long identifiers, such as usernames, which wrap between their parts. */
import { type Content, element } from './element.ts';
import { partsOf } from './identifier-parts.ts';

/**
 * Returns an identifier that wraps after its separators, such as those of a URL, and inside a part
 * only if the part does not fit on a line of its own: a UUID is not broken at its hyphens.
 */
export const identifier = (text: string): Content => {
  const parts = partsOf(text);
  return parts.length < 2 ? text : parts.map((part) => element('span', { class: 'unit' }, part));
};
