/** Completion of values other than expressions: enumerated values, and values from samples. */
import {
  displayValue,
  knownClaims,
  type LooseScalar,
  offeredValues,
  oneLine,
  ownClaim,
  span,
  touches,
  type ValuePlace,
} from '@authgraph/engine/language';
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import { chosenFirst, type Sample } from '../samples.ts';
import { insideScalar, itemOf, quoted, wholeScalar } from './completion-item.ts';
import type { PartContext, PlaceContext } from './feature.ts';
import { cell, code, table } from './markdown.ts';

interface Offer {
  readonly text: string;
  readonly aside?: string;
  readonly documentation?: string;
  /** A `word` is written without quotes where possible. */
  readonly kind: 'word' | 'text';
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
  return others.map(({ text: offered, newText, aside, documentation }, order) =>
    itemOf(context.part.places, {
      label: oneLine(offered, 80) === '' ? '""' : oneLine(offered, 80),
      ...(aside === undefined ? {} : { aside }),
      kind: CompletionItemKind.Value,
      ...(documentation === undefined ? {} : { documentation }),
      pieces: [space + newText],
      span: inner,
      filter: offered === '' ? '""' : offered,
      sort: String(order).padStart(3, '0'),
    }),
  );
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
  const samples = chosenFirst(context.workspace.samples);
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
      return claimOffers(samples);
    case 'claimValues':
      return valueOffers(samples, offered.claim).filter(
        ({ text }) => !offered.alreadyListed.has(text),
      );
  }
};

/**
 * Returns the claims of the current sample with their values, then those of the others, then
 * well-known claims.
 */
const claimOffers = (samples: readonly Sample[]): readonly Offer[] => {
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
  const usual = knownClaims
    .filter(({ name }) => !names.has(name))
    .map(
      ({ name, doc, source, type }): Offer => ({
        text: name,
        kind: 'text',
        aside: type,
        documentation: source === '' ? doc : `${doc} ${source}.`,
      }),
    );
  return [...seen, ...usual];
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
