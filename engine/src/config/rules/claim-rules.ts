/** Rules about the entries of claimValidationRules and userValidationRules. */
import { asChoice, type Fix } from '../../diagnostics/diagnostic.ts';
import { contains, span } from '../../source/span.ts';
import type {
  ClaimValidationRuleConfig,
  LocatedString,
  UserValidationRuleConfig,
} from '../configuration.ts';
import { duplicateError, invalidError, requiredError } from '../server-error.ts';
import { firstLineOf, removeItem, startOfLine, withoutFields } from './layout-fixes.ts';
import { defineServerRule, isSet, type RulePlace } from './server-rule.ts';

export interface ClaimRuleSubject {
  readonly place: RulePlace;
  /** Path of the rule, for example `jwt[0].claimValidationRules[1]`. */
  readonly path: string;
  readonly rule: ClaimValidationRuleConfig;
}

export const claimAndExpressionRule = defineServerRule<ClaimRuleSubject>({
  code: 'AG1029',
  name: 'claim-and-expression-rule',
  summary: 'A claim validation rule has both a claim and an expression.',
  help: () => 'Split the entry into two rules, or remove one of the two.',
  check({ place, path, rule: { claim, expression } }, report) {
    if (!isSet(claim) || !isSet(expression)) return;
    report(
      expression.span,
      invalidError(path, claim.value, "claim and expression can't both be set"),
      {
        related: [{ span: claim.span, message: 'claim is set here' }],
        // Without one of the two, more tokens would be accepted.
        fixes: splitRule(place, claim, expression).map(asChoice),
      },
    );
  },
});

/** Splits a rule in block style: a dash before the expression starts a rule of its own. */
const splitRule = (
  { source: { text } }: RulePlace,
  claim: LocatedString,
  expression: LocatedString,
): readonly Fix[] => {
  const line = startOfLine(text, expression.span.start);
  const lead = /^ {2,}(?=["']?expression["']?:)/.exec(text.slice(line, expression.span.start))?.[0];
  if (lead === undefined || claim.span.start > line) return [];
  const at = line + lead.length;
  return [{ title: 'Split into two rules', edits: [{ span: span(at - 2, at), newText: '- ' }] }];
};

export const emptyClaimRule = defineServerRule<ClaimRuleSubject>({
  code: 'AG1030',
  name: 'empty-claim-rule',
  summary: 'A claim validation rule has neither a claim nor an expression.',
  help: () => 'Add `claim:` with `requiredValue:`, or `expression:`.',
  check({ place, path, rule: { claim, expression, span } }, report) {
    if (!isSet(claim) && !isSet(expression))
      report(firstLineOf(place, span), requiredError(path, 'claim or expression is required'));
  },
});

export const messageWithClaim = defineServerRule<ClaimRuleSubject>({
  code: 'AG1031',
  name: 'message-with-claim',
  summary: 'A claim validation rule has both a claim and a message.',
  help: () => 'Remove the message; kube-apiserver uses its own message for rules with `claim`.',
  check({ place, path, rule: { claim, expression, message } }, report) {
    if (!isSet(claim) || isSet(expression) || !isSet(message)) return;
    const detail = 'may not be specified when claim is set';
    report(message.span, invalidError(`${path}.message`, message.value, detail), {
      fixes: withoutFields(place, [['message', message.span]]),
    });
  },
});

export interface RepeatedStringSubject {
  readonly place: RulePlace;
  readonly field: string;
  readonly text: LocatedString;
  readonly first: LocatedString;
  /** All rules of the list, and the index of this one. */
  readonly rules: readonly WrittenRule[];
  readonly index: number;
}

type WrittenRule = Pick<ClaimValidationRuleConfig, 'span' | 'message'> &
  Partial<Pick<ClaimValidationRuleConfig, 'requiredValue'>>;

export const duplicateClaimRule = defineServerRule<RepeatedStringSubject>({
  code: 'AG1032',
  name: 'duplicate-claim-rule',
  summary: 'Two claim validation rules check the same claim.',
  help: () => 'Keep one of the two.',
  check: (subject, report) => reportRepeated(subject, report),
});

export const requiredValueWithExpression = defineServerRule<ClaimRuleSubject>({
  code: 'AG1033',
  name: 'required-value-with-expression',
  summary: 'A claim validation rule has both an expression and a required value.',
  help: () => 'Compare the value in the expression instead.',
  check({ place, path, rule: { claim, expression, requiredValue } }, report) {
    if (!isSet(expression) || isSet(claim) || !isSet(requiredValue)) return;
    const detail = 'may not be specified when expression is set';
    report(requiredValue.span, invalidError(`${path}.requiredValue`, requiredValue.value, detail), {
      fixes: withoutFields(place, [['requiredValue', requiredValue.span]]).map(asChoice),
    });
  },
});

export const duplicateExpression = defineServerRule<RepeatedStringSubject>({
  code: 'AG1034',
  name: 'duplicate-expression',
  summary: 'Two rules have the same expression.',
  help: () => 'Keep one of the two.',
  check: (subject, report) => reportRepeated(subject, report),
});

const reportRepeated = (
  subject: RepeatedStringSubject,
  report: Parameters<typeof duplicateClaimRule.check>[1],
): void => {
  const { field, text, first } = subject;
  report(text.span, duplicateError(field, text.value), {
    related: [{ span: first.span, message: 'first used here' }],
    fixes: removeCopyFixes(subject),
  });
};

/** Removes a rule that repeats an earlier one; a rule with a message of its own may be intended. */
const removeCopyFixes = ({ place, rules, index, first }: RepeatedStringSubject): readonly Fix[] => {
  const [previous, rule] = [rules[index - 1], rules[index]];
  const original = rules.find((other) => contains(other.span, first.span));
  if (previous === undefined || rule === undefined || original === undefined) return [];
  if (rule.requiredValue?.value !== original.requiredValue?.value) return [];
  const fixes = removeItem(place, rule.span, previous.span);
  const same = rule.message === undefined || rule.message.value === original.message?.value;
  return same ? fixes : fixes.map(asChoice);
};

export interface UserRuleSubject {
  readonly place: RulePlace;
  /** Path of the rule, for example `jwt[0].userValidationRules[1]`. */
  readonly path: string;
  readonly rule: UserValidationRuleConfig;
}

export const emptyUserRule = defineServerRule<UserRuleSubject>({
  code: 'AG1035',
  name: 'empty-user-rule',
  summary: 'A user validation rule has no expression.',
  help: () => 'Add `expression:`, or remove the rule.',
  check({ place, path, rule: { expression, span } }, report) {
    if ((expression?.value ?? '') === '')
      report(expression?.span ?? firstLineOf(place, span), requiredError(`${path}.expression`));
  },
});
