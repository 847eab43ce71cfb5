/**
 * The values that completion offers for a field without an expression, and the claim that it is
 * compared with.
 */
import type { Release } from '../model/release.ts';
import type { ValuePlace } from './place.ts';
import { versionsAt } from './skeletons.ts';

export interface OfferedString {
  readonly text: string;
  /** A short description of the value. */
  readonly note?: string;
}

export type OfferedValues =
  /** Values that are written without quotes. */
  | { readonly kind: 'literals'; readonly literals: readonly string[] }
  | { readonly kind: 'strings'; readonly strings: readonly OfferedString[] }
  /** Names of claims. */
  | { readonly kind: 'claims' }
  /** Values that a claim has in tokens. */
  | {
      readonly kind: 'claimValues';
      readonly claim: string;
      readonly alreadyListed: ReadonlySet<string>;
    };

/** Returns the values to offer; `undefined` if only the author can know the value. */
export const offeredValues = (place: ValuePlace, release: Release): OfferedValues | undefined => {
  const { row, type, struct, siblings } = place;
  if (type.kind === 'bool') {
    return place.scalar.style === 'plain'
      ? { kind: 'literals', literals: ['true', 'false'] }
      : undefined;
  }
  if (type.kind !== 'string') return undefined;
  if (type.values !== undefined) return offeredStrings(type.values);
  switch (row.name) {
    case 'apiVersion':
      return offeredStrings(versionsAt(release));
    case 'kind':
      return offeredStrings([row.example]);
    case 'claim':
      return { kind: 'claims' };
    case 'requiredValue':
      return claimValues(siblings.get('claim') ?? '');
    case 'url':
      return claimValues('iss');
    case 'audiences':
      return claimValues('aud', new Set(siblings.values()));
    case 'prefix':
      return { kind: 'strings', strings: prefixes };
    case 'path':
      return struct === 'AnonymousAuthCondition' ? offeredStrings(healthPaths) : undefined;
    default:
      return undefined;
  }
};

const offeredStrings = (all: readonly string[]): OfferedValues => ({
  kind: 'strings',
  strings: all.map((text) => ({ text })),
});

const claimValues = (
  claim: string,
  alreadyListed: ReadonlySet<string> = new Set(),
): OfferedValues => ({
  kind: 'claimValues',
  claim,
  alreadyListed,
});

const prefixes: readonly OfferedString[] = [
  { text: 'oidc:', note: 'custom prefix' },
  { text: '', note: 'no prefix' },
];

/** Paths that load balancers and probes request without credentials. */
const healthPaths = ['/livez', '/readyz', '/healthz'];
