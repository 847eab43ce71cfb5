/** Rules about the extra attributes. */
import { domainPathProblems } from '../../formats/domain-path.ts';
import type { Release } from '../../model/release.ts';
import { toFileSpan } from '../../source/position-map.ts';
import { type Span, span } from '../../source/span.ts';
import type { ClaimMappingsConfig, LocatedString } from '../configuration.ts';
import { duplicateError, invalidError, requiredError } from '../server-error.ts';
import { firstLineOf, removeItem } from './layout-fixes.ts';
import { defineServerRule, type RulePlace } from './server-rule.ts';

export interface ExtraSubject {
  readonly place: RulePlace;
  /** Path of the mapping, for example `jwt[0].claimMappings.extra[1]`. */
  readonly path: string;
  readonly span: Span;
  readonly key: LocatedString | undefined;
  readonly valueExpression: LocatedString | undefined;
  /** Domains that are reserved in addition to kube-apiserver's two; none in exact mode. */
  readonly reservedDomains: readonly string[];
  readonly release: Release;
}

export const extraKey = defineServerRule<ExtraSubject>({
  code: 'AG1040',
  name: 'extra-key',
  summary: 'The key of an extra attribute is not a domain-prefixed path.',
  help: () => 'Write it in the form example.com/tenant, with a domain of your own.',
  check(subject, report) {
    const field = `${subject.path}.key`;
    const { key } = subject;
    if (key === undefined || key.value === '') {
      report(key?.span ?? firstLineOf(subject.place, subject.span), requiredError(field));
      return;
    }
    for (const { at, value, detail } of domainPathProblems(key.value)) {
      const part = toFileSpan(key.map, span(at, at + value.length));
      const where = value === key.value ? key.span : part;
      report(where, invalidError(field, value, detail));
    }
  },
});

export const extraKeyCase = defineServerRule<ExtraSubject>({
  code: 'AG1041',
  name: 'extra-key-case',
  summary: 'The key of an extra attribute is not lowercase.',
  help: () => 'Write the key in lower case.',
  check({ path, key, reservedDomains, release }, report) {
    if (key === undefined || key.value === key.value.toLowerCase()) return;
    const lower = key.value.toLowerCase();
    const first = key.map.pieces[0];
    const verbatim = key.map.pieces.length === 1 && first?.fileLength === first?.decodedLength;
    const where = toFileSpan(key.map, span(0, key.value.length));
    report(key.span, invalidError(`${path}.key`, key.value, 'must be lowercase'), {
      fixes:
        verbatim && reservationError(lower, reservedIn(release), reservedDomains) === undefined
          ? [{ title: `Write ${lower}`, edits: [{ span: where, newText: lower }] }]
          : [],
    });
  },
});

export const reservedExtraKey = defineServerRule<ExtraSubject>({
  code: 'AG1042',
  name: 'reserved-extra-key',
  summary: 'The key of an extra attribute uses a reserved domain.',
  help: () => 'Use a domain of your own.',
  check({ path, key, reservedDomains, release }, report) {
    if (key === undefined) return;
    const detail = reservationError(key.value, reservedIn(release), reservedDomains);
    if (detail === undefined) return;
    report(key.span, invalidError(`${path}.key`, key.value, detail));
  },
});

const kubernetesDomains = ['kubernetes.io', 'k8s.io'];

/** The first release that rejects extra keys in the domains of Kubernetes. */
const reservesDomainsSince: Release = 32;

const reservedIn = (release: Release): readonly string[] =>
  release >= reservesDomainsSince ? kubernetesDomains : [];

/** Returns why a key may not be used; `undefined` if it may. */
const reservationError = (
  key: string,
  kubernetes: readonly string[],
  reservedDomains: readonly string[],
): string | undefined => {
  const slash = key.indexOf('/');
  const domain = slash === -1 ? '' : key.slice(0, slash);
  const ownDomain = reservedDomains.find((reserved) => isWithin(domain, reserved));
  return kubernetes.some((reserved) => isWithin(domain, reserved))
    ? 'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use'
    : ownDomain && `${ownDomain} and its subdomains are reserved for the server`;
};

const isWithin = (domain: string, reserved: string): boolean =>
  domain === reserved || domain.endsWith(`.${reserved}`);

export const duplicateExtraKey = defineServerRule<
  ExtraSubject & {
    readonly first: LocatedString | undefined;
    readonly seen: boolean;
    /** All attributes, and the index of this one. */
    readonly extra: ClaimMappingsConfig['extra'];
    readonly index: number;
  }
>({
  code: 'AG1043',
  name: 'duplicate-extra-key',
  summary: 'Two extra attributes have the same key.',
  help: () => 'Merge the two entries; an expression may return a list.',
  check({ place, path, span: entry, key, valueExpression, first, seen, extra, index }, report) {
    if (!seen) return;
    const where = key?.span ?? firstLineOf(place, entry);
    const previous = extra[index - 1];
    const original = extra.find((other) => (other.key?.value ?? '') === (key?.value ?? ''));
    const isCopy = original?.valueExpression?.value === valueExpression?.value;
    report(where, duplicateError(`${path}.key`, key?.value ?? ''), {
      related: first === undefined ? [] : [{ span: first.span, message: 'first used here' }],
      fixes: previous === undefined || !isCopy ? [] : removeItem(place, entry, previous.span),
    });
  },
});

export const missingValueExpression = defineServerRule<ExtraSubject>({
  code: 'AG1044',
  name: 'missing-value-expression',
  summary: 'An extra attribute has no value expression.',
  help: () => 'Add `valueExpression:`.',
  check({ place, path, span: entry, valueExpression }, report) {
    if ((valueExpression?.value ?? '') !== '') return;
    const where = valueExpression?.span ?? firstLineOf(place, entry);
    report(where, requiredError(`${path}.valueExpression`));
  },
});
