/** Which values a field that holds no expression may get, and which claim it is compared with. */
import type { Release } from '../model/release.ts';
import type { ValuePlace } from './place.ts';
import { versionsAt } from './skeletons.ts';

export interface OfferedText {
  readonly text: string;
  /** What it stands for, in a few words. */
  readonly note?: string;
}

export type OfferedValues =
  /** Stand without quotes. */
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'texts'; readonly texts: readonly OfferedText[] }
  /** Names of claims. */
  | { readonly kind: 'claims' }
  /** The texts that tokens have in a claim. */
  | { readonly kind: 'claimTexts'; readonly claim: string; readonly taken: ReadonlySet<string> };

/** `undefined` where there is nothing to offer but what the author thinks of. */
export const offeredValues = (place: ValuePlace, release: Release): OfferedValues | undefined => {
  const { row, type, struct, siblings } = place;
  if (type.kind === 'bool') {
    return place.scalar.style === 'plain' ? { kind: 'words', words: ['true', 'false'] } : undefined;
  }
  if (type.kind !== 'string') return undefined;
  if (type.values !== undefined) return texts(type.values);
  switch (row.name) {
    case 'apiVersion':
      return texts(versionsAt(release));
    case 'kind':
      return texts([row.example]);
    case 'claim':
      return { kind: 'claims' };
    case 'requiredValue':
      return claimTexts(siblings.get('claim') ?? '');
    case 'url':
      return claimTexts('iss');
    case 'audiences':
      return claimTexts('aud', new Set(siblings.values()));
    case 'prefix':
      return { kind: 'texts', texts: prefixes };
    case 'path':
      return struct === 'AnonymousAuthCondition' ? texts(healthPaths) : undefined;
    default:
      return undefined;
  }
};

const texts = (all: readonly string[]): OfferedValues => ({
  kind: 'texts',
  texts: all.map((text) => ({ text })),
});

const claimTexts = (claim: string, taken: ReadonlySet<string> = new Set()): OfferedValues => ({
  kind: 'claimTexts',
  claim,
  taken,
});

const prefixes: readonly OfferedText[] = [
  { text: 'oidc:', note: 'a prefix of your own' },
  { text: '', note: 'names as they are' },
];

/** What load balancers and probes ask without credentials. */
const healthPaths = ['/livez', '/readyz', '/healthz'];
