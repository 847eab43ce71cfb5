/**
 * The deliberate differences from the real server: one table, read by the code (`differs`), by the
 * documentation and by the runners of recorded cases. Every row is stricter, and only where no honest
 * issuer or client can notice. `exact` mode turns all of them off.
 */

export type Mode = 'exact' | 'product';

export interface RecordedAuthentication {
  readonly op?: string;
  readonly config?: string;
  readonly token?: string;
  readonly jwks?: unknown;
  readonly keys?: unknown;
  readonly endpoints?: unknown;
}

export interface DifferenceRow {
  readonly id: DifferenceId;
  readonly title: string;
  /** What the real server does, and why we do otherwise. */
  readonly reason: string;
  /** May a recorded case have another answer because of this row? */
  readonly covers: (input: RecordedAuthentication) => boolean;
}

export type DifferenceId =
  | 'token-spelling'
  | 'critical-header'
  | 'token-size'
  | 'token-depth'
  | 'token-text'
  | 'mis-cased-claim'
  | 'nameless-user'
  | 'group-limits'
  | 'token-cost'
  | 'encryption-key'
  | 'key-limits'
  | 'pss-salt'
  | 'bounded-bodies'
  | 'key-refetch'
  | 'https-only';

/** Is the stricter rule in force? */
export const differs = (mode: Mode, _id: DifferenceId): boolean => mode === 'product';

