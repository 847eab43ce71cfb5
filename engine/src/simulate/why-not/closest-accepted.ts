/**
 * Finds the accepted sample that is most similar to rejected claims, for claims that no small
 * change would make acceptable.
 */
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import type { Compilation } from '../../compile/compile.ts';
import { graphOfValidEntries } from '../../compile/entry-node.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import { oneLine } from '../preview/headline.ts';
import { preview } from '../preview/preview.ts';
import { ownClaim } from '../whoami/claims-decision.ts';
import { type ClaimData, valueAt } from './claim-changes.ts';
import { expressionHints } from './expression-hints.ts';

/** A sample that the rejected claims are compared with. */
export interface ComparedSample {
  readonly name: string;
  readonly claims: ClaimSet;
}

/**
 * Returns a sentence without its period, such as `ada is accepted and has env: "prod" instead of
 * "dev"`; `undefined` if no other sample of the issuer is accepted. Only claims that the
 * authenticator reads are compared.
 */
export const closestAccepted = (
  compilation: Compilation,
  claims: ClaimSet,
  others: readonly ComparedSample[],
): string | undefined => {
  const issuer = ownClaim(claims, 'iss');
  const candidates = others
    .filter((other) => ownClaim(other.claims, 'iss') === issuer)
    .slice(0, mostCompared)
    .flatMap(({ name, claims: other }) => {
      const { decision, entries } = preview(compilation, other);
      const node = graphOfValidEntries(compilation)?.nodes.find(
        ({ id }) => id === `jwt[${entries[0]?.index}]`,
      );
      if (decision?.kind !== 'accepted' || node === undefined) return [];
      const differing = pathsRead(compilation, node).filter(
        (names) => textAt(claims, names) !== textAt(other, names),
      );
      return differing.length === 0 ? [] : [{ name, other, differing }];
    })
    .sort((a, b) => a.differing.length - b.differing.length);
  const [closest] = candidates;
  if (closest === undefined) return undefined;
  const { name, other, differing } = closest;
  const shown = differing
    .slice(0, mostShown)
    .map(
      (names) =>
        `${oneLine(names.join('.'))}: ${shownAt(other, names)} instead of ${shownAt(claims, names)}`,
    );
  const more = differing.length - shown.length;
  const rest = more === 0 ? [] : [`${more} more differences`];
  return `${oneLine(name)} is accepted and has ${[...shown, ...rest].join(', ')}`;
};

/** More samples are not compared with one that is rejected. */
const mostCompared = 50;
const mostShown = 5;
const longestValue = 60;

/** Returns the paths of the claims that rules read; of all claims that are read if no rule does. */
const pathsRead = ({ expressions }: Compilation, node: JwtNode): readonly (readonly string[])[] => {
  const paths = new Map<string, readonly string[]>();
  const add = (names: readonly string[]): void => void paths.set(JSON.stringify(names), names);
  for (const rule of node.claimValidationRules) if (rule.kind === 'claim') add([rule.claim]);
  const isRule = (path: string): boolean => path.startsWith(`${node.id}.claimValidationRules[`);
  const addExpressions = (isWanted: (path: string) => boolean): void => {
    for (const [path, { compilation }] of expressions) {
      if (!isWanted(path)) continue;
      for (const { path: read } of expressionHints(compilation.checked.parsed)) {
        if (read.root === 'claims' && read.names.length > 0) add(read.names);
      }
    }
  };
  addExpressions(isRule);
  if (node.userValidationRules.length === 0 && paths.size > 0) return [...paths.values()];
  addExpressions((path) => path.startsWith(`${node.id}.`));
  for (const mapping of [node.username, node.groups, node.uid]) {
    if (mapping?.kind === 'claim') add([mapping.claim]);
  }
  return [...paths.values()];
};

const textAt = ({ claims }: ClaimSet, names: readonly string[]): string | undefined => {
  const value: ClaimData | undefined = valueAt(claims, names);
  return value === undefined ? undefined : JSON.stringify(value);
};

const shownAt = (claims: ClaimSet, names: readonly string[]): string => {
  const text = textAt(claims, names);
  if (text === undefined) return 'no value';
  return oneLine(text.length > longestValue ? `${text.slice(0, longestValue)}…` : text);
};
