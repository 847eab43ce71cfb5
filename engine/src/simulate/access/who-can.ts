/** Finds out which requests become a given user or a member of a given group, or proves that there are none. */
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import type { JsonObject } from '../../formats/json-with-shape.ts';
import { tokenCredentialIdKey } from '../../model/api-domain.ts';
import type { Mode } from '../../model/differences.ts';
import type { UserInfo } from '../../model/user-info.ts';
import { type ResumableWork, runToCompletion } from '../../source/resumable-work.ts';
import { placeOfCondition } from './access-causes.ts';
import type { AccessCause, AccessWitness, UndecidedReason } from './access-result.ts';
import type { AccessSide } from './access-side.ts';
import { anonymousPath, anonymousUser } from './anonymous-access.ts';
import { answerFor } from './compare-issuer.ts';
import { type ComparedIssuer, type ComparisonContext, compareIssuer } from './compared-issuer.ts';
import { linkDecider } from './decide-claims.ts';
import { EvaluationBudget } from './evaluation-budget.ts';
import { minimizeClaims } from './minimize-witness.ts';
import { StringWalks } from './string-walks.ts';
import { audienceOf } from './token-parts.ts';
import {
  isWantedByAddedGroup,
  matchesTarget,
  type WhoCanTarget,
  wantedPart,
} from './wanted-user.ts';

/**
 * A request that becomes the user, and the fields that map it.
 *
 * @example
 * ```ts
 * const nameOf = ({ user }: WhoCanExample) => user.username;
 * ```
 */
export interface WhoCanExample {
  readonly witness: AccessWitness;
  readonly user: UserInfo;
  readonly cause: readonly AccessCause[];
}

/**
 * The answer: an example for each authenticator that lets one in, a proof that there is none, or
 * neither.
 *
 * @example
 * ```ts
 * const isSafe = (answer: WhoCanAnswer) => answer.kind === 'proved';
 * ```
 */
export type WhoCanAnswer = { readonly evaluations: number } & (
  | { readonly kind: 'found'; readonly examples: readonly WhoCanExample[] }
  | { readonly kind: 'proved' }
  | {
      readonly kind: 'undecided';
      readonly reasons: readonly UndecidedReason[];
      readonly tried: number;
    }
);

/**
 * How to look for a user.
 *
 * @example
 * ```ts
 * const options: WhoCanOptions = { maxEvaluations: 10_000 };
 * ```
 */
export interface WhoCanOptions {
  readonly mode?: Mode;
  /** The maximum number of evaluations for one authenticator. */
  readonly maxEvaluations?: number;
}

/** What the search shares with the other questions of a larger task. */
export interface WhoCanTask {
  readonly mode: Mode;
  readonly budget: EvaluationBudget;
  readonly walks: StringWalks;
  /** The parts of the authenticators that are known. */
  readonly compared?: (node: JwtNode) => ComparedIssuer;
}

/**
 * Finds requests that become a user. The answer covers the JWT authenticators and anonymous
 * requests; other modules take their users from elsewhere.
 *
 * @example
 * ```ts
 * const answer = whoCan({ graph }, { field: 'groups', value: 'system:masters', match: 'exact' });
 * console.log(answer.kind === 'proved' ? 'no one' : answer);
 * ```
 */
export const whoCan = (
  side: AccessSide,
  target: WhoCanTarget,
  { mode = 'product', maxEvaluations }: WhoCanOptions = {},
): WhoCanAnswer => {
  const budget = new EvaluationBudget(maxEvaluations);
  return whoCanWithin(side, target, { mode, budget, walks: new StringWalks() });
};

/** Finds requests that become a user, as part of a larger task. */
export const whoCanWithin = (
  side: AccessSide,
  target: WhoCanTarget,
  task: WhoCanTask,
): WhoCanAnswer => runToCompletion(whoCanSteps(side, target, task));

/** Finds requests that become a user, in steps. */
export const whoCanSteps = (
  side: AccessSide,
  target: WhoCanTarget,
  task: WhoCanTask,
): ResumableWork<WhoCanAnswer> => new WhoCan(side, target, task).answer();

class WhoCan {
  readonly #side: AccessSide;
  readonly #target: WhoCanTarget;
  readonly #mode: Mode;
  readonly #comparedBefore: WhoCanTask['compared'];
  readonly #context: ComparisonContext;

