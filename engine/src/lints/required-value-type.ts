/**
 * `claim` with `requiredValue` compares strings: for a claim that is defined as a number, a
 * boolean, a list or an object, every valid token is rejected.
 */
import type { Compilation } from '../compile/compile.ts';
import type { ClaimValidationRuleConfig } from '../config/configuration.ts';
import type { Fix } from '../diagnostics/diagnostic.ts';
import { span } from '../source/span.ts';
import { defineLint } from './parts/define-lint.ts';

interface Args {
  readonly claim: string;
  readonly kind: string;
}

export const requiredValueType = defineLint<Args>({
  code: 'AG4012',
  name: 'required-value-type',
  summary: 'A required value is compared with a claim that is not a string.',
  message: ({ claim, kind }) =>
    `${claim} is ${kind}, but requiredValue compares strings: every token that has the claim is rejected`,
  help: ({ claim }) => `Write the rule as an expression over claims.${claim}.`,
  check(compilation, report) {
    for (const { claimValidationRules } of compilation.configuration?.jwt ?? []) {
      for (const rule of claimValidationRules) {
        const { claim } = rule;
        const kind = claim === undefined ? undefined : kindByClaim.get(claim.value);
        if (claim === undefined || kind === undefined || rule.expression !== undefined) continue;
        report(
          claim.span,
          { claim: claim.value, kind },
          { fixes: asExpression(compilation, rule) },
        );
      }
    }
  },
});

const truthValue = 'a boolean';
const number = 'a number';
const list = 'a list';

/** Types of standard claims (RFC 7519 section 4.1, OpenID Connect Core sections 2 and 5.1). */
const kindByClaim: ReadonlyMap<string, string> = new Map([
  ['exp', number],
  ['iat', number],
  ['nbf', number],
  ['auth_time', number],
  ['updated_at', number],
  ['email_verified', truthValue],
  ['phone_number_verified', truthValue],
  ['amr', list],
  ['address', 'an object'],
]);

/** The fix does not handle more white space than this between a key and its value. */
const longestKey = 200;

/**
 * Rewrites only the plain form: `claim` on one line and `requiredValue` on the same or the next
 * line.
 */
const asExpression = (
  { document: { source, format } }: Compilation,
  { claim, requiredValue }: ClaimValidationRuleConfig,
): readonly Fix[] => {
  if (claim === undefined || requiredValue === undefined) return [];
  const expression = condition(claim.value, requiredValue.value);
  if (expression === undefined) return [];
  const head = /(["']?)claim\1:[ \t]*$/.exec(
    source.text.slice(Math.max(0, claim.span.start - longestKey), claim.span.start),
  );
  const [from, to] = [claim.span, requiredValue.span];
  const between = source.text.slice(from.end, to.start);
  if (head === null || !/^\s*(?:,\s*)?(["']?)requiredValue\1:[ \t]*$/.test(between)) return [];
  const name = format === 'json' ? '"expression"' : 'expression';
  const isPlain = format === 'yaml' && !expression.includes("'");
  const written = isPlain ? expression : `"${expression}"`;
  return [
    {
      title: `Write expression: ${expression}`,
      edits: [
        { span: span(claim.span.start - head[0].length, to.end), newText: `${name}: ${written}` },
      ],
      changesAccess: true,
    },
  ];
};

/** Returns the CEL condition: equality for a boolean, membership for a list. */
const condition = (claim: string, value: string): string | undefined => {
  const kind = kindByClaim.get(claim);
  if (kind === truthValue)
    return /^(?:true|false)$/.test(value) ? `claims.${claim} == ${value}` : undefined;
  if (kind !== list || !/^[\w.:/@+ -]+$/.test(value)) return undefined;
  return `'${value}' in claims.${claim}`;
};
