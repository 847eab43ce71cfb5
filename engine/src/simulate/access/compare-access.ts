/** Compares two graphs: who gains access, who loses it and whose identity changes, with an example or a proof. */
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import type { JsonObject } from '../../formats/json-with-shape.ts';
import { tokenCredentialIdKey } from '../../model/api-domain.ts';
import type { Mode } from '../../model/differences.ts';
import { type ResumableWork, runToCompletion } from '../../source/resumable-work.ts';
import { causesOf, placeOfCondition } from './access-causes.ts';
import type {
  AccessChangeKind,
  AccessComparison,
  AccessVerdict,
  FoundAccessChange,
  UndecidedReason,
} from './access-result.ts';
import type { AccessSide } from './access-side.ts';
import { anonymousGain } from './anonymous-access.ts';
import { answerFor } from './compare-issuer.ts';
import {
  type ComparedIssuer,
  type ComparisonContext,
  changeFor,
  compareIssuer,
} from './compared-issuer.ts';
import { linkDecider } from './decide-claims.ts';
import { EvaluationBudget } from './evaluation-budget.ts';
import { addFullControl } from './full-control-changes.ts';
import { minimizeClaims } from './minimize-witness.ts';
import { settingsDifferences } from './settings-differences.ts';
import { StringWalks } from './string-walks.ts';
import { audienceOf } from './token-parts.ts';

/**
 * Compares who gets access. The result is the same on every machine: the work is limited by a number
 * of evaluations.
 *
 * @example
 * ```ts
 * const { verdicts } = compareAccess({ graph: oldGraph }, { graph: newGraph });
 * console.log(verdicts.gained.kind === 'proved' ? 'no one gains access' : verdicts.gained);
 * ```
 */
export const compareAccess = (
  before: AccessSide,
  after: AccessSide,
  mode: Mode = 'product',
): AccessComparison => compareAccessWithin(before, after, newTask(mode));

/** What a comparison shares with the others of a larger task. */
export type ComparisonTask = Pick<ComparisonContext, 'mode' | 'budget' | 'walks'>;

const newTask = (mode: Mode): ComparisonTask => ({
  mode,
  budget: new EvaluationBudget(),
  walks: new StringWalks(),
});

/** Compares who gets access, as part of a larger task. */
export const compareAccessWithin = (
  before: AccessSide,
  after: AccessSide,
  task: ComparisonTask,
): AccessComparison => runToCompletion(compareAccessSteps(before, after, task));

/** Compares who gets access, as part of a larger task and in steps. */
export function* compareAccessSteps(
  before: AccessSide,
  after: AccessSide,
  task: ComparisonTask,
): ResumableWork<AccessComparison> {
  const comparer = new AccessComparer(before, after, task);
  return yield* comparer.compare();
}

class AccessComparer {
  readonly #before: AccessSide;
  readonly #after: AccessSide;
  readonly #context: ComparisonContext;
  readonly #issuers: ComparedIssuer[] = [];

