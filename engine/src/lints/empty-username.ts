/**
 * Finds a username that a token can leave empty. kube-apiserver accepts an empty username from a
 * claim. From an expression it rejects the empty string, but not a bare prefix: all tokens without
 * the claim then become the same user.
 */
import type { CelNode } from '../cel/tree/ast.ts';
import { nodesOf } from '../cel/tree/child-nodes.ts';
import type { JwtAuthenticatorConfig } from '../config/configuration.ts';
import { defineLint } from './parts/define-lint.ts';
import { claimRead, readsClaim, stringLiteral } from './parts/expression-nodes.ts';
import { type ExpressionUse, forEachEntry, spanInFile } from './parts/expression-uses.ts';

interface Args {
  readonly how: string;
}

export const emptyUsername = defineLint<Args>({
  code: 'AG4014',
  name: 'empty-username',
  summary: 'The username can be empty or consist of a prefix only.',
  message: ({ how }) => how,
  help: () =>
    'Fall back to claims.sub, which every token has, or reject such users with a user validation rule.',
  check(compilation, report) {
    forEachEntry(compilation, (entry, own) => {
      if (own.some(checksUsername)) return;
      const { claim, expression } = entry.claimMappings.username;
      if (expression === undefined && claim !== undefined) {
        if (chosenFreely.has(claim.value) && !isChecked(claim.value, entry, own))
          report(
            claim.span,
            {
              how: `users may leave ${claim.value} empty, and kube-apiserver accepts an empty username`,
            },
            { severity: 'information' },
          );
        return;
      }
      const use = own.find(({ role }) => role === 'username');
      if (use !== undefined) checkExpression(use, entry, own, report);
    });
  },
});

type Report = Parameters<typeof emptyUsername.check>[1];

/** Claims that users can edit themselves (OpenID Connect Core section 5.1). */
const chosenFreely: ReadonlySet<string> = new Set([
  'name',
  'given_name',
  'family_name',
  'middle_name',
  'nickname',
]);

const checkExpression = (
  use: ExpressionUse,
  entry: JwtAuthenticatorConfig,
  own: readonly ExpressionUse[],
  report: Report,
): void => {
  if (use.compilation.errors.length > 0) return;
  const { tree } = use.compilation.checked;
  const content = emptinessOf(tree);
  if (content === 'full') return;
  const read = nodesOf(tree).flatMap((node) => claimRead(node) ?? []);
  if (read.some((claim) => isChecked(claim, entry, own))) return;
  const at = spanInFile(use, tree.span);
  if (content === 'bare')
    report(at, {
      how: 'all tokens without the claim map to the same user, whose name is only the prefix',
    });
  else
    report(
      at,
      {
        how: 'tokens without the claim are rejected for their empty username, without a message that names the claim',
      },
      { severity: 'information' },
    );
};

/** `empty`: it can be the empty string; `bare`: it can consist of nothing but a constant. */
type Emptiness = 'empty' | 'bare' | 'full';

const emptinessOf = (node: CelNode): Emptiness => {
  if (node.kind === 'literal') return stringLiteral(node) === '' ? 'empty' : 'full';
  if (node.kind !== 'call') return 'full';
  if (node.function === 'orValue') return emptinessOf(node.args[0] ?? node);
  if (node.function === '_?_:_') return worst(node.args.slice(1).map(emptinessOf));
  if (node.function !== '_+_') return 'full';
  const terms = termsOf(node);
  const open = terms.filter((term) => !isConstantText(term)).map(emptinessOf);
  if (open.length === 0 || open.some((content) => content === 'full')) return 'full';
  return terms.some((term) => isConstantText(term)) ? 'bare' : worst(open);
};

const worst = (contents: readonly Emptiness[]): Emptiness =>
  contents.find((content) => content === 'bare') ??
  contents.find((content) => content === 'empty') ??
  'full';

/** Returns the operands of a sum; sums are at most as deep as the parser allows. */
const termsOf = (node: CelNode): readonly CelNode[] =>
  node.kind === 'call' && node.function === '_+_' ? node.args.flatMap(termsOf) : [node];

const isConstantText = (node: CelNode): boolean => (stringLiteral(node) ?? '') !== '';

const checksUsername = (use: ExpressionUse): boolean =>
  use.role === 'user rule' &&
  !startsWithTest(use) &&
  nodesOf(use.compilation.checked.tree).some(
    (node) => node.kind === 'select' && node.field === 'username',
  );

/** Reports whether a rule only excludes `system:` names, which does not exclude an empty name. */
const startsWithTest = (use: ExpressionUse): boolean => {
  const { tree } = use.compilation.checked;
  const call = tree.kind === 'call' && tree.function === '!_' ? tree.args[0] : undefined;
  return call?.kind === 'call' && call.function === 'startsWith';
};

/** Reports whether a claim rule reads the claim and so decides about tokens without it. */
const isChecked = (
  claim: string,
  { claimValidationRules }: JwtAuthenticatorConfig,
  own: readonly ExpressionUse[],
): boolean =>
  claimValidationRules.some((rule) => rule.claim?.value === claim) ||
  own.some(
    ({ role, compilation }) => role === 'claim rule' && readsClaim(compilation.checked.tree, claim),
  );
