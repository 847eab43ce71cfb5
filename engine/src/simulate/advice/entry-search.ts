/** Searches one authenticator for tokens that show or refute a finding. */
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import { planSerialized } from '../../cel/evaluate/plan-serialized.ts';
import type { SerializedExpression } from '../../cel/evaluate/serialize.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import type { Evidence, EvidenceToken } from '../../diagnostics/evidence.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../formats/json-with-shape.ts';
import type { UserInfo } from '../../model/user-info.ts';
import { once, oncePer } from '../../source/once.ts';
import { runToCompletion } from '../../source/resumable-work.ts';
import type { AccessPart } from '../access/access-part.ts';
import type { ComparedIssuer } from '../access/compared-issuer.ts';
import { passing } from '../access/condition.ts';
import { type DecideClaims, linkDecider } from '../access/decide-claims.ts';
import { EvaluationBudget } from '../access/evaluation-budget.ts';
import { minimizeClaims } from '../access/minimize-witness.ts';
import { solve } from '../access/solve.ts';
import { StringWalks } from '../access/string-walks.ts';
import { matchesTarget, type WhoCanTarget } from '../access/wanted-user.ts';
import { partsOfAuthenticator, whoCanWithin } from '../access/who-can.ts';
import { disjunctionClaims } from './disjunction-claims.ts';
import { claimsRead, typicalClaims } from './typical-claims.ts';

/** The maximum cost of the evaluations for one question, in units of kube-apiserver's cost model. */
const maxQuestionCost = 1_000_000;

/** The maximum cost of the evaluations for all questions about one entry. */
const maxEntryCost = 1_000_000;

/** How many questions about one entry can use all their evaluations. */
const questionsPerEntry = 10;

/** The maximum number of steps through state machines of strings, for all questions of one entry. */
const maxWalkSteps = 500_000;

/** The number of evaluations below which a search finds nothing. */
const minEvaluations = 20;

/** A token that the authenticator accepts, a proof that there is none, or neither. */
export type AcceptedToken =
  | { readonly kind: 'found'; readonly claims: JsonObject; readonly user: UserInfo }
  | { readonly kind: 'proved' }
  | { readonly kind: 'undecided'; readonly tried: number };

const mode = 'product';

const notSearched: AcceptedToken = { kind: 'undecided', tried: 0 };

const anyUser: WhoCanTarget = { field: 'username', value: '', match: 'prefix' };

/** What the questions about an entry share: they end together. */
interface SearchTask {
  readonly budget: EvaluationBudget;
  readonly walks: StringWalks;
}

interface EntryParts {
  readonly compared: ComparedIssuer;
  readonly byField: ReadonlyMap<string, readonly AccessPart[]>;
}

/** The search of one authenticator. */
export class EntrySearch {
  readonly node: JwtNode;
  readonly #graph: AuthenticatorGraph;
  readonly #decide: DecideClaims;
  /** How many evaluations are allowed for a question: fewer if each of them costs much. */
  readonly #maxEvaluations: number;
  /** How many evaluations are allowed for all questions. */
  readonly #maxForEntry: number;
  readonly #ownTask: SearchTask;
  /** The questions about this entry and others, per graph: an unchanged entry is asked again. */
  readonly #sharedTask = oncePer((_graph: AuthenticatorGraph) => this.#newTask());
  readonly #parts: () => EntryParts;
  #accepted: AcceptedToken | undefined;