  constructor(
    side: AccessSide,
    target: WhoCanTarget,
    { mode, budget, walks, compared }: WhoCanTask,
  ) {
    this.#side = side;
    this.#target = target;
    this.#mode = mode;
    this.#comparedBefore = compared;
    const decide = linkDecider(side.graph, mode);
    this.#context = {
      mode,
      budget,
      walks,
      decideBefore: () => null,
      decideAfter(claims) {
        const user = decide(claims);
        return user !== null && matchesTarget(user, target) ? user : null;
      },
      credentialKeyDiffers: false,
    };
  }

  *answer(): ResumableWork<WhoCanAnswer> {
    const examples: WhoCanExample[] = [];
    const reasons: UndecidedReason[] = [];
    let tried = 0;
    for (const node of this.#side.graph.nodes) {
      yield;
      const compared = this.#compared(node);
      const found = yield* answerFor('gained', compared, this.#context);
      if (found.kind === 'found') {
        examples.push(yield* this.#example(compared, found.claims));
      }
      if (found.kind !== 'undecided') continue;
      tried += found.tried;
      for (const { place, construct } of found.gaps) {
        reasons.push({ place: place && placeOfCondition(place, this.#origins()), construct });
      }
    }
    examples.push(...this.#anonymous());
    const { evaluations } = this.#context.budget;
    if (examples.length > 0) return { kind: 'found', examples, evaluations };
    if (reasons.length === 0) return { kind: 'proved', evaluations };
    return { kind: 'undecided', reasons, tried, evaluations };
  }

  /** Compares nothing with the authenticator, to which the wanted user is added as a part. */
  #compared(node: JwtNode): ComparedIssuer {
    const compared =
      this.#comparedBefore?.(node) ?? partsOfAuthenticator(node, this.#side.graph, this.#mode);
    const { after } = compared;
    if (after === undefined) return compared;
    const wanted = wantedPart(node, this.#target, { graph: this.#side.graph, mode: this.#mode });
    return { ...compared, after: { ...after, parts: [wanted, ...after.parts] } };
  }

  *#example(compared: ComparedIssuer, found: JsonObject): ResumableWork<WhoCanExample> {
    const { decideAfter, budget } = this.#context;
    const claims = yield* minimizeClaims(
      found,
      (smaller) => decideAfter(smaller) !== null,
      new EvaluationBudget(budget.remaining),
    );
    const user = decideAfter(claims) ?? anonymousUser;
    return {
      witness: { issuer: compared.issuer, audience: audienceOf(claims), claims },
      user,
      cause: this.#causesOf(compared, user),
    };
  }

  /** Returns the mapping of the wanted value, or the issuer if kube-apiserver adds the wanted group. */
  #causesOf({ after, issuer }: ComparedIssuer, user: UserInfo): readonly AccessCause[] {
    const [wanted] = after?.parts ?? [];
    if (after === undefined || wanted === undefined) return [];
    const { side, at, text } = wanted;
    const isAdded = isWantedByAddedGroup(user, this.#target);
    const field = isAdded ? `${after.node.id}.issuer` : at;
    const place = placeOfCondition({ side, at: field }, this.#origins());
    return [{ ...place, rule: isAdded ? issuer : text }];
  }

  #anonymous(): readonly WhoCanExample[] {
    const path = anonymousPath(this.#side.graph);
    if (path === undefined || !matchesTarget(anonymousUser, this.#target)) return [];
    const place = placeOfCondition({ side: 'after', at: 'anonymous' }, this.#origins());
    const cause = [{ ...place, rule: 'anonymous' }];
    return [{ witness: { request: { path } }, user: anonymousUser, cause }];
  }

  #origins(): Parameters<typeof placeOfCondition>[1] {
    return { before: undefined, after: this.#side.origins };
  }
}

/** Returns an authenticator with its parts, compared with nothing. */
export const partsOfAuthenticator = (
  node: JwtNode,
  { apiDomain, targetRelease }: AccessSide['graph'],
  mode: Mode,
): ComparedIssuer =>
  compareIssuer(undefined, node, {
    mode,
    credentialIdKeys: [undefined, tokenCredentialIdKey(apiDomain, targetRelease)],
  });
