/** Shows proposed replacements before a sample is saved; the user deselects those to keep. */
import { pickMany } from '../quick-pick.ts';
import { proposedReplacements, type Replacement } from './redaction.ts';

/** Returns `undefined` if the user dismissed the list. */
export const chooseReplacements = async (
  claims: string,
): Promise<readonly Replacement[] | undefined> => {
  const proposals = proposedReplacements(claims);
  if (proposals.length === 0) return [];
  const items = proposals.map((replacement) => ({
    label: `${shortened(replacement.before)} → ${replacement.after}`,
    description: reasons[replacement.kind],
    picked: true,
    replacement,
  }));
  const picked = await pickMany(items, {
    title: 'Save as Sample: Replacements',
    placeHolder: 'Clear the replacements of values that the configuration depends on',
    ignoreFocusOut: true,
  });
  return picked?.map(({ replacement }) => replacement);
};

const reasons = {
  address: 'email address',
  domain: 'email domain',
  token: 'looks like a token',
} as const;

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);
