/** Creates a token for pasting; its signature is random. */
import { randomBytes } from 'node:crypto';

export interface Token {
  readonly text: string;
  /** Strings that must not be stored anywhere: the token, its signature, its encoded payload. */
  readonly secrets: readonly string[];
}

export const newToken = (claims: Readonly<Record<string, unknown>>): Token => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const payload = part({
    iss: 'https://login.example.com/realms/platform',
    aud: 'cluster',
    sub: randomBytes(6).toString('hex'),
    typ: 'Bearer',
    email: 'joan@corp.test',
    exp: 4_102_444_800,
    ...claims,
  });
  const signature = randomBytes(256).toString('base64url');
  const text = `${part({ alg: 'RS256', typ: 'JWT' })}.${payload}.${signature}`;
  return { text, secrets: [text, signature, signature.slice(0, 60), payload] };
};
