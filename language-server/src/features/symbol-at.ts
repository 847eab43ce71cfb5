/** Resolves the name at a position to the symbol it refers to. */
import {
  type ClaimPath,
  type Compilation,
  claimMentions,
  claimNameSpan,
  type LocatedString,
  type MappingKey,
  mappingKeysOf,
  mappingOfUserPart,
  touches,
  type VariableUses,
  variableSpans,
  variableUses,
} from '@authgraph/engine/language';
import type { Position, Range } from 'vscode-languageserver';
import { canonicalUri } from '../folders.ts';
import type { Sample } from '../samples.ts';
import { offsetIn, rangeOf } from '../to-protocol.ts';
import type { ConfigurationPart, Workspace } from '../workspace.ts';
import {
  claimsIn,
  issuerOf,
  mayShareIssuer,
  memberAround,
  membersAt,
  type NamedClaim,
} from './claim-places.ts';
import {
  type ExpressionInFile,
  expressionAt,
  expressionsIn,
  placeOf,
} from './placed-expressions.ts';

export type EditorSymbol =
  /** A claim in the tokens of an issuer. */
  | { readonly kind: 'claim'; readonly path: ClaimPath; readonly issuer: string | undefined }
  | { readonly kind: 'issuer'; readonly url: string }
  /** A variable bound by a macro. */
  | {
      readonly kind: 'variable';
      readonly part: ConfigurationPart;
      readonly expression: ExpressionInFile;
      readonly variable: VariableUses;
    }
  /** A part of the user that an authenticator maps, such as `user.username`. */
  | {
      readonly kind: 'user';
      readonly part: ConfigurationPart;
      readonly authenticator: number;
      /** The mapping, such as `username` or `extra[1]`. */
      readonly mapping: string;
    };

export type SymbolOf<Kind> = Extract<EditorSymbol, { readonly kind: Kind }>;

export interface SymbolAt {
  readonly symbol: EditorSymbol;
  /** The range of the name. */
  readonly range: Range;
  readonly name: string;
  /** False on the value of a claim in a sample. */
  readonly onName: boolean;
}

export const symbolAt = (
  workspace: Workspace,
  uri: string,
  position: Position,
): SymbolAt | undefined => {
  for (const part of workspace.parts(uri)) {
    const offset = part.places.offsetAt(position);
    if (offset !== undefined) return symbolInPart({ workspace, part, offset });
  }
  const sample = sampleAt(workspace, uri);
  return sample && symbolInSample(sample, position);
};

/** Returns the sample that a document holds. */
const sampleAt = ({ samples }: Workspace, uri: string): Sample | undefined => {
  const canonical = canonicalUri(uri);
  return samples.all.find(({ id, document }) => id === canonical && document !== undefined);
};

/** Returns false for a list item that is tested like a member: `"admin" in claims.roles`. */
export const namesMember = (
  { path, issuer, occurrence }: NamedClaim,
  { samples }: Workspace,
): boolean => {
  if (occurrence.kind === 'field' || occurrence.mention.spelling !== 'in' || path.length < 2)
    return true;
  return samples.all.some(
    (sample) =>
      mayShareIssuer(issuer, issuerOf(sample)) &&
      membersAt(sample, path.slice(0, -1)).some(({ value }) => value.kind === 'object'),
  );
};

interface At {
  readonly workspace: Workspace;
  readonly part: ConfigurationPart;
  readonly offset: number;
}

const symbolInPart = (at: At): SymbolAt | undefined =>
  claimSymbol(at) ?? variableSymbol(at) ?? issuerSymbol(at) ?? userSymbol(at);

const claimSymbol = ({ workspace, part, offset }: At): SymbolAt | undefined => {
  const claim = claimsIn(part.compilation).find(({ span }) => touches(span, offset));
  const last = claim?.path.at(-1);
  if (claim === undefined || last?.kind !== 'member' || !namesMember(claim, workspace)) {
    return undefined;
  }
  return {
    symbol: { kind: 'claim', path: claim.path, issuer: claim.issuer },
    range: part.places.range(claim.span),
    name: last.name,
    onName: true,
  };
};

