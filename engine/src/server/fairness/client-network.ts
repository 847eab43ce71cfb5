/** The network of a client: the range of addresses that a single client can choose from. */

/** Returns an IPv4 address unchanged and the first 64 bits of an IPv6 address. */
export const clientNetwork = (address: string): string => {
  const plain = address.split('%', 1)[0] ?? '';
  if (!plain.includes(':')) return plain;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  return mapped ?? prefixOf(plain);
};

const prefixGroups = 4;
const allGroups = 8;

/** The first four groups of an IPv6 address. */
const prefixOf = (address: string): string => {
  const [front = '', back] = address.toLowerCase().split('::');
  const leading = groupsOf(front);
  const trailing = back === undefined ? [] : groupsOf(back);
  const omitted = back === undefined ? 0 : allGroups - leading.length - trailing.length;
  const zeros = Array.from({ length: Math.max(0, omitted) }, () => '0');
  return [...leading, ...zeros, ...trailing]
    .slice(0, prefixGroups)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
};

/** A trailing IPv4 address counts as two groups, which the prefix never reaches. */
const groupsOf = (text: string): readonly string[] =>
  text === ''
    ? []
    : text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