  constructor(before: AccessSide, after: AccessSide, task: ComparisonTask) {
    const { mode } = task;
    this.#before = before;
    this.#after = after;
    this.#context = {
      ...task,
      decideBefore: linkDecider(before.graph, mode),
      decideAfter: linkDecider(after.graph, mode),
      credentialKeyDiffers: credentialKeyOf(before.graph) !== credentialKeyOf(after.graph),
    };
  }

  /** Splits the authenticators that differ. */
  *#split(): ResumableWork<void> {
    const { graph: old } = this.#before;
    const { graph: changed } = this.#after;
    for (const issuer of this.#issuersToCompare()) {
      yield;
      this.#issuers.push(
        compareIssuer(nodeOf(old, issuer), nodeOf(changed, issuer), {
          mode: this.#context.mode,
          credentialIdKeys: [credentialKeyOf(old), credentialKeyOf(changed)],
        }),
      );
    }
  }

  /** Returns the issuers whose authenticators differ; equal ones decide all tokens alike. */
  #issuersToCompare(): readonly string[] {
    const { graph: old } = this.#before;
    const { graph: changed } = this.#after;
    return issuersOf(old, changed).filter(
      (issuer) =>
        this.#context.credentialKeyDiffers ||
        contentOf(nodeOf(old, issuer)) !== contentOf(nodeOf(changed, issuer)),
    );
  }

  *compare(): ResumableWork<AccessComparison> {
    yield* this.#split();
    const verdicts = {
      gained: yield* this.#verdict('gained'),
      lost: yield* this.#verdict('lost'),
      changed: yield* this.#verdict('changed'),
    };
    const { evaluations } = this.#context.budget;
    return {
      ...(yield* addFullControl({ verdicts, evaluations }, this.#changedSide(), this.#context)),
      settings: settingsDifferences(this.#before.graph, this.#after.graph),
    };
  }

  /** Returns the changed configuration with the authenticators that differ. */
  #changedSide(): AccessSide {
    const { graph } = this.#after;
    const nodes = this.#issuers.flatMap(({ after }) => after?.node ?? []);
    return { ...this.#after, graph: { ...graph, nodes } };
  }

  *#verdict(kind: AccessChangeKind): ResumableWork<AccessVerdict> {
    const changes: FoundAccessChange[] = [...this.#anonymousChange(kind)];
    const reasons: UndecidedReason[] = [];
    let tried = 0;
    for (const compared of this.#issuers) {
      yield;
      const answer = yield* answerFor(kind, compared, this.#context);
      if (answer.kind === 'found') {
        changes.push(yield* this.#change(kind, compared, answer.claims));
      }
      if (answer.kind !== 'undecided') continue;
      tried += answer.tried;
      for (const { place, construct } of answer.gaps) {
        reasons.push({ place: place && this.#place(place), construct });
      }
    }
    if (changes.length > 0) return { kind: 'found', changes };
    return reasons.length === 0
      ? { kind: 'proved' }
      : { kind: 'undecided', reasons: withoutRepetition(reasons), tried };
  }

  *#change(
    kind: AccessChangeKind,
    compared: ComparedIssuer,
    found: JsonObject,
  ): ResumableWork<FoundAccessChange> {
    const { forExamples } = this.#context.budget;
    forExamples.startQuestion();
    const claims = yield* minimizeClaims(
      found,
      (smaller) => changeFor(smaller, this.#context) === kind,
      forExamples,
    );
    const { decideBefore, decideAfter } = this.#context;
    const before = decideBefore(claims);
    const after = decideAfter(claims);
    const causes = causesOf(kind, compared, { claims, before, after });
    return {
      kind,
      witness: { issuer: compared.issuer, audience: audienceOf(claims), claims },
      before,
      after,
      cause: causes.map(({ rule, ...place }) => ({ ...this.#place(place), rule })),
    };
  }

  #anonymousChange(kind: AccessChangeKind): readonly FoundAccessChange[] {
    const graphs = [this.#before.graph, this.#after.graph] as const;
    const gain = kind === 'lost' ? anonymousGain(graphs[1], graphs[0]) : anonymousGain(...graphs);
    if (gain === undefined || kind === 'changed') return [];
    const { witness, before, after } = gain;
    const users = kind === 'lost' ? { before: after, after: before } : { before, after };
    const place = this.#place({ side: 'after', at: 'anonymous' });
    return [{ kind, witness, ...users, cause: [{ ...place, rule: 'anonymous' }] }];
  }

  #place(place: Parameters<typeof placeOfCondition>[0]) {
    return placeOfCondition(place, { before: this.#before.origins, after: this.#after.origins });
  }
}

const credentialKeyOf = ({ apiDomain, targetRelease }: AuthenticatorGraph): string | undefined =>
  tokenCredentialIdKey(apiDomain, targetRelease);

const nodeOf = ({ nodes }: AuthenticatorGraph, issuer: string): JwtNode | undefined =>
  nodes.find(({ issuerUrl }) => issuerUrl === issuer);

/** Returns a string that is equal only for authenticators that decide all tokens alike. */
const contentOf = (node: JwtNode | undefined): string | undefined =>
  node && JSON.stringify({ ...node, id: '' });

const issuersOf = (...graphs: readonly AuthenticatorGraph[]): readonly string[] => [
  ...new Set(graphs.flatMap(({ nodes }) => nodes.map(({ issuerUrl }) => issuerUrl))),
];

const withoutRepetition = (reasons: readonly UndecidedReason[]): readonly UndecidedReason[] => [
  ...new Map(reasons.map((reason) => [JSON.stringify(reason), reason])).values(),
];
