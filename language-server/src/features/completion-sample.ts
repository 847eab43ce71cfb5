/**
 * Completion in a sample: the claims that open configurations read, and the values they compare
 * with.
 */
import {
  bareClaim,
  knownClaims,
  knownIssuer,
  type MapPlace,
  mapPlaceAt,
  oneLine,
  sourceFile,
  span,
  type WantedClaim,
  wantedClaims,
  wholeText,
} from '@authgraph/engine/language';
import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionParams,
} from 'vscode-languageserver';
import { canonicalUri } from '../folders.ts';
import { placesIn } from '../to-protocol.ts';
import type { Workspace } from '../workspace.ts';
import { claimsOfIssuer } from './completion-issuer.ts';
import {
  type ItemParts,
  insideScalar,
  itemOf,
  quoted,
  type SnippetPiece,
  wholeScalar,
} from './completion-item.ts';

/** Returns `undefined` for documents that are not samples. */
export const completeSample = (
  workspace: Workspace,
  { textDocument: { uri }, position }: CompletionParams,
): readonly CompletionItem[] | undefined => {
  const { all, invalid } = workspace.samples;
  const text = workspace.text(uri);
  const canonical = canonicalUri(uri);
  if (text === undefined || ![...all, ...invalid].some(({ id }) => id === canonical))
    return undefined;
  const source = sourceFile(uri, text);
  const places = placesIn(source, wholeText(source));
  const offset = places.offsetAt(position);
  const place = offset === undefined ? undefined : mapPlaceAt(source, offset);
  if (place === undefined) return undefined;
  const read = workspace.openUris.flatMap((open) =>
    workspace.parts(open).flatMap(({ compilation }) => wantedClaims(compilation)),
  );
  const wanted = [
    ...read.map((claim) => ({ ...claim, aside: 'read by a configuration' })),
    ...sentClaims(text, new Set(read.map(({ path: [name = ''] }) => name))),
  ];
  const parts = place.kind === 'key' ? names(place, wanted, text) : values(place, read);
  return parts.map((part) => itemOf(places, part));
};

interface OfferedClaim extends WantedClaim {
  readonly aside: string;
}

/** Returns the claims that the provider of the sample's issuer sends, with example values. */
const sentClaims = (text: string, read: ReadonlySet<string>): readonly OfferedClaim[] => {
  // The sample is being written, so it may not be valid.
  const [, iss = ''] = /^[\t {]*["']?iss["']?[\t ]*:[\t ]*["']?([^\s"',}]+)/m.exec(text) ?? [];
  const issuer = knownIssuer(iss);
  return claimsOfIssuer(issuer, read).map(({ name, value }) => {
    const [first] = Array.isArray(value) ? value : [value];
    return {
      path: [name],
      values: typeof first === 'string' ? [first] : [],
      isList: Array.isArray(value),
      isMap: typeof value === 'object' && value !== null && !Array.isArray(value),
      aside: issuer?.title ?? '',
    };
  });
};

type KeyPlace = Extract<MapPlace, { readonly kind: 'key' }>;
type ValuePlace = Extract<MapPlace, { readonly kind: 'value' }>;

const names = (
  place: KeyPlace,
  wanted: readonly OfferedClaim[],
  text: string,
): readonly ItemParts[] => {
  const { path, present, written } = place;
  const below = wanted.filter(
    (claim) =>
      claim.path.length === path.length + 1 && path.every((name, at) => claim.path[at] === name),
  );
  const byName = new Map(below.map((claim) => [claim.path.at(-1) ?? '', claim]));
  const usual = path.length > 0 ? [] : knownClaims.filter(({ name }) => !byName.has(name));
  const end = written.end + (endsQuote(place, text) ? 1 : 0);
  return [
    ...[...byName].map(([name, claim]) => ({ name, claim, aside: claim.aside })),
    ...usual.map(({ name, type }) => ({ name, claim: undefined, aside: type })),
  ]
    .filter(({ name }) => !present.has(name))
    .map(({ name, claim, aside }, order) => ({
      label: oneLine(name, 80),
      kind: CompletionItemKind.Field,
      aside,
      pieces: keyPieces(name, claim, place),
      span: span(written.start, end),
      filter: name,
      sort: String(order).padStart(3, '0'),
    }));
};

const endsQuote = ({ quoted: isQuoted, hasColon, written }: KeyPlace, text: string): boolean =>
  isQuoted && !hasColon && /["']/.test(text[written.end] ?? '');

const keyPieces = (
  name: string,
  claim: WantedClaim | undefined,
  { layout, hasColon, quoted: isQuoted }: KeyPlace,
): readonly SnippetPiece[] => {
  if (hasColon) return [isQuoted ? insideScalar(name, { style: 'double' }) : wholeScalar(name)];
  const whole = layout === 'json' || isQuoted ? quoted(name) : wholeScalar(name);
  const key = isQuoted ? whole.slice(1) : whole;
  const [value = ''] = claim?.values ?? [];
  const bare = value === '' ? bareClaim(name) : undefined;
  if (bare !== undefined) return [`${key}: `, { stop: bare }];
  if (layout === 'json') {
    const [opening, closing] = claim?.isList === true ? '[]' : claim?.isMap === true ? '{}' : '""';
    return [`${key}: ${opening}`, { stop: value }, `${closing}`];
  }
  if (claim?.isList === true) return [`${key}: [`, { stop: value }, ']'];
  if (claim?.isMap === true) return [`${key}:\n  `, { stop: '' }];
  return [`${key}: `, { stop: value === '' ? '' : wholeScalar(value) }];
};

const values = (
  { path, scalar, layout }: ValuePlace,
  wanted: readonly WantedClaim[],
): readonly ItemParts[] => {
  const own = wanted.filter(
    (claim) =>
      claim.path.length === path.length && path.every((name, at) => claim.path[at] === name),
  );
  const isQuoted = scalar.style === 'double' || scalar.style === 'single';
  const { start, end } = scalar.span;
  const inner = isQuoted ? span(start + 1, end - (scalar.closed ? 1 : 0)) : scalar.span;
  return [...new Set(own.flatMap((claim) => claim.values))].map((text, order) => ({
    label: oneLine(text, 80),
    kind: CompletionItemKind.Value,
    aside: 'named by a configuration',
    pieces: [
      isQuoted ? insideScalar(text, scalar) : layout === 'json' ? quoted(text) : wholeScalar(text),
    ],
    span: inner,
    filter: text,
    sort: String(order).padStart(3, '0'),
  }));
};
