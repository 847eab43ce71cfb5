/** Finds a token or an anonymous request that a mutant decides differently, or proves that there is none. */
import type { JsonObject } from '../../formats/json-with-shape.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type {
  AccessChangeKind,
  FoundAccessChange,
  UndecidedReason,
} from '../access/access-result.ts';
import type { AccessSide } from '../access/access-side.ts';
import { type ComparisonTask, compareAccessWithin } from '../access/compare-access.ts';
import { EvaluationBudget } from '../access/evaluation-budget.ts';
import { StringWalks } from '../access/string-walks.ts';

/**
 * A token or a request without a credential that the configuration and the mutant decide differently.
 *
 * @example
 * ```ts
 * const slipsIn = ({ kind }: MutantWitness) => kind === 'gained';
 * ```
 */
export type MutantWitness = {
  readonly kind: AccessChangeKind;
  /** The user of the configuration; `null` if the token or the request is rejected. */
  readonly before: UserInfo | null;
  /** The user of the mutant. */
  readonly after: UserInfo | null;
} & (
  | { readonly claims: JsonObject }
  /** A request without a credential. */
  | { readonly request: { readonly path: string } }
);

export type WitnessAnswer =
  | { readonly kind: 'found'; readonly witness: MutantWitness }
  | { readonly kind: 'proved' }
  | { readonly kind: 'undecided'; readonly reason: string };

/** The maximum number of evaluations for all mutants of a configuration. */
const maxEvaluations = 1_000_000;

/** The maximum number of evaluations for one question about a mutant. */
const maxQuestionEvaluations = 100_000;

/** The maximum number of steps through state machines of strings, for the same mutants. */
const maxWalkSteps = 200_000_000;

/** Returns the searches of all mutants, which share their limits. */
export const witnessSearches = (): ComparisonTask => ({
  mode: 'product',
  budget: new EvaluationBudget(maxQuestionEvaluations, maxEvaluations),
  walks: new StringWalks(maxWalkSteps),
});

/** The configuration and a mutant, and the path of the changed field. */
export interface MutantSides {
  readonly before: AccessSide;
  readonly after: AccessSide;
  readonly at: string;
}

/** Compares the authenticator that contains the changed field; none if it is in the `anonymous` section. */
export const witnessOf = (
  { before, after, at }: MutantSides,
  searches: ComparisonTask,
): WitnessAnswer => {
  searches.budget.startQuestion();
  if (searches.budget.remaining === 0 || searches.walks.isExhausted)
    return {
      kind: 'undecided',
      reason: 'the limit for the comparisons of all mutants was reached',
    };
  const [authenticator = ''] = /^jwt\[\d+\]/.exec(at) ?? [];
  const { verdicts } = compareAccessWithin(
    only(before, authenticator),
    only(after, authenticator),
    searches,
  );
  const { gained, lost, changed } = verdicts;
  // A mapping decides who a token becomes; everything else decides whether it is accepted.
  const all = at.includes('.claimMappings.') ? [changed, gained, lost] : [gained, changed, lost];
  for (const verdict of all) {
    const [change] = verdict.kind === 'found' ? verdict.changes : [];
    if (change !== undefined) return { kind: 'found', witness: witnessOfChange(change) };
  }
  if (all.every(({ kind }) => kind === 'proved')) return { kind: 'proved' };
  const undecided = all.flatMap((verdict) => (verdict.kind === 'undecided' ? [verdict] : []));
  const tried = undecided.reduce((sum, verdict) => sum + verdict.tried, 0);
  const [reason] = undecided.flatMap(({ reasons }) => reasons);
  return { kind: 'undecided', reason: undecidedText(tried, reason) };
};

const only = ({ graph, ...rest }: AccessSide, authenticator: string): AccessSide => ({
  ...rest,
  graph: { ...graph, nodes: graph.nodes.filter(({ id }) => id === authenticator) },
});

const witnessOfChange = ({ kind, witness, before, after }: FoundAccessChange): MutantWitness => {
  const users = { kind, before, after };
  return 'request' in witness
    ? { ...users, request: witness.request }
    : { ...users, claims: witness.claims };
};

const undecidedText = (tried: number, reason: UndecidedReason | undefined): string =>
  `${tried} claim sets were tried without a difference${reason === undefined ? '' : `; no proof: ${reason.construct}`}`;
