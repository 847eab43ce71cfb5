/**
 * Finds requests that become a member of `system:masters` by a change. They are the most important examples of the
 * change, and an ordinary search need not find them.
 */
import { privilegedGroup } from '../../model/user-info.ts';
import type { ResumableWork } from '../../source/resumable-work.ts';
import type {
  AccessChangeKind,
  AccessComparison,
  AccessVerdict,
  FoundAccessChange,
} from './access-result.ts';
import type { AccessSide } from './access-side.ts';
import type { ComparisonContext } from './compared-issuer.ts';
import { isSameUser } from './decide-claims.ts';
import { EvaluationBudget } from './evaluation-budget.ts';
import { whoCanSteps } from './who-can.ts';

type Comparison = Omit<AccessComparison, 'settings'>;

/** The maximum number of evaluations for one authenticator: enough for what is not hidden. */
const maxEvaluations = 10_000;

/** Adds a request of each of the changed authenticators that gains full control. */
export function* addFullControl(
  { verdicts, evaluations }: Comparison,
  after: AccessSide,
  { mode, walks, decideBefore, budget }: Omit<ComparisonContext, 'credentialKeyDiffers'>,
): ResumableWork<Comparison> {
  // A member that no one was before has gained access or another identity.
  const isImpossible = verdicts.gained.kind === 'proved' && verdicts.changed.kind === 'proved';
  const isAffordable = maxEvaluations * after.graph.nodes.length <= budget.remainingForTask;
  if (isImpossible) return { verdicts, evaluations };
  if (!isAffordable) return { verdicts, evaluations, fullControl: 'undecided' };
  const target = { field: 'groups', value: privilegedGroup, match: 'exact' } as const;
  const answer = yield* whoCanSteps(after, target, {
    mode,
    walks,
    budget: new EvaluationBudget(maxEvaluations),
  });
  budget.add(answer.evaluations);
  let changed = verdicts;
  for (const { witness, user, cause } of answer.kind === 'found' ? answer.examples : []) {
    if ('request' in witness) continue;
    const before = decideBefore(witness.claims);
    if (before?.groups.includes(privilegedGroup)) continue;
    const kind = before === null ? 'gained' : 'changed';
    changed = withChange(changed, kind, { kind, witness, before, after: user, cause });
  }
  return { verdicts: changed, evaluations: evaluations + answer.evaluations };
}

/** Adds a change as the first of its kind, and leaves out others that show the same. */
const withChange = (
  verdicts: AccessComparison['verdicts'],
  kind: AccessChangeKind,
  change: FoundAccessChange,
): AccessComparison['verdicts'] => {
  const verdict: AccessVerdict = verdicts[kind];
  const others = verdict.kind === 'found' ? verdict.changes : [];
  const isKnown = others.some(
    ({ after }) => after !== null && change.after !== null && isSameUser(after, change.after),
  );
  return isKnown
    ? verdicts
    : { ...verdicts, [kind]: { kind: 'found', changes: [change, ...others] } };
};
