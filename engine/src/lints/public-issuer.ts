/**
 * A public issuer gives tokens to everyone, and often lets them choose the audience. Unless a rule
 * restricts the owner of a token, strangers are authenticated.
 */

import type { CelNode } from '../cel/tree/ast.ts';
import { childNodes, nodesOf } from '../cel/tree/child-nodes.ts';
import type { JwtAuthenticatorConfig } from '../config/configuration.ts';
import { defineLint } from './parts/define-lint.ts';
import { claimRead, stringLiteral } from './parts/expression-nodes.ts';
import { type ExpressionUse, forEachEntry } from './parts/expression-uses.ts';
import { type PublicIssuer, publicIssuer } from './parts/public-issuers.ts';

interface Args {
  readonly issuer: PublicIssuer;
}

export const publicIssuerLint = defineLint<Args>({
  code: 'AG4029',
  name: 'public-issuer',
  summary: 'A public issuer is trusted, and no rule restricts whose tokens are accepted.',
  message: ({ issuer }) =>
    `${issuer.title} is a public issuer, and no rule restricts the owner: ${issuer.everyone} is authenticated`,
  help: ({ issuer: { ownerClaims } }) =>
    `Add a claim validation rule for ${ownerClaims[0] ?? 'sub'}, or another claim that names your organization.`,
  check(compilation, report) {
    forEachEntry(compilation, (entry, uses, index) => {
      const { url } = entry.issuer;
      const issuer = url === undefined ? undefined : publicIssuer(url.value);
      if (url === undefined || issuer === undefined) return;
      // Administrators of the tenant assign groups: a stranger is in none.
      if (issuer.isOwnTenant && entry.claimMappings.groups !== undefined) return;
      const restriction = restrictionOf(entry, uses, issuer.ownerClaims);
      report(
        url.span,
        { issuer },
        {
          severity: issuer.isAlwaysOpen ? 'warning' : 'information',
          question: {
            kind: 'accepted',
            entry: index,
            tokens: issuer.strangers,
            // A rule about the owner may still accept strangers.
            ...(restriction === 'possible' ? { isOpen: true } : {}),
            ...(restriction === 'loose' ? { areExamples: true } : {}),
          },
        },
      );
    });
  },
});

/** What the rules demand of the owner: loose comparisons also hold for names that strangers choose. */
type Restriction = 'none' | 'loose' | 'possible';

const restrictionOf = (
  { claimValidationRules }: JwtAuthenticatorConfig,
  uses: readonly ExpressionUse[],
  ownerClaims: readonly string[],
): Restriction => {
  const isOwner = (node: CelNode): boolean =>
    ownerClaims.includes(claimRead(node) ?? '') || isUserField(node);
  const rules = uses
    .filter(({ role }) => role === 'claim rule' || role === 'user rule')
    .map(({ compilation }) => compilation.checked.tree)
    .filter((tree) => nodesOf(tree).some(isOwner) && !onlyExcludesSystemNames(tree));
  const hasClaimRule = claimValidationRules.some(({ claim }) =>
    ownerClaims.includes(claim?.value ?? ''),
  );
  if (hasClaimRule || rules.some((tree) => restricts(tree, isOwner))) return 'possible';
  if (rules.length === 0) return 'none';
  return rules.some((tree) => nodesOf(tree).some(isLooseTest)) ? 'loose' : 'possible';
};

const isUserField = (node: CelNode): boolean =>
  node.kind === 'select' && node.operand.kind === 'ident' && /^\.?user$/.test(node.operand.name);

/** Strangers have other names anyway. */
const onlyExcludesSystemNames = (tree: CelNode): boolean => {
  const texts = nodesOf(tree).flatMap((node) => stringLiteral(node) ?? []);
  return texts.length > 0 && texts.every((text) => text.startsWith('system:'));
};

/** Reports whether the owner is used for more than a check of existence or a loose comparison. */
const restricts = (node: CelNode, isOwner: (node: CelNode) => boolean): boolean => {
  if (isOwner(node)) return node.kind !== 'select' || !node.testOnly;
  if (isLooseTest(node) || (node.kind === 'call' && node.function === '_!=_')) return false;
  return childNodes(node).some((child) => restricts(child, isOwner));
};

/** Reports whether the node compares a part of a name that does not contain the whole owner. */
const isLooseTest = (node: CelNode): boolean => {
  if (node.kind !== 'call') return false;
  const [text] = node.args.flatMap((arg) => stringLiteral(arg) ?? []);
  if (text === undefined) return false;
  switch (node.function) {
    case 'contains':
      return true;
    case 'endsWith':
      return !text.includes('@');
    case 'startsWith':
      return !namesOwner.test(text);
    case 'matches':
      return !text.startsWith('^') && !text.includes('@');
    default:
      return false;
  }
};

/** The beginning of a name with the whole owner: `acme/`, `repo:acme/`, `organization:acme:`. */
const namesOwner = /[^/:]\/|[^:]:[^:]+:/;
