/**
 * Returns the members of a JSON Web Key that verifying signatures needs: no private ones, and none
 * that restrict the use of the key, which was validated with the key set.
 */
export const publicMembers = (jwk: Readonly<Record<string, unknown>>): Record<string, string> => {
  const members: [string, string][] = [];
  for (const name of ['kty', 'n', 'e', 'crv', 'x', 'y']) {
    const value = jwk[name];
    if (typeof value === 'string') members.push([name, value]);
  }
  return Object.fromEntries(members);
};
