/** Searches one authenticator for tokens that show or refute a finding. */
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import { planSerialized } from '../../cel/evaluate/plan-serialized.ts';
import type { SerializedExpression } from '../../cel/evaluate/serialize.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import type { Evidence, EvidenceToken } from '../../diagnostics/evidence.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../formats/json-with-shape.ts';
import { tokenCredentialIdKey } from '../../model/api-domain.ts';
import type { UserInfo } from '../../model/user-info.ts';
import { compareIssuer } from '../access/compared-issuer.ts';
import { passing } from '../access/condition.ts';
import { type DecideClaims, linkDecider } from '../access/decide-claims.ts';
import { EvaluationBudget } from '../access/evaluation-budget.ts';
import { minimizeClaims } from '../access/minimize-witness.ts';
import { solve } from '../access/solve.ts';
import { StringWalks } from '../access/string-walks.ts';
import { matchesTarget, type WhoCanTarget } from '../access/wanted-user.ts';
import { whoCan } from '../access/who-can.ts';
import { claimsRead, typicalClaims } from './typical-claims.ts';

/** The maximum cost of the evaluations for one question, in units of kube-apiserver's cost model. */
const maxQuestionCost = 1_000_000;

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

/** The search of one authenticator. */
export class EntrySearch {
  readonly node: JwtNode;
  readonly #graph: AuthenticatorGraph;
  readonly #decide: DecideClaims;
  /** How many evaluations are allowed: fewer if each of them costs much. */
  readonly #maxEvaluations: number;
  #accepted: AcceptedToken | undefined;

  constructor(node: JwtNode, graph: AuthenticatorGraph, maxEvaluations: number) {
    this.node = node;
    const anonymous = { ...graph.anonymous, enabled: false };
    this.#graph = { ...graph, nodes: [node], anonymous };
    this.#decide = linkDecider(this.#graph, mode);
    const most = Math.ceil(maxQuestionCost / Math.max(1, costOf(node)));
    this.#maxEvaluations = Math.min(maxEvaluations, most);
  }

  /** Returns a token that is accepted, with as few claims as possible. */
  get accepted(): AcceptedToken {
    this.#accepted ??= this.#isTooCostly
      ? notSearched
      : (this.#guessed() ?? this.#searched(anyUser));
    return this.#accepted;
  }

  /** Returns a token that becomes a user. */
  becoming(target: WhoCanTarget): AcceptedToken {
    const accepted = this.accepted;
    if (accepted.kind === 'proved' || this.#isTooCostly) return accepted;
    const known = accepted.kind === 'found' ? accepted.claims : typicalClaims(this.node);
    return this.#changed(known, target) ?? this.#searched(target);
  }

  /** Decides the claims that the rules suggest. */
  #guessed(): AcceptedToken | undefined {
    const typical = typicalClaims(this.node);
    if (this.#decide(typical) === null) return undefined;
    const claims = minimizeClaims(typical, (smaller) => this.#decide(smaller) !== null);
    return this.#found(claims);
  }

  /** Changes the claims that a mapping reads to the wanted value. */
  #changed(known: JsonObject, target: WhoCanTarget): AcceptedToken | undefined {
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
        const user = this.#decide(claims);
        if (user !== null && matchesTarget(user, target)) return { kind: 'found', claims, user };
      }
    }
    return undefined;
  }

  #searched(target: WhoCanTarget): AcceptedToken {
    const maxEvaluations = this.#maxEvaluations;
    const answer = whoCan({ graph: this.#graph }, target, { mode, maxEvaluations });
    if (answer.kind === 'proved') return { kind: 'proved' };
    const [example] = answer.kind === 'found' ? answer.examples : [];
    if (example === undefined || !('claims' in example.witness))
      return { kind: 'undecided', tried: answer.evaluations };
    return { kind: 'found', claims: example.witness.claims, user: example.user };
  }

  get #isTooCostly(): boolean {
    return this.#maxEvaluations < minEvaluations;
  }

  #found(claims: JsonObject): AcceptedToken | undefined {
    const user = this.#decide(claims);
    return user === null ? undefined : { kind: 'found', claims, user };
  }

  /** Decides claims, and returns them as an example. */
  decided(claims: JsonObject): EvidenceToken {
    return tokenOf(claims, this.#decide(claims));
  }

  /** Returns whether it is proved that no token passes a rule. */
  rejectsAll(field: string): boolean {
    const { apiDomain, targetRelease } = this.#graph;
    const key = tokenCredentialIdKey(apiDomain, targetRelease);
    const { after, issuer } = compareIssuer(undefined, this.node, {
      mode,
      credentialIdKeys: [undefined, key],
    });
    const parts = after?.parts.filter(({ at }) => at === `${this.node.id}.${field}`) ?? [];
    const budget = new EvaluationBudget(this.#maxEvaluations);
    const options = { issuer, budget, walks: new StringWalks(), stringsPerClass: 1 } as const;
    if (parts.length === 0 || this.#isTooCostly) return false;
    return solve(parts.map(passing), undefined, options).kind === 'none';
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
