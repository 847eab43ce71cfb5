/** The claims that a new sample starts with: those that every token has, for the issuer at hand. */

/** The issuer and audience are read off the text; what is not found is an example. */
export const sampleTemplate = (configuration: string): string => {
  const issuer = firstUrl(configuration) ?? 'https://issuer.example.com';
  const audience = firstAudience(configuration) ?? 'my-cluster';
  const claims = {
    iss: issuer,
    aud: audience,
    sub: 'jane',
    exp: 4_102_444_800,
    email: 'jane@example.com',
    email_verified: true,
    groups: ['developers'],
  };
  return `${JSON.stringify(claims, null, 2)}\n`;
};

const firstUrl = (text: string): string | undefined =>
  /\burl["']?\s*:\s*["']?(https:\/\/[^\s"',}]+)/.exec(text)?.[1];

const firstAudience = (text: string): string | undefined =>
  /\baudiences["']?\s*:\s*(?:\[\s*|\n\s*-\s*)["']?([^\s"',\]]+)/.exec(text)?.[1];