const variableSymbol = ({ part, offset }: At): SymbolAt | undefined => {
  const place = expressionAt(part.compilation, offset);
  if (place === undefined) return undefined;
  const { expression, at } = place;
  for (const variable of variableUses(expression.compilation.checked)) {
    const place = variableSpans(variable).find((span) => touches(span, at));
    if (place === undefined) continue;
    return {
      symbol: { kind: 'variable', part, expression, variable },
      range: part.places.range(placeOf(expression, place)),
      name: variable.name,
      onName: true,
    };
  }
  return undefined;
};

const issuerSymbol = ({ part, offset }: At): SymbolAt | undefined => {
  const url = part.compilation.configuration?.jwt
    .map(({ issuer }) => issuer.url)
    .find((located) => located !== undefined && touches(located.span, offset));
  return url === undefined || url.value === ''
    ? undefined
    : issuerAt(url.value, part.places.range(url.span));
};

const issuerAt = (url: string, range: Range): SymbolAt => ({
  symbol: { kind: 'issuer', url },
  range,
  name: url,
  onName: true,
});

const userSymbol = ({ part, offset }: At): SymbolAt | undefined => {
  const { compilation, places } = part;
  for (const { authenticator, mapping, span } of userMentions(compilation)) {
    if (!touches(span, offset)) continue;
    return {
      symbol: { kind: 'user', part, authenticator, mapping },
      range: places.range(span),
      name: mapping,
      onName: true,
    };
  }
  const { configuration, document } = compilation;
  const keys = configuration === undefined ? [] : mappingKeysOf(configuration, document.data);
  const key = keys.find(({ span }) => touches(span, offset));
  if (key === undefined) return undefined;
  return {
    symbol: { kind: 'user', part, authenticator: key.authenticator, mapping: key.mapping },
    range: places.range(key.span),
    name: key.mapping,
    onName: true,
  };
};

/** Returns the places where user validation rules name a part of the user. */
export const userMentions = (compilation: Compilation): readonly MappingKey[] =>
  expressionsIn(compilation)
    .filter(({ environment }) => environment === 'user')
    .flatMap((expression) => {
      const { authenticator } = expression;
      const mappings = compilation.configuration?.jwt[authenticator]?.claimMappings;
      if (mappings === undefined) return [];
      return claimMentions(expression.compilation.checked.parsed, 'user').flatMap((mention) => {
        const names = mention.path.map((step) => (step.kind === 'member' ? step.name : undefined));
        const mapping = mappingOfUserPart(mappings, names);
        if (mapping === undefined) return [];
        const place = claimNameSpan(mention, expression.located.value);
        return [{ authenticator, mapping, span: placeOf(expression, place) }];
      });
    });

const symbolInSample = (sample: Sample, position: Position): SymbolAt | undefined => {
  const source = sample.document?.source;
  if (source === undefined) return undefined;
  const member = memberAround(sample, offsetIn(source, position));
  if (member === undefined) return undefined;
  const { path, entry, onName } = member;
  const issuer = issuerOf(sample);
  const range = rangeOf(source, onName ? entry.keySpan : entry.value.span);
  if (path.length === 1 && entry.key === 'iss' && issuer !== undefined)
    return issuerAt(issuer, range);
  const last = path.at(-1);
  if (last?.kind !== 'member') return undefined;
  return { symbol: { kind: 'claim', path, issuer }, range, name: last.name, onName };
};

/** Returns the `url` fields of all issuers of a configuration. */
export const issuerUrlFields = ({ configuration }: Compilation): readonly LocatedString[] =>
  (configuration?.jwt ?? []).flatMap(({ issuer }) =>
    issuer.url === undefined ? [] : [issuer.url],
  );
