/** Builds the claims of a new sample: those that every token has, for the configured issuer. */
import type { AuthenticationConfiguration } from '../../config/configuration.ts';

/**
 * Returns a JSON object for the first authenticator, with example values for missing configuration.
 */
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
