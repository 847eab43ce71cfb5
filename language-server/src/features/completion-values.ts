/** Completion of values other than expressions: enumerated values, and values from samples. */
import {
  displayValue,
  type KnownIssuer,
  knownClaims,
  knownIssuers,
  type LooseScalar,
  offeredValues,
  oneLine,
  ownClaim,
  span,
  touches,
  type ValuePlace,
} from '@authgraph/engine/language';
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import type { Sample } from '../samples.ts';
import { claimsOfIssuer, issuerOfEntry } from './completion-issuer.ts';
import { insideScalar, itemOf, quoted, type SnippetPiece, wholeScalar } from './completion-item.ts';
import { entryFirst } from './entry-samples.ts';
import { entryIndexOf } from './expression-place.ts';
import type { PartContext, PlaceContext } from './feature.ts';
import { cell, code, table } from './markdown.ts';

interface Offer {
  readonly text: string;
  readonly aside?: string;
  readonly documentation?: string;
  /** A `word` is written without quotes where possible. */
  readonly kind: 'word' | 'text';
  /** Parts of the text that become tab stops, in order. */
  readonly stops?: readonly string[];
}

export const completeValues = (
  context: PlaceContext,
  place: ValuePlace,
): readonly CompletionItem[] => {
  const { scalar } = place;
  if (scalar.style === 'literal' || scalar.style === 'folded' || scalar.text.includes('\n'))
    return [];
  const { text } = context.part.compilation.document.source;
  const isQuoted = scalar.style !== 'plain';
  const inner = isQuoted
    ? span(scalar.span.start + 1, scalar.span.end - (scalar.closed ? 1 : 0))
    : scalar.span;
  // After a finished word and a blank there is nothing to complete.
  if (!touches(inner, context.offset)) return [];
  const space = !isQuoted && text[inner.start - 1] === ':' && place.layout !== 'json' ? ' ' : '';
  const current = text.slice(inner.start, inner.end);
  const offers = offersFor(context, place).map((offer) => ({
    ...offer,
    newText: written(offer.text, { scalar, kind: offer.kind, isJson: place.layout === 'json' }),
  }));
  const others = offers.filter(({ newText }) => newText !== current);
  // After a complete value Enter starts a new line; an item, even a longer one, would use up the key.
  if (current !== '' && others.length < offers.length && context.offset === inner.end) return [];
  return others.map(({ text: offered, newText, aside, documentation, stops = [] }, order) =>
    itemOf(context.part.places, {
      label: oneLine(offered, 80) === '' ? '""' : oneLine(offered, 80),
      ...(aside === undefined ? {} : { aside }),
      kind: CompletionItemKind.Value,
      ...(documentation === undefined ? {} : { documentation }),
      pieces: [space, ...piecesOf(newText, stops)],
      span: inner,
      filter: offered === '' ? '""' : offered,
      sort: String(order).padStart(3, '0'),
    }),
  );
};

/** Splits a text at its tab stops. */
const piecesOf = (text: string, stops: readonly string[]): readonly SnippetPiece[] => {
  const [stop, ...others] = stops;
  const start = stop === undefined ? -1 : text.indexOf(stop);
  if (stop === undefined || start < 0) return [text];
  return [text.slice(0, start), { stop }, ...piecesOf(text.slice(start + stop.length), others)];
};

const written = (
  text: string,
  {
    scalar,
    kind,
    isJson,
  }: { readonly scalar: LooseScalar; readonly kind: Offer['kind']; readonly isJson: boolean },
): string => {
  if (scalar.style !== 'plain') return insideScalar(text, scalar);
  if (kind === 'word') return text;
  return isJson ? quoted(text) : wholeScalar(text);
};

const offersFor = (context: PartContext, place: ValuePlace): readonly Offer[] => {
  const offered = offeredValues(place, context.part.compilation.settings.targetRelease);
  const samples = entryFirst(context, entryIndexOf(place));
  switch (offered?.kind) {
    case undefined:
      return [];
    case 'literals':
      return offered.literals.map((text) => ({ text, kind: 'word' }));
    case 'strings':
      return offered.strings.map(({ text, note }) => ({
        text,
        ...(note === undefined ? {} : { aside: note }),
        kind: 'text',
      }));
    case 'claims':
      return claimOffers(samples, issuerOfEntry(context.part, entryIndexOf(place)));
    case 'claimValues':
      return [
        ...valueOffers(samples, offered.claim),
        ...(offered.claim === 'iss' ? issuerOffers(samples) : []),
      ].filter(({ text }) => !offered.alreadyListed.has(text));
  }
};

/** Returns the issuers of well-known providers that no sample has. */
const issuerOffers = (samples: readonly Sample[]): readonly Offer[] => {
  const seen = new Set(samples.map(({ claims }) => ownClaim(claims, 'iss')));
  return knownIssuers()
    .filter(({ url }) => !seen.has(url))
    .map(({ url, title, variables }) => ({
      text: url,
      kind: 'text',
      aside: title,
      stops: variables,
    }));
};

/**
 * Returns the claims of the first sample with their values, then those of the others, then those
 * that the issuer's provider sends, then well-known claims.
 */
const claimOffers = (
  samples: readonly Sample[],
  issuer: KnownIssuer | undefined,
): readonly Offer[] => {
  const names = new Set(samples.flatMap(({ claims }) => Object.keys(claims.claims)));
  const seen = [...names].map((text): Offer => {
    const holders = samples.filter(({ claims }) => Object.hasOwn(claims.claims, text));
    const [first] = holders;
    const value = first === undefined ? undefined : ownClaim(first.claims, text);
    return {
      text,
      kind: 'text',
      ...(value === undefined ? {} : { aside: oneLine(displayValue(value), 40) }),
      documentation: valuesText(holders, text),
    };
  });
  const sent = claimsOfIssuer(issuer, names).map(
    ({ name, aside, documentation }): Offer => ({ text: name, kind: 'text', aside, documentation }),
  );
  const usual = knownClaims
    .filter(({ name }) => !names.has(name) && !sent.some(({ text }) => text === name))
    .map(
      ({ name, doc, source, type }): Offer => ({
        text: name,
        kind: 'text',
        aside: type,
        documentation: source === '' ? doc : `${doc} ${source}.`,
      }),
    );
  return [...seen, ...sent, ...usual];
};

const valuesText = (holders: readonly Sample[], claim: string): string =>
  table(
    ['sample', code(claim)],
    holders
      .slice(0, 8)
      .map((sample) => [
        cell(sample.name),
        cell(displayValue(ownClaim(sample.claims, claim) ?? null)),
      ]),
  );

/** Returns the strings that samples have in a claim; list items are offered individually. */
const valueOffers = (samples: readonly Sample[], claim: string): readonly Offer[] => {
  const byText = new Map<string, string[]>();
  for (const sample of samples) {
    const value = ownClaim(sample.claims, claim);
    for (const text of Array.isArray(value) ? value : [value]) {
      if (typeof text !== 'string' || text === '' || text.length > maxOfferLength) continue;
      byText.set(text, [...(byText.get(text) ?? []), sample.name]);
    }
  }
  return [...byText].slice(0, maxOffers).map(([text, names]) => ({
    text,
    kind: 'text',
    aside: oneLine(names.join(', '), 40),
  }));
};

const maxOfferLength = 400;
const maxOffers = 50;
