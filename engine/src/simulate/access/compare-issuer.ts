/** Answers for one issuer who gains access, who loses it and whose identity changes. */
import type { JsonObject } from '../../formats/json-with-shape.ts';
import type { ResumableWork } from '../../source/resumable-work.ts';
import type { AccessPart } from './access-part.ts';
import type { AccessChangeKind } from './access-result.ts';
import {
  type AuthenticatorSide,
  type ComparedIssuer,
  type ComparisonContext,
  changeFor,
  partsMissingIn,
} from './compared-issuer.ts';
import { failing, type ProofGap, passing, type Solution } from './condition.ts';
import { outputsDiffer } from './output-condition.ts';
import { differentOutputs } from './output-words.ts';
import { searchClaims } from './search-claims.ts';
import { solve } from './solve.ts';
import type { TryOptions } from './try-claims.ts';

/** The answer for one issuer; `claims` is confirmed by both graphs. */
export type IssuerAnswer =
  | { readonly kind: 'found'; readonly claims: JsonObject }
  | { readonly kind: 'proved' }
  | { readonly kind: 'undecided'; readonly gaps: readonly ProofGap[]; readonly tried: number };

/** Answers one question: first by trying all values, then by a search for what that leaves open. */
export function* answerFor(
  kind: AccessChangeKind,
  compared: ComparedIssuer,
  context: ComparisonContext,
): ResumableWork<IssuerAnswer> {
  const { budget } = context;
  budget.startQuestion();
  const started = budget.evaluations;
  const solution = yield* solutionFor(kind, compared, context);
  if (solution.kind === 'none') return { kind: 'proved' };
  if (solution.kind === 'found') return { kind: 'found', claims: solution.claims };
  const claims = budget.remaining === 0 ? undefined : yield* searchClaims(kind, compared, context);
  if (claims !== undefined) return { kind: 'found', claims };
  return { kind: 'undecided', gaps: solution.gaps, tried: budget.evaluations - started };
}

function* solutionFor(
  kind: AccessChangeKind,
  compared: ComparedIssuer,
  context: ComparisonContext,
): ResumableWork<Solution> {
  const { before, after } = compared;
  if (kind === 'changed') return yield* changedFor(compared, context);
  const [from, to] = kind === 'gained' ? [before, after] : [after, before];
  if (to === undefined) return { kind: 'none' };
  const options = optionsOf(compared, context, 1);
  if (from === undefined) {
    return confirmed(kind, yield* solve(to.parts.map(passing), undefined, options), context);
  }
  const gaps: ProofGap[] = [];
  for (const part of partsMissingIn(from, to)) {
    const solution = yield* solve(to.parts.map(passing), failing(part), options);
    const checked = confirmed(kind, solution, context);
    if (checked.kind === 'found') return checked;
    if (checked.kind === 'undecided') gaps.push(...checked.gaps);
  }
  return gaps.length === 0 ? { kind: 'none' } : { kind: 'undecided', gaps };
}

/** Finds claims that both authenticators accept as different users. */
function* changedFor(
  compared: ComparedIssuer,
  context: ComparisonContext,
): ResumableWork<Solution> {
  const { before, after } = compared;
  if (before === undefined || after === undefined) return { kind: 'none' };
  const both = bothParts(before, after).map(passing);
  const options = optionsOf(compared, context, 2);
  if (context.credentialKeyDiffers) {
    const solution = yield* solve(both, undefined, options);
    const withId = solution.kind === 'found' ? withTokenId(solution.claims) : undefined;
    return confirmed('changed', withId ?? solution, context);
  }
  const fields = differentOutputs(before.node, after.node);
  const focus = outputsDiffer({ ...compared, before, after }, fields, context.mode);
  if (focus === undefined) return { kind: 'none' };
  return confirmed('changed', yield* solve(both, focus, options), context);
}

const withTokenId = (claims: JsonObject): Solution => ({
  kind: 'found',
  claims: { ...claims, jti: 'token' },
});

const bothParts = (before: AuthenticatorSide, after: AuthenticatorSide): readonly AccessPart[] => [
  ...before.parts,
  ...partsMissingIn(after, before),
];

const optionsOf = (
  { issuer }: ComparedIssuer,
  { budget, walks }: ComparisonContext,
  stringsPerClass: 1 | 2,
): TryOptions => ({ issuer, budget, walks, stringsPerClass });

/** Checks found claims with both graphs. Claims that do not show the change are no example. */
const confirmed = (
  kind: AccessChangeKind,
  solution: Solution,
  context: ComparisonContext,
): Solution => {
  if (solution.kind !== 'found' || changeFor(solution.claims, context) === kind) return solution;
  return {
    kind: 'undecided',
    gaps: [{ construct: 'an example was not confirmed by both graphs' }],
  };
};
