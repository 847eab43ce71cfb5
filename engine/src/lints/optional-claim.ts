/**
 * Finds a claim that a token may lack, read by a mapping as if it were always present: one missing
 * claim rejects the user. Reported if the standard or a large issuer calls the claim optional, or if
 * this entry reads it as optional elsewhere.
 */
import type { CelNode } from '../cel/tree/ast.ts';
import { nodesOf } from '../cel/tree/child-nodes.ts';
import type { Compilation } from '../compile/compile.ts';
import type { JwtAuthenticatorConfig } from '../config/configuration.ts';
import type { Fix } from '../diagnostics/diagnostic.ts';
import { defineLint } from './parts/define-lint.ts';
import { claimRead } from './parts/expression-nodes.ts';
import {
  type ExpressionUse,
  editExpression,
  forEachEntry,
  spanInFile,
} from './parts/expression-uses.ts';

interface Args {
  readonly claim: string;
  /** The claim with the members that are read: `realm_access.roles`. */
  readonly path: string;
  readonly role: string;
}

export const optionalClaim = defineLint<Args>({
  code: 'AG4013',
  name: 'optional-claim',
  severity: 'information',
  summary: 'A mapping reads an optional claim; tokens without it are rejected.',
  message: ({ claim, role }) =>
    `tokens without ${claim} are rejected because of ${role}, although the username can be mapped`,
  help: ({ path }) => `Read it as claims.?${path}.orValue(…).`,
  check(compilation, report) {
    forEachEntry(compilation, (entry, own) => {
      const demanded = claimsDemanded(entry, own);
      const optional = claimsReadAsOptional(own);
      for (const use of own) {
        if (!isSideMapping(use)) continue;
        const guarded = claimsReadAsOptional([use]);
        const reported = new Set<string>();
        for (const [claim, node] of plainReads(use)) {
          const may = optionalByDefinition.has(claim) || optional.has(claim);
          if (!may || demanded.has(claim) || guarded.has(claim) || reported.has(claim)) continue;
          reported.add(claim);
          const fixes = fixesOf(compilation, use, node, claim);
          const path = [claim, ...membersRead(use, node)].join('.');
          report(spanInFile(use, node.span), { claim, path, role: nounOf(use) }, { fixes });
        }
      }
      const { uid } = entry.claimMappings;
      const claim = uid?.expression === undefined ? uid?.claim : undefined;
      if (claim === undefined || demanded.has(claim.value)) return;
      if (!optionalByDefinition.has(claim.value) && !optional.has(claim.value)) return;
      report(claim.span, { claim: claim.value, path: claim.value, role: 'the UID' });
    });
  },
});

/**
 * Claims that an issuer may omit (OpenID Connect Core sections 2 and 5.1), and claims that the
 * documentation of a large issuer calls optional: a Workspace domain (Google), roles (Keycloak), an
 * environment (GitHub Actions).
 */
const optionalByDefinition: ReadonlySet<string> = new Set([
  'name',
  'given_name',
  'family_name',
  'middle_name',
  'nickname',
  'preferred_username',
  'profile',
  'picture',
  'website',
  'email',
  'email_verified',
  'gender',
  'birthdate',
  'zoneinfo',
  'locale',
  'phone_number',
  'phone_number_verified',
  'address',
  'updated_at',
  'auth_time',
  'acr',
  'amr',
  'azp',
  'hd',
  'realm_access',
  'resource_access',
  'environment',
]);

/**
 * Excludes the username mapping: a user needs a name, so a claim read for it is meant to be
 * required.
 */
const isSideMapping = ({ role }: ExpressionUse): boolean =>
  role === 'groups' || role === 'uid' || role === 'extra';

const nounOf = ({ role }: ExpressionUse): string =>
  role === 'groups' ? 'the groups' : role === 'uid' ? 'the UID' : 'an extra value';

/** Returns the claims that the author requires: a token without them is rejected anyway. */
const claimsDemanded = (
  { claimMappings: { username }, claimValidationRules }: JwtAuthenticatorConfig,
  own: readonly ExpressionUse[],
): ReadonlySet<string> => {
  const demanded = new Set(claimValidationRules.flatMap(({ claim }) => claim?.value ?? []));
  if (username.expression === undefined && username.claim !== undefined)
    demanded.add(username.claim.value);
  for (const use of own) {
    if (use.role !== 'username' && use.role !== 'claim rule') continue;
    // A rule that only checks has(claims.x) requires it too; AG4009 reports that mappings run
    // first.
    for (const [claim, node] of readsOf(use))
      if (isPresenceTest(node) ? use.role === 'claim rule' : !isOptionalRead(node))
        demanded.add(claim);
  }
  return demanded;
};

/** Returns the reads in the form `claims.x` or `claims["x"]`. */
const plainReads = (use: ExpressionUse): readonly ClaimRead[] =>
  readsOf(use).filter(([, node]) => !isOptionalRead(node) && !isPresenceTest(node));

type ClaimRead = readonly [claim: string, node: CelNode];

const readsOf = (use: ExpressionUse): readonly ClaimRead[] =>
  nodesOf(use.compilation.checked.tree).flatMap((node): readonly ClaimRead[] => {
    const claim = claimRead(node);
    return claim === undefined ? [] : [[claim, node]];
  });

/** Returns the names of the members that are read from a value, one inside the other. */
const membersRead = (use: ExpressionUse, value: CelNode): readonly string[] => {
  const reads = new Map(
    nodesOf(use.compilation.checked.tree).flatMap((node) =>
      node.kind === 'select' && !node.testOnly ? [[node.operand, node] as const] : [],
    ),
  );
  const names: string[] = [];
  for (let read = reads.get(value); read !== undefined; read = reads.get(read))
    names.push(read.field);
  return names;
};

const isOptionalRead = (node: CelNode): boolean =>
  node.kind === 'call' && (node.function === '_?._' || node.function === '_[?_]');

const isPresenceTest = (node: CelNode): boolean => node.kind === 'select' && node.testOnly;

const claimsReadAsOptional = (uses: readonly ExpressionUse[]): ReadonlySet<string> => {
  const reads = uses
    .flatMap(readsOf)
    .filter(([, node]) => isOptionalRead(node) || isPresenceTest(node));
  return new Set(reads.map(([claim]) => claim));
};

/**
 * The fix is certain if the claim is the whole mapping: the value for a missing claim is then
 * known.
 */
const fixesOf = (
  compilation: Compilation,
  use: ExpressionUse,
  node: CelNode,
  claim: string,
): readonly Fix[] => {
  if (node !== use.compilation.checked.tree || node.kind !== 'select') return [];
  const quote = compilation.document.source.text[use.located.span.start] === '"' ? "'" : '"';
  const nothing = use.role === 'groups' ? '[]' : quote + quote;
  const newText = `claims.?${claim}.orValue(${nothing})`;
  const edits = editExpression(compilation, use, node.span, newText);
  return [{ title: `Read it as ${newText}`, edits, changesAccess: true }];
};
