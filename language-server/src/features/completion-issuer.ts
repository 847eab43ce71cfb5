/** The claims that the provider of an issuer sends, for completion. */
import { type KnownIssuer, knownIssuer, oneLine } from '@authgraph/engine/language';
import type { ConfigurationPart } from '../workspace.ts';
import { code } from './markdown.ts';

export interface SentClaim {
  readonly name: string;
  readonly value: unknown;
  /** The example value in one line. */
  readonly aside: string;
  readonly documentation: string;
}

/** Returns the issuer of an entry if its provider is known. */
export const issuerOfEntry = (
  { compilation }: ConfigurationPart,
  index: number | undefined,
): KnownIssuer | undefined =>
  index === undefined
    ? undefined
    : knownIssuer(compilation.configuration?.jwt[index]?.issuer.url?.value ?? '');

/** Returns the claims of the issuer's tokens, without those that are offered already. */
export const claimsOfIssuer = (
  issuer: KnownIssuer | undefined,
  offered: ReadonlySet<string>,
): readonly SentClaim[] =>
  issuer === undefined
    ? []
    : Object.entries(issuer.claims)
        .filter(([name]) => !offered.has(name))
        .map(([name, value]) => ({
          name,
          value,
          ...(isTime(name)
            ? { aside: 'number', documentation: `${sentBy(issuer)}.` }
            : {
                aside: oneLine(JSON.stringify(value), 40),
                documentation: `${sentBy(issuer)}, for example ${code(JSON.stringify(value))}.`,
              }),
        }));

const sentBy = ({ title }: KnownIssuer): string => `Tokens of ${title} have this claim`;

/** The times of the example are zero. */
const isTime = (name: string): boolean => ['iat', 'nbf', 'exp', 'auth_time'].includes(name);
