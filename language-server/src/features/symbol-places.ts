/** Every place where a symbol is defined or used, in configurations and samples. */
import {
  type ClaimPath,
  type MappingKey,
  mappingKeysOf,
  type Span,
  variableSpans,
} from '@authgraph/engine/language';
import type { CancellationToken, Location, Range } from 'vscode-languageserver';
import { withAbortSignal } from '../cancellation.ts';
import type { ClosedParts } from '../configurations.ts';
import { recentFirst, type Sample } from '../samples.ts';
import { rangeOf } from '../to-protocol.ts';
import type { ConfigurationPart, Workspace } from '../workspace.ts';
import { claimsIn, issuerOf, mayShareIssuer, membersAt, samePath } from './claim-places.ts';
import { placeOf } from './placed-expressions.ts';
import {
  type EditorSymbol,
  issuerUrlFields,
  namesMember,
  type SymbolOf,
  userMentions,
} from './symbol-at.ts';

export interface SymbolPlace {
  readonly location: Location;
  /** Whether the symbol is defined here: a claim in a sample, a variable in its macro. */
  readonly declares: boolean;
  /** The name of the symbol if the location is its definition: `groups` for its expression. */
  readonly name?: Range;
}

/**
 * Returns the places in open configurations, then in `closed`, then in samples, the last
 * one selected first.
 */
export const placesOf = (
  workspace: Workspace,
  symbol: EditorSymbol,
  closed: readonly ConfigurationPart[] = [],
): readonly SymbolPlace[] => {
  switch (symbol.kind) {
    case 'claim':
      return [...claimUses(workspace, symbol, closed), ...claimMembers(workspace, symbol)];
    case 'issuer':
      return [
        ...issuerUrls(workspace, symbol.url, closed),
        ...sampleIssuers(workspace, symbol.url),
      ];
    case 'variable': {
      const { part, expression, variable } = symbol;
      return variableSpans(variable).map((span, index) =>
        placeIn(part, placeOf(expression, span), index === 0),
      );
    }
    case 'user':
      return userPlaces(symbol);
  }
};

/**
 * Returns whether other files may name the symbol; variables and user parts are local to their
 * file.
 */
export const spansFiles = ({ kind }: EditorSymbol): boolean =>
  kind === 'claim' || kind === 'issuer';

/** Returns the configurations of files that are not open, if they may name the symbol. */
export const closedParts = async (
  workspace: Workspace,
  symbol: EditorSymbol,
  token: CancellationToken,
): Promise<ClosedParts> => {
  if (!spansFiles(symbol)) return { parts: [], skipped: undefined };
  return withAbortSignal(token, (signal) => workspace.closedParts(signal));
};

/** Returns the configurations of all open documents. */
export const openParts = (workspace: Workspace): readonly ConfigurationPart[] =>
  workspace.openUris.flatMap((uri) => workspace.parts(uri));

const placeIn = (part: ConfigurationPart, span: Span, declares: boolean): SymbolPlace => ({
  location: { uri: part.uri, range: part.places.range(span) },
  declares,
});

const claimUses = (
  workspace: Workspace,
  symbol: SymbolOf<'claim'>,
  closed: readonly ConfigurationPart[],
): readonly SymbolPlace[] =>
  [...openParts(workspace), ...closed].flatMap((part) =>
    claimsIn(part.compilation)
      .filter(
        (claim) =>
          samePath(claim.path, symbol.path) &&
          mayShareIssuer(claim.issuer, symbol.issuer) &&
          namesMember(claim, workspace),
      )
      .map(({ span }) => placeIn(part, span, false)),
  );

const claimMembers = (workspace: Workspace, symbol: SymbolOf<'claim'>): readonly SymbolPlace[] =>
  recentFirst(workspace.samples)
    .filter((sample) => mayShareIssuer(issuerOf(sample), symbol.issuer))
    .flatMap((sample) => memberPlaces(sample, symbol.path, true));

/** Returns the names of members that declare a claim, or the values of other members. */
const memberPlaces = (
  { id, document }: Sample,
  path: ClaimPath,
  declares: boolean,
): readonly SymbolPlace[] =>
  document === undefined
    ? []
    : membersAt({ document }, path).map(({ keySpan, value }) => ({
        location: {
          uri: id,
          range: rangeOf(document.source, declares ? keySpan : value.span),
        },
        declares,
      }));

const issuerUrls = (
  workspace: Workspace,
  url: string,
  closed: readonly ConfigurationPart[],
): readonly SymbolPlace[] =>
  [...openParts(workspace), ...closed].flatMap((part) =>
    issuerUrlFields(part.compilation)
      .filter(({ value }) => value === url)
      .map(({ span }) => placeIn(part, span, true)),
  );

const sampleIssuers = (workspace: Workspace, url: string): readonly SymbolPlace[] =>
  recentFirst(workspace.samples)
    .filter((sample) => issuerOf(sample) === url)
    .flatMap((sample) => memberPlaces(sample, [{ kind: 'member', name: 'iss' }], false));

const userPlaces = ({ part, authenticator, mapping }: SymbolOf<'user'>): readonly SymbolPlace[] => {
  const { compilation } = part;
  const path = `jwt[${authenticator}].claimMappings.${mapping}`;
  const declared = ['key', 'expression', 'claim']
    .map((field) => compilation.origins.get(`${path}.${field}`))
    .find((span) => span !== undefined);
  const section = declared ?? compilation.origins.get(path);
  const { configuration, document } = compilation;
  const keys = configuration === undefined ? [] : mappingKeysOf(configuration, document.data);
  const isMeant = (named: MappingKey): boolean =>
    named.authenticator === authenticator && named.mapping === mapping;
  const key = keys.find(isMeant);
  const name = key === undefined ? {} : { name: part.places.range(key.span) };
  return [
    ...(section === undefined ? [] : [{ ...placeIn(part, section, true), ...name }]),
    ...userMentions(compilation)
      .filter(isMeant)
      .map(({ span }) => placeIn(part, span, false)),
  ];
};
