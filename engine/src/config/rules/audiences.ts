/** Rules about the audiences of an issuer. */
import { asChoice } from '../../diagnostics/diagnostic.ts';
import { span } from '../../source/span.ts';
import type { LocatedString } from '../configuration.ts';
import { duplicateError, invalidNamedError, requiredError } from '../server-error.ts';
import { firstLineOf, insertField, removeItem } from './layout-fixes.ts';
import { defineServerRule, type RulePlace } from './server-rule.ts';
import type { IssuerSubject } from './urls.ts';

export const missingAudiences = defineServerRule<IssuerSubject>({
  code: 'AG1022',
  name: 'missing-audiences',
  summary: 'The issuer has no audiences.',
  help: () => 'Add `audiences:` with an audience that the aud claim of its tokens contains.',
  check({ place, path, issuer }, report) {
    if (issuer.audiences.length > 0) return;
    const field = `${path}.audiences`;
    report(
      firstLineOf(place, issuer.audiencesSpan),
      requiredError(field, `at least one ${field} is required`),
    );
  },
});

export interface AudienceSubject {
  readonly place: RulePlace;
  /** Field path, for example `jwt[0].issuer.audiences[1]`. */
  readonly field: string;
  readonly audience: LocatedString;
  /** The first occurrence of the same audience. */
  readonly first: LocatedString | undefined;
  /** The item before it. */
  readonly previous: LocatedString | undefined;
}

export const emptyAudience = defineServerRule<AudienceSubject>({
  code: 'AG1023',
  name: 'empty-audience',
  summary: 'An audience is empty.',
  help: () => 'Enter the audience, or remove the item.',
  check({ place, field, audience, previous }, report) {
    if (audience.value !== '') return;
    // The item may also be a placeholder that the author still has to fill in.
    const fixes = previous === undefined ? [] : removeItem(place, audience.span, previous.span);
    report(audience.span, requiredError(field), { fixes: fixes.map(asChoice) });
  },
});

export const duplicateAudience = defineServerRule<AudienceSubject>({
  code: 'AG1024',
  name: 'duplicate-audience',
  summary: 'An audience is listed twice.',
  help: () => 'Remove one of the two.',
  check({ place, field, audience, first, previous }, report) {
    if (first === undefined || previous === undefined) return;
    report(audience.span, duplicateError(field, audience.value), {
      related: [{ span: first.span, message: 'first listed here' }],
      fixes: removeItem(place, audience.span, previous.span),
    });
  },
});

export const audienceMatchPolicy = defineServerRule<IssuerSubject>({
  code: 'AG1025',
  name: 'audience-match-policy',
  summary: 'The audience match policy is not valid for the number of audiences.',
  help: () => 'Set `audienceMatchPolicy: MatchAny`.',
  check({ place, path, issuer }, report) {
    const { audiences, audienceMatchPolicy: policy } = issuer;
    const value = policy?.value ?? '';
    if (value === 'MatchAny' || (value === '' && audiences.length === 1)) return;
    const detail =
      audiences.length > 1
        ? 'audienceMatchPolicy must be MatchAny for multiple audiences'
        : 'audienceMatchPolicy must be empty or MatchAny for single audience';
    const fixes =
      policy === undefined
        ? insertField(place, {
            name: 'audienceMatchPolicy',
            value: place.format === 'json' ? '"MatchAny"' : 'MatchAny',
            section: issuer.span,
            after: issuer.audiencesSpan,
          })
        : [
            {
              title: 'Set MatchAny',
              edits: [
                {
                  span: span(policy.span.start, policy.span.end),
                  newText: place.format === 'json' ? '"MatchAny"' : 'MatchAny',
                },
              ],
            },
          ];
    report(
      policy?.span ?? issuer.audiencesSpan,
      invalidNamedError(`${path}.audienceMatchPolicy`, value, detail),
      { fixes },
    );
  },
});
