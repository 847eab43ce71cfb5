/** Rules about the mappings of claims to username, groups and UID. */
import { asAccessChanging, asChoice, type Fix } from '../../diagnostics/diagnostic.ts';
import { type Span, span } from '../../source/span.ts';
import type { LocatedString } from '../configuration.ts';
import { invalidError, requiredError } from '../server-error.ts';
import { editScalar, unescapedQuote } from './edit-scalar.ts';
import { firstLineOf, insertField, withoutFields } from './layout-fixes.ts';
import { defineServerRule, isSet, type RulePlace } from './server-rule.ts';

export interface MappingSubject {
  readonly place: RulePlace;
  /** Path of the mapping, for example `jwt[0].claimMappings.username`. */
  readonly path: string;
  readonly span: Span;
  readonly claim: LocatedString | undefined;
  readonly prefix?: LocatedString | undefined;
  readonly expression: LocatedString | undefined;
}

export const claimAndExpressionMapping = defineServerRule<MappingSubject>({
  code: 'AG1036',
  name: 'claim-and-expression-mapping',
  summary: 'A claim mapping has both a claim and an expression.',
  help: () => 'Remove one of the two.',
  check({ place, path, claim, prefix, expression }, report) {
    if (!isSet(claim) || !isSet(expression)) return;
    report(expression.span, invalidError(path, '', "claim and expression can't both be set"), {
      related: [{ span: claim.span, message: 'claim is set here' }],
      fixes: [
        ...withoutFields(place, [
          ['claim', claim.span],
          ['prefix', prefix?.span],
        ]),
        ...withoutFields(place, [['expression', expression.span]]),
      ].map((fix) => asChoice(asAccessChanging(fix))),
    });
  },
});

export const missingUsername = defineServerRule<MappingSubject>({
  code: 'AG1037',
  name: 'missing-username',
  summary: 'The username mapping has neither a claim nor an expression.',
  help: () => 'Add `claim:` with `prefix:`, or `expression:`.',
  check({ place, path, span, claim, expression }, report) {
    if (!isSet(claim) && !isSet(expression))
      report(firstLineOf(place, span), requiredError(path, 'claim or expression is required'));
  },
});

export const prefixWithExpression = defineServerRule<MappingSubject>({
  code: 'AG1038',
  name: 'prefix-with-expression',
  summary: 'A claim mapping has both an expression and a prefix.',
  help: () => 'Put the prefix into the expression: `"prefix" + …`.',
  check({ place, path, claim, prefix, expression }, report) {
    if (!isSet(expression) || isSet(claim) || prefix === undefined) return;
    const detail = 'may not be specified when expression is set';
    const fixes = withoutFields(place, [['prefix', prefix.span]]);
    report(prefix.span, invalidError(`${path}.prefix`, prefix.value, detail), {
      // An empty prefix has no effect. Without any other, users would have the names of the issuer.
      fixes:
        prefix.value === ''
          ? fixes
          : path.endsWith('.username')
            ? fixes.flatMap((fix) => movePrefix(place, fix, { prefix, expression }))
            : [],
    });
  },
});

/** Puts the prefix into the expression of a username, which returns a string. */
const movePrefix = (
  { source }: RulePlace,
  removal: Fix,
  { prefix, expression }: { readonly prefix: LocatedString; readonly expression: LocatedString },
): readonly Fix[] => {
  // The expression has the prefix already.
  const [, text = ''] = /^[\s(]*["'](.*)/s.exec(expression.value) ?? [];
  if (text.startsWith(prefix.value)) return [asChoice(asAccessChanging(removal))];
  // A comment would hide the parenthesis.
  if (!/^[\w.:/@ -]+$/.test(prefix.value) || expression.value.includes('//')) return [];
  const quote = unescapedQuote(source, expression);
  const end = expression.value.trimEnd().length;
  const edits = editScalar(source, expression, [
    { span: span(0, 0), newText: `${quote}${prefix.value}${quote} + (` },
    { span: span(end, end), newText: ')' },
  ]);
  const title = 'Move the prefix into the expression';
  return [asChoice(asAccessChanging({ title, edits: [...removal.edits, ...edits] }))];
};

export const missingPrefix = defineServerRule<MappingSubject>({
  code: 'AG1039',
  name: 'missing-prefix',
  summary: 'A claim mapping has a claim but no prefix.',
  help: () => 'Add a prefix of your own.',
  check({ place, path, span, claim, prefix, expression }, report) {
    if (!isSet(claim) || isSet(expression) || prefix !== undefined) return;
    const detail =
      'prefix is required when claim is set. It can be set to an empty string to disable prefixing';
    const field = { name: 'prefix', section: span, after: claim.span };
    report(claim.span, requiredError(`${path}.prefix`, detail), {
      help: path.endsWith('.groups') ? groupsPrefixHelp : usernamePrefixHelp,
      fixes: [
        ...insertField(place, { ...field, value: '"oidc:"' }),
        ...insertField(place, { ...field, value: '""' }),
      ].map((fix) => asChoice(asAccessChanging(fix))),
    });
  },
});

const usernamePrefixHelp =
  'Add a prefix of your own, such as `oidc:`. With `prefix: ""`, users keep the names of the issuer, also names that belong to other users of the cluster.';

const groupsPrefixHelp =
  'Add a prefix of your own, such as `oidc:`. With `prefix: ""`, a token with the group system:masters gets full control of the cluster.';