  constructor(node: JwtNode, graph: AuthenticatorGraph, maxEvaluations: number) {
    this.node = node;
    const anonymous = { ...graph.anonymous, enabled: false };
    this.#graph = { ...graph, nodes: [node], anonymous };
    this.#decide = linkDecider(this.#graph, mode);
    const cost = Math.max(1, costOf(node));
    this.#maxEvaluations = Math.min(maxEvaluations, Math.ceil(maxQuestionCost / cost));
    const forEntry = questionsPerEntry * maxEvaluations;
    this.#maxForEntry = Math.min(forEntry, Math.ceil(maxEntryCost / cost));
    this.#ownTask = this.#newTask();
    this.#parts = once(() => {
      const compared = partsOfAuthenticator(node, graph, mode);
      return { compared, byField: Map.groupBy(compared.after?.parts ?? [], ({ at }) => at) };
    });
  }

  /** Returns a token that is accepted, with as few claims as possible. */
  get accepted(): AcceptedToken {
    this.#accepted ??= this.#isTooCostly
      ? notSearched
      : (this.#guessed() ?? this.#searched(anyUser, this.#ownTask));
    return this.#accepted;
  }

  #newTask(): SearchTask {
    return {
      budget: new EvaluationBudget(this.#maxEvaluations, this.#maxForEntry),
      walks: new StringWalks(maxWalkSteps),
    };
  }

  /** Returns a token that becomes a user. A question about several entries names their graph. */
  becoming(target: WhoCanTarget, graph?: AuthenticatorGraph): AcceptedToken {
    const task = graph === undefined ? this.#ownTask : this.#sharedTask(graph);
    const accepted = this.accepted;
    if (accepted.kind === 'proved' || this.#isTooCostly) return accepted;
    const known = accepted.kind === 'found' ? accepted.claims : typicalClaims(this.node);
    const username = accepted.kind === 'found' ? accepted.user.username : '';
    return (
      this.#changed(known, target, task) ??
      this.#satisfyingPart({ claims: known, username }, target, task) ??
      this.#searched(target, task)
    );
  }

  /** Decides the claims that the rules suggest. */
  #guessed(): AcceptedToken | undefined {
    const typical = typicalClaims(this.node);
    if (this.#decide(typical) === null) return undefined;
    const { budget } = this.#ownTask;
    budget.startQuestion();
    const accepts = (smaller: JsonObject): boolean => this.#decide(smaller) !== null;
    const claims = runToCompletion(minimizeClaims(typical, accepts, budget));
    return this.#found(claims);
  }

  /** Changes the claims that a mapping reads to the wanted value. */
  #changed(
    known: JsonObject,
    target: WhoCanTarget,
    { budget }: SearchTask,
  ): AcceptedToken | undefined {
    budget.startQuestion();
    const { field, value, match } = target;
    const mapping = field === 'extra' ? undefined : this.node[field];
    if (mapping === undefined) return undefined;
    const names = mapping.kind === 'claim' ? [mapping.claim] : claimsRead(mapping.expression);
    const prefix = mapping.kind === 'claim' ? mapping.prefix : '';
    const wanted = match === 'exact' ? value : `${value}admin`;
    if (!wanted.startsWith(prefix)) return undefined;
    const text = wanted.slice(prefix.length);
    const values = field === 'groups' ? [[text], text] : [text];
    for (const name of names) {
      for (const changed of replacements(known[name], values)) {
        const claims = { ...known, [name]: changed };
        if (!budget.spend()) return undefined;
        const user = this.#decide(claims);
        if (user !== null && matchesTarget(user, target)) return { kind: 'found', claims, user };
      }
    }
    return undefined;
  }

  /** Changes claims so that they may satisfy one part of a disjunction. */
  #satisfyingPart(
    known: { readonly claims: JsonObject; readonly username: string },
    target: WhoCanTarget,
    { budget }: SearchTask,
  ): AcceptedToken | undefined {
    if (target.field !== 'groups' || target.match !== 'exact') return undefined;
    budget.startQuestion();
    const isWanted = (claims: JsonObject): boolean => {
      const user = this.#decide(claims);
      return user !== null && matchesTarget(user, target);
    };
    for (const claims of disjunctionClaims(this.node, known, target.value)) {
      // The search that follows, and may prove that there is no such token, needs the rest.
      if (budget.remainingForTask <= minEvaluations || !budget.spend()) return undefined;
      if (!isWanted(claims)) continue;
      return this.#found(runToCompletion(minimizeClaims(claims, isWanted, budget)));
    }
    return undefined;
  }

  #searched(target: WhoCanTarget, { budget, walks }: SearchTask): AcceptedToken {
    budget.startQuestion();
    if (budget.remaining < minEvaluations) return notSearched;
    const before = budget.evaluations;
    const { compared } = this.#parts();
    const task = { mode, budget, walks, compared: () => compared } as const;
    const answer = whoCanWithin({ graph: this.#graph }, target, task);
    // The search itself is work, too.
    while (budget.evaluations - before < minEvaluations && budget.spend());
    if (answer.kind === 'proved') return { kind: 'proved' };
    const [example] = answer.kind === 'found' ? answer.examples : [];
    if (example === undefined || !('claims' in example.witness))
      return { kind: 'undecided', tried: budget.evaluations - before };
    return { kind: 'found', claims: example.witness.claims, user: example.user };
  }

  /** Whether the questions about this entry have used all evaluations. */
  get isSpent(): boolean {
    const { budget } = this.#ownTask;
    budget.startQuestion();
    return budget.remaining === 0;
  }

  get #isTooCostly(): boolean {
    return this.#maxEvaluations < minEvaluations;
  }

  #found(claims: JsonObject): AcceptedToken | undefined {
    const user = this.#decide(claims);
    return user === null ? undefined : { kind: 'found', claims, user };
  }

  /** Decides claims, and returns them as an example; `undefined` if the search is spent. */
  decided(claims: JsonObject): EvidenceToken | undefined {
    if (this.isSpent) return undefined;
    this.#ownTask.budget.spend();
    return tokenOf(claims, this.#decide(claims));
  }

  /** Returns whether it is proved that no token passes a rule. */
  rejectsAll(field: string): boolean {
    const { budget, walks } = this.#ownTask;
    if (this.#isTooCostly || this.isSpent) return false;
    const { compared, byField } = this.#parts();
    const parts = byField.get(`${this.node.id}.${field}`);
    if (parts === undefined) return false;
    const options = { issuer: compared.issuer, budget, walks, stringsPerClass: 1 } as const;
    return runToCompletion(solve(parts.map(passing), undefined, options)).kind === 'none';
  }
}

/** Returns a claim with one of its values replaced, at any depth. */
const replacements = (
  claim: JsonValue | undefined,
  values: readonly JsonValue[],
): readonly JsonValue[] => {
  if (!isJsonObject(claim)) return values;
  return Object.entries(claim).flatMap(([name, inner]) =>
    replacements(inner, values).map((changed) => ({ ...claim, [name]: changed })),
  );
};

/** Returns the cost of one evaluation of all expressions that read claims. */
const costOf = (node: JwtNode): number => {
  const claims = typicalClaims(node);
  return expressionsOfClaims(node)
    .map((expression) => planSerialized(expression).evaluate({ claims }).cost)
    .reduce((sum, cost) => sum + cost, 0);
};

/** Returns the expressions that read claims. */
const expressionsOfClaims = ({
  claimValidationRules,
  username,
  groups,
  uid,
  extra,
}: JwtNode): readonly SerializedExpression[] => [
  ...extra.map(({ expression }) => expression),
  ...[...claimValidationRules, username, groups, uid].flatMap((field) =>
    field?.kind === 'expression' ? [field.expression] : [],
  ),
];

/** Returns claims with their decision as an example. */
export const tokenOf = (claims: JsonObject, user: UserInfo | null): EvidenceToken => ({
  claims,
  user: user === null ? null : { username: user.username, groups: user.groups },
});

/** Returns the evidence of one or more tokens. */
export const tokens = (...examples: readonly EvidenceToken[]): Evidence => ({
  kind: 'tokens',
  tokens: examples,
});
