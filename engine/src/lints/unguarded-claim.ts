/**
 * A rule that excludes a value of a claim (`claims.type != 'guest'`) fails for tokens without the
 * claim, instead of holding for them.
 */
import type { CelNode } from '../cel/tree/ast.ts';
import { nodesOf } from '../cel/tree/child-nodes.ts';
import type { Compilation } from '../compile/compile.ts';
import type { JwtAuthenticatorConfig } from '../config/configuration.ts';
import { asAccessChanging, asChoice, type Fix } from '../diagnostics/diagnostic.ts';
import { defineLint } from './parts/define-lint.ts';
import { claimRead, stringLiteral } from './parts/expression-nodes.ts';
import {
  type ExpressionUse,
  editExpression,
  forEachEntry,
  spanInFile,
} from './parts/expression-uses.ts';
import { issuerClaims } from './parts/issuer-claims.ts';

interface Args {
  readonly claim: string;
}

export const unguardedClaim = defineLint<Args>({
  code: 'AG4037',
  name: 'unguarded-claim',
  severity: 'information',
  summary: 'A rule that excludes values of a claim also rejects tokens without the claim.',
  message: ({ claim }) =>
    `tokens without ${claim} are rejected: claims.${claim} fails if the claim is missing, although the rule only excludes values`,
  help: ({ claim }) =>
    `If such tokens are to be accepted, write !has(claims.${claim}) || …; otherwise add has(claims.${claim}) && … to show that the claim is required.`,
  check(compilation, report) {
    forEachEntry(compilation, (entry, own, index) => {
      const required = requiredClaims(entry, own);
      const sent = issuerClaims(entry.issuer.url?.value ?? '')?.always ?? [];
      for (const use of own) {
        if (use.role !== 'claim rule') continue;
        const reported = new Set<string>();
        for (const [claim, node] of excludedClaims(use)) {
          if (reported.has(claim) || standard.has(claim) || sent.includes(claim)) continue;
          if (required.has(claim)) continue;
          reported.add(claim);
          report(
            spanInFile(use, node.span),
            { claim },
            {
              fixes: guard(compilation, use, claim),
              question: { kind: 'rejected', entry: index, without: claim },
            },
          );
        }
      }
    });
  },
});

/** Claims that every token has. */
const standard: ReadonlySet<string> = new Set(['iss', 'sub', 'aud', 'exp', 'iat']);

/** Returns the reads of claims in `claims.x != …`, `!claims.x…` and `!(…claims.x…)`. */
const excludedClaims = (use: ExpressionUse): readonly (readonly [string, CelNode])[] => {
  const { tree } = use.compilation.checked;
  return conjuncts(tree).flatMap((part) => {
    if (part.kind !== 'call' || (part.function !== '_!=_' && part.function !== '!_')) return [];
    // `claims.x != ''` requires the claim.
    if (part.args.some((arg) => stringLiteral(arg) === '')) return [];
    const nodes = nodesOf(part);
    // A guard shows that the author thought of it.
    const guarded = new Set(
      nodes.flatMap((node) => (isGuard(node) ? (claimRead(node) ?? []) : [])),
    );
    return nodes.flatMap((node) => {
      const claim = isGuard(node) ? undefined : claimRead(node);
      return claim === undefined || guarded.has(claim) ? [] : [[claim, node] as const];
    });
  });
};

const conjuncts = (node: CelNode): readonly CelNode[] =>
  node.kind === 'call' && node.function === '_&&_' ? node.args.flatMap(conjuncts) : [node];

const isGuard = (node: CelNode): boolean =>
  (node.kind === 'select' && node.testOnly) ||
  (node.kind === 'call' && (node.function === '_?._' || node.function === '_[?_]'));

/** Returns the claims that another rule or the mappings show to be required. */
const requiredClaims = (
  { claimMappings: { username }, claimValidationRules }: JwtAuthenticatorConfig,
  own: readonly ExpressionUse[],
): ReadonlySet<string> => {
  const names = claimValidationRules.map(({ claim }) => claim?.value);
  if (username.expression === undefined) names.push(username.claim?.value);
  for (const { role, compilation } of own) {
    if (role === 'user rule') continue;
    for (const node of nodesOf(compilation.checked.tree)) {
      const shows =
        role === 'claim rule' ? node.kind === 'select' && node.testOnly : !isGuard(node);
      if (shows) names.push(claimRead(node));
    }
  }
  return new Set(names.filter((name) => name !== undefined));
};

/** Accepting tokens without the claim changes access, so a person has to choose it. */
const guard = (compilation: Compilation, use: ExpressionUse, claim: string): readonly Fix[] => {
  const { tree } = use.compilation.checked;
  const isOnlyPart = tree.kind === 'call' && (tree.function === '_!=_' || tree.function === '!_');
  if (!isOnlyPart || !/^[A-Za-z_]\w*$/.test(claim)) return [];
  const start = { start: tree.span.start, end: tree.span.start };
  const edits = editExpression(compilation, use, start, `!has(claims.${claim}) || `);
  if (edits.length === 0) return [];
  return [asChoice(asAccessChanging({ title: `Accept tokens without ${claim}`, edits }))];
};
