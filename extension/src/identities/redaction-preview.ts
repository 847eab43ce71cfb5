/** Shows what would be replaced before a sample is saved; the user keeps what must stay. */
import { pickMany } from '../quick-pick.ts';
import { proposedReplacements, type Replacement } from './redaction.ts';

/** `undefined`: the user went away. */
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
    title: 'Save as Sample: What Is Replaced',
    placeHolder: 'Uncheck what the configuration depends on',
    ignoreFocusOut: true,
  });
  return picked?.map(({ replacement }) => replacement);
};

const reasons = {
  address: 'an e-mail address',
  domain: 'the domain of an address',
  token: 'looks like a token',
} as const;

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);
