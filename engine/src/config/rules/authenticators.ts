/** Rules about the list of authenticators as a whole, and about the anonymous section. */

import type { Fix } from '../../diagnostics/diagnostic.ts';
import { goJsonString } from '../../formats/go-json.ts';
import { span } from '../../source/span.ts';
import type {
  AnonymousConfig,
  AuthenticationConfiguration,
  LocatedString,
} from '../configuration.ts';
import { duplicateError, forbiddenError, tooManyError } from '../server-error.ts';
import { firstLineOf, removeItem } from './layout-fixes.ts';
import { defineServerRule, type RulePlace } from './server-rule.ts';

export const maxAuthenticators = 64;

export const tooManyAuthenticators = defineServerRule<{
  readonly place: RulePlace;
  readonly configuration: AuthenticationConfiguration;
}>({
  code: 'AG1011',
  name: 'too-many-authenticators',
  summary: 'The file has more than 64 authenticators.',
  help: () => 'Remove entries. The rest of the file was not checked.',
  check({ place, configuration: { jwt } }, report) {
    const extra = jwt[maxAuthenticators];
    if (extra === undefined) return;
    const last = jwt.at(-1) ?? extra;
    const where = firstLineOf(place, span(extra.span.start, last.span.end));
    report(where, tooManyError('jwt', jwt.length, maxAuthenticators));
  },
});

export interface RepeatedUrlSubject {
  readonly place: RulePlace;
  readonly field: string;
  readonly url: LocatedString | undefined;
  /** The entry; its position is used if the URL is missing. */
  readonly entry: AuthenticationConfiguration['jwt'][number];
  readonly first: LocatedString | undefined;
  readonly seen: boolean;
  /** The entries before it. */
  readonly before: AuthenticationConfiguration['jwt'];
}

export const duplicateIssuerUrl = defineServerRule<RepeatedUrlSubject>({
  code: 'AG1012',
  name: 'duplicate-issuer-url',
  summary: 'Two authenticators have the same issuer URL.',
  help: () => 'Merge the two entries, and list all audiences.',
  check: (subject, report) => reportRepeated(subject, report),
});

export const duplicateDiscoveryUrl = defineServerRule<RepeatedUrlSubject>({
  code: 'AG1013',
  name: 'duplicate-discovery-url',
  summary: 'Two authenticators have the same discovery URL.',
  help: () => 'Set a separate discovery URL for each issuer.',
  check: (subject, report) => reportRepeated(subject, report),
});

const reportRepeated = (
  { place, field, url, entry, first, seen, before }: RepeatedUrlSubject,
  report: Parameters<typeof duplicateIssuerUrl.check>[1],
): void => {
  if (!seen) return;
  const where = url?.span ?? firstLineOf(place, entry.issuer.span);
  report(where, duplicateError(field, url?.value ?? ''), {
    related: first === undefined ? [] : [{ span: first.span, message: 'first used here' }],
    fixes: removeCopyFixes(place, entry, before),
  });
};

/** Removes an entry that repeats an earlier one. */
const removeCopyFixes = (
  place: RulePlace,
  entry: RepeatedUrlSubject['entry'],
  before: RepeatedUrlSubject['before'],
): readonly Fix[] => {
  const previous = before.at(-1);
  // Entries without a readable URL look alike.
  if ((entry.issuer.url?.value ?? '') === '') return [];
  const content = contentOf(entry);
  return previous !== undefined && before.some((other) => contentOf(other) === content)
    ? removeItem(place, entry.span, previous.span)
    : [];
};

/** Returns the content of an entry without positions. */
const contentOf = (entry: RepeatedUrlSubject['entry']): string =>
  JSON.stringify(entry, (key, value) =>
    /^(?:span|map|audiencesSpan)$/.test(key) ? undefined : value,
  );

/** The misspelled gate in the message matches every release in which the gate can be off. */
export const anonymousGate = defineServerRule<{
  readonly place: RulePlace;
  readonly section: AnonymousConfig;
  readonly enabled: boolean;
}>({
  code: 'AG1047',
  name: 'anonymous-gate',
  summary: 'The anonymous section is set, but its feature gate is off.',
  help: () =>
    'Enable the feature gate AnonymousAuthConfigurableEndpoints, which is on by default since 1.32, or use --anonymous-auth.',
  check({ place, section, enabled }, report) {
    if (enabled) return;
    const detail =
      'anonymous is not supported when AnonymousAuthConfigurableEnpoints feature gate is disabled';
    report(firstLineOf(place, section.span), forbiddenError('anonymous', detail));
  },
});

export const anonymousConditions = defineServerRule<{
  readonly place: RulePlace;
  readonly section: AnonymousConfig;
}>({
  code: 'AG1046',
  name: 'anonymous-conditions',
  summary: 'The anonymous section has conditions but is not enabled.',
  help: () => 'Set `enabled: true`, or remove the conditions.',
  check({ place, section }, report) {
    if (section.enabled || section.conditions.length === 0) return;
    const paths = section.conditions.map(({ path }) => path?.value ?? '');
    const detail = 'enabled should be set to true when conditions are defined';
    const field = 'anonymous.conditions';
    const first = section.conditions[0]?.span ?? section.span;
    const json = `[${paths.map((path) => `{"Path":${goJsonString(path)}}`).join(',')}]`;
    const error = {
      type: 'FieldValueInvalid',
      field,
      badValue: `[${paths.map((path) => `{${path}}`).join(' ')}]`,
      detail,
      message: `${field}: Invalid value: ${json}: ${detail}`,
    } as const;
    report(firstLineOf(place, first), error);
  },
});
