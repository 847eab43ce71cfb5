/** The claims that a new sample begins with: those that every token has, for the issuer at hand. */
import type { AuthenticationConfiguration } from '../../config/configuration.ts';

/** A JSON object, of the first authenticator; what the configurations do not say yet is an example. */
export const firstSample = (configurations: readonly AuthenticationConfiguration[]): string => {
  const [issuer] = configurations.flatMap(({ jwt }) => jwt.map((entry) => entry.issuer));
  const claims = {
    iss: issuer?.url?.value || 'https://issuer.example.com',
    aud: issuer?.audiences[0]?.value || 'my-cluster',
    sub: 'jane',
    exp: 4_102_444_800,
    email: 'jane@example.com',
    email_verified: true,
    groups: ['developers'],
  };
  return `${JSON.stringify(claims, undefined, 2)}\n`;
};
