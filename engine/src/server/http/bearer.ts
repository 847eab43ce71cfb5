/** The bearer token of an Authorization field, found as the real server finds it. */
import { type Secret, secret } from '../../model/secret.ts';

export interface BearerReading {
  readonly token: Secret<string> | undefined;
  /** Told to the client in a Warning header. */
  readonly warning: string | undefined;
}

const none: BearerReading = { token: undefined, warning: undefined };

/** Words after the token are ignored; two spaces before it are not forgiven. */
export const readBearer = (header: string | undefined): BearerReading => {
  const [scheme = '', token, ...rest] = (header ?? '').trim().split(' ');
  if (token === undefined || scheme.toLowerCase() !== 'bearer') return none;
  if (token !== '') return { token: secret(token), warning: undefined };
  if (rest.length === 0) return none;
  const warning =
    'the provided Authorization header contains extra space before the bearer token, and is ignored';
  return { token: undefined, warning };
};