export const differences: readonly DifferenceRow[] = [
  {
    id: 'token-spelling',
    title: 'A token has one spelling',
    reason:
      'The real server drops white space inside a token and ignores unused bits of its last characters, so one token has many spellings and a list of revoked ones can be walked round. Nobody signs like that.',
    covers: ({ token = '' }) =>
      !/^[\w-]*\.[\w-]*\.[\w-]*$/.test(token) || token.split('.').some(hasLooseBits),
  },
  {
    id: 'critical-header',
    title: 'Headers with crit or b64 are refused',
    reason:
      'The real server reads RFC 7797 (b64) and lets an empty crit pass, which RFC 7515 forbids. RFC 7797 advises against it in a JWT.',
    covers: ({ token = '' }) => {
      const header = partAsText(token, 0);
      return header.includes('"crit"') || header.includes('"b64"');
    },
  },
  {
    id: 'token-size',
    title: 'Tokens are bounded',
    reason:
      'The real server takes what the header limit lets through. A token over 256 KiB, a header over 8 KiB or claims over 192 KiB are not read.',
    covers: ({ token = '' }) =>
      token.length > 256 * 1024 ||
      partAsText(token, 0).length > 8 * 1024 ||
      partAsText(token, 1).length > 192 * 1024,
  },
  {
    id: 'token-depth',
    title: 'Nesting and counts inside a token are bounded',
    reason:
      'The real server reads ten thousand levels. More than 64 levels, 4,096 members or 16,384 items serve only to cost time.',
    covers: ({ token = '' }) => {
      const text = partAsText(token, 0) + partAsText(token, 1);
      return countOf(text, /[[{]/g) > 64 || countOf(text, /,/g) >= 4096;
    },
  },
  {
    id: 'token-text',
    title: 'Claims are well-formed text',
    reason:
      'The real server turns every bad byte and lone surrogate into U+FFFD, so two different subjects become one name.',
    covers: ({ token = '' }) => {
      const claims = partAsText(token, 1);
      return claims.includes('\ufffd') || /\\u[dD][89a-fA-F]/.test(claims);
    },
  },
  {
    id: 'mis-cased-claim',
    title: 'Standard claims are written in one way',
    reason:
      'The real server takes ISS, EXP or iſs for the standard claim, and the last one wins, while mappings read the exact name: two readers see two tokens.',
    covers: ({ token = '' }) =>
      [...partAsText(token, 1).matchAll(/"((?:[^"\\]|\\.)*)"\s*:/g)].some(([, name = '']) =>
        isMisCased(name),
      ),
  },
  {
    id: 'nameless-user',
    title: 'A name that names nobody is refused',
    reason:
      'The real server accepts an empty username claim, so that the name is empty or the bare prefix. An identity without a name is none.',
    covers: ({ config = '', token = '' }) => {
      const claim = /"?username"?\s*:\s*\{?\s*"?claim"?\s*:\s*"?([\w.-]+)/.exec(config)?.[1];
      return (
        claim !== undefined &&
        new RegExp(`"${claim.replaceAll('.', '\\.')}"\\s*:\\s*(?:""|null)`).test(
          partAsText(token, 1),
        )
      );
    },
  },
  {
    id: 'group-limits',
    title: 'Groups of one identity are bounded',
    reason:
      'The real server takes any number. More than 10,000 groups or a group of more than 4 KiB would burden every later stage.',
    covers: ({ token = '' }) => partAsText(token, 1).length > 4 * 1024,
  },
  {
    id: 'token-cost',
    title: 'All expressions of a token share a budget',
    reason:
      'The real server bounds each expression alone; hundreds of them could hold a core for minutes. Together they have ten times the budget of one.',
    covers: ({ config = '' }) => countOf(config, /expression|valueExpression/g) > 10,
  },
  {
    id: 'encryption-key',
    title: 'Keys for encryption check no signature',
    reason:
      'The real server ignores `use`. A key published for encryption may be held by other people than the signer.',
    covers: ({ jwks, keys, endpoints }) =>
      /use\\?"\s*:\s*\\?"enc/.test(JSON.stringify([jwks, keys, endpoints])),
  },
  {
    id: 'key-limits',
    title: 'Keys and key sets are bounded',
    reason:
      'The real server takes RSA keys from 1,024 bits on and any exponent, and any number of keys. Shorter than 2,048 bits is weak; longer than 8,192 bits or more than 256 keys serve only to cost time.',
    covers: ({ jwks, keys, endpoints }) => {
      const text = JSON.stringify([jwks, keys, endpoints]);
      return (
        countOf(text, /kty/g) > 256 ||
        [...text.matchAll(/\bn\\?"\s*:\s*\\?"([\w-]*)/g)].some(
          ([, modulus = '']) => modulus.length < 341 || modulus.length > 1366,
        )
      );
    },
  },
  {
    id: 'pss-salt',
    title: 'The salt of PS256, PS384 and PS512 is as long as the digest',
    reason: 'The real server takes any length, none too. RFC 7518 3.5 demands that of the digest.',
    covers: ({ token = '' }) => /"alg"\s*:\s*"PS/.test(partAsText(token, 0)),
  },
  {
    id: 'bounded-bodies',
    title: 'Answers of issuers are bounded',
    reason:
      'The real server reads discovery documents, key sets and distributed claims to their end, whatever it is. After 1 MiB we stop.',
    covers: ({ jwks, keys, endpoints }) =>
      JSON.stringify([jwks, keys, endpoints]).length > 1024 * 1024,
  },
  {
    id: 'key-refetch',
    title: 'Bad tokens cannot make the server hammer an issuer',
    reason:
      'The real server may fetch the keys for every token that fits none. After a fetch that did not help, the next one waits ten seconds. `--jwks-refetch=per-token` gives the real behaviour.',
    // Shows only in sequences of tokens, which no recorded case has.
    covers: () => false,
  },
  {
    id: 'https-only',
    title: 'Key sets and distributed claims are fetched over HTTPS only',
    reason:
      'The real server fetches keys from any jwks_uri and sends the access token of a distributed claim to any endpoint, over plain HTTP too. Who sits in between could then sign for the issuer, or read the token.',
    covers: ({ token = '', endpoints }) =>
      /"endpoint"\s*:\s*"(?!https:)/i.test(partAsText(token, 1)) ||
      /jwks_uri\\?"\s*:\s*\\?"(?!https:)/i.test(JSON.stringify(endpoints ?? {})),
  },
];

/** Decodes a part of a token for a look at it; empty where it can't. */
const partAsText = (token: string, index: number): string => {
  const part = (token.replace(/\s/g, '').split('.')[index] ?? '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  try {
    const bytes = Uint8Array.from(atob(part), (character) => character.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return '';
  }
};

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const hasLooseBits = (part: string): boolean => {
  const over = part.length % 4;
  const last = alphabet.indexOf(part.charAt(part.length - 1));
  return (over === 2 && (last & 0b1111) !== 0) || (over === 3 && (last & 0b11) !== 0);
};

const standardNames = new Set([
  'iss',
  'sub',
  'aud',
  'exp',
  'iat',
  'nbf',
  'nonce',
  'at_hash',
  '_claim_names',
  '_claim_sources',
]);

const isMisCased = (written: string): boolean => {
  const name = written.replace(/\\u([0-9a-fA-F]{4})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const folded = name.replaceAll('\u017f', 's').toLowerCase();
  return standardNames.has(folded) && !standardNames.has(name);
};

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
