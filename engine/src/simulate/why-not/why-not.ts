/**
 * Finds the smallest changes with which rejected claims would be accepted. The rules name the
 * values that they expect, and each guess is tried with the server's own mapping, so every reported
 * change works; if none does, nothing is reported.
 */
import { type LinkedMapping, linkMapping } from '../../authenticators/jwt/link-mapping.ts';
import { type MappingRejection, mapClaims } from '../../authenticators/jwt/map-claims.ts';
import type { JwtNode, MappingNode, PrefixedMappingNode } from '../../authenticators/jwt/node.ts';
import { emailNotVerified } from '../../authenticators/jwt/rejections.ts';
import { planSerialized } from '../../cel/evaluate/plan-serialized.ts';
import type { Compilation } from '../../compile/compile.ts';
import { draftCredentialIdKey, graphOfValidEntries } from '../../compile/entry-node.ts';
import { editDistance } from '../../formats/edit-distance.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import { oneLine } from '../preview/headline.ts';
import { authenticatorIndexFor, ownClaim } from '../whoami/claims-decision.ts';
import {
  type ClaimChange,
  type ClaimData,
  changesFor,
  setChange,
  valueAt,
  withChange,
} from './claim-changes.ts';
import { expressionHints, type Hint, textsOf } from './expression-hints.ts';

/** A change of the claims with which they would be accepted. */
export interface WhyNot {
  /** The description: `if hd were "corp.example"`. */
  readonly text: string;
  /** All claims, with the change applied. */
  readonly claims: ClaimSet['claims'];
}

/** The time for which, and the effort with which, to search. */
export interface WhyNotOptions {
  /** The claims of other samples; those of the same issuer show the values that it sends. */
  readonly others?: readonly ClaimSet[];
  /** The time in milliseconds since 1970. */
  readonly now: number;
  /** The most runs of the mapping. */
  readonly mostRuns?: number;
}

/** Returns at most three changes, best first; none for claims that are accepted. */
export const whyNot = (
  compilation: Compilation,
  claims: ClaimSet,
  options: WhyNotOptions,
): readonly WhyNot[] => {
  const nodes = graphOfValidEntries(compilation)?.nodes ?? [];
  const search = new Search(compilation, claims, options);
  const issuers = (compilation.configuration?.jwt ?? []).map(({ issuer }) => issuer.url?.value);
  const taker = authenticatorIndexFor(issuers, claims);
  if (taker === undefined) for (const node of nodes) search.start(node, issuerChange(node, claims));
  else {
    const node = nodes.find(({ id }) => id === `jwt[${taker}]`);
    if (node !== undefined) search.start(node);
  }
  return search.run();
};

/** The most changes that are reported for one sample. */
const mostAnswers = 3;

/** The most claims that are changed together. */
const mostChanges = 2;

const defaultRuns = 600;

const charactersPerRun = 10_000;

/** Values of more samples are not looked at. */
const mostOthers = 50;

/**
 * Proposes the issuer of the authenticator; the cost is lower if it is spelled like the issuer of the
 * claims, or if the authenticator accepts their audience.
 */
const issuerChange = ({ issuerUrl, audiences }: JwtNode, { claims }: ClaimSet): ClaimChange => {
  const issuer = Object.hasOwn(claims, 'iss') ? claims.iss : undefined;
  const audience = Object.hasOwn(claims, 'aud') ? claims.aud : undefined;
  const tokenAudiences: readonly unknown[] = Array.isArray(audience) ? audience : [audience];
  const distance =
    typeof issuer === 'string' && issuer.length <= longestCompared
      ? editDistance(issuer, issuerUrl)
      : Number.POSITIVE_INFINITY;
  const hasAudience = audiences.some((one) => tokenAudiences.includes(one));
  return setChange(['iss'], issuerUrl, Math.min(1 + distance / 4, 2.5) + (hasAudience ? 0 : 0.5));
};

const longestCompared = 200;

interface State {
  readonly node: JwtNode;
  readonly claims: ClaimSet;
  readonly changes: readonly ClaimChange[];
  readonly cost: number;
  readonly refusal: MappingRejection;
}

/** A best-first search: it always continues from the cheapest change that was rejected. */
class Search {
  readonly #compilation: Compilation;
  readonly #claims: ClaimSet;
  readonly #nowSeconds: number;
  readonly #others: readonly ClaimSet[];
  readonly #valuesByPath = new Map<string, readonly ClaimData[]>();
  readonly #linked = new Map<JwtNode, LinkedMapping>();
  readonly #tried = new Set<string>();
  readonly #waiting: State[] = [];
  #found: Omit<State, 'refusal'>[] = [];
  #runsLeft: number;

  constructor(
    compilation: Compilation,
    claims: ClaimSet,
    { now, mostRuns, others = [] }: WhyNotOptions,
  ) {
    this.#compilation = compilation;
    this.#claims = claims;
    this.#nowSeconds = Math.floor(now / 1000);
    const issuer = ownClaim(claims, 'iss');
    this.#others = others.filter((other) => ownClaim(other, 'iss') === issuer).slice(0, mostOthers);
    this.#runsLeft = mostRuns ?? defaultRuns;
  }

  start(node: JwtNode, ...changes: readonly ClaimChange[]): void {
    this.#try(node, changes);
  }

  run(): readonly WhyNot[] {
    for (let state = this.#next(); state !== undefined; state = this.#next()) {
      for (const change of this.#changesOf(state)) {
        const others = state.changes.filter(({ names }) => !samePath(names, change.names));
        this.#try(state.node, [...others, change]);
      }
    }
    return this.#smallest().map(({ changes, claims }) => ({
      text: `if ${changes
        .map(({ text }) => oneLine(text))
        .sort()
        .join(', and ')}`,
      claims: claims.claims,
    }));
  }

  #next(): State | undefined {
    if (this.#runsLeft <= 0) return undefined;
    this.#waiting.sort((a, b) => b.cost - a.cost);
    const state = this.#waiting.pop();
    const found = this.#smallest();
    const [best] = found;
    const worst =
      found[mostAnswers - 1]?.cost ??
      (best === undefined ? Number.POSITIVE_INFINITY : best.cost + 1);
    return state === undefined || worst <= state.cost ? undefined : state;
  }

  #try(node: JwtNode, changes: readonly ClaimChange[]): void {
    if (changes.length > mostChanges || this.#runsLeft <= 0) return;
    const claims = changed(this.#claims, changes);
    const key = `${node.id} ${JSON.stringify(claims.claims)}`;
    if (this.#tried.has(key)) return;
    this.#tried.add(key);
    // A run takes as much longer as the claims are longer.
    this.#runsLeft -= 1 + Math.floor(key.length / charactersPerRun);
    const mapping = this.#linked.get(node) ?? linkMapping(node, planSerialized);
    this.#linked.set(node, mapping);
    const outcome = mapClaims(mapping, claims, {
      mode: 'product',
      credentialIdKey: draftCredentialIdKey(this.#compilation),
    });
    const cost = changes.reduce((sum, change) => sum + change.cost, 0);
    if (outcome.kind === 'user') {
      if (changes.length > 0) this.#found.push({ node, claims, changes, cost });
    } else this.#waiting.push({ node, claims, changes, cost, refusal: outcome });
  }

  /** Returns the cheapest changes first, without changes that include another result. */
  #smallest(): readonly Omit<State, 'refusal'>[] {
    const texts = (state: Omit<State, 'refusal'>): ReadonlySet<string> =>
      new Set(state.changes.map(({ text }) => text));
    this.#found.sort((a, b) => a.cost - b.cost);
    const smallest: Omit<State, 'refusal'>[] = [];
    const [best] = this.#found;
    for (const state of this.#found) {
      // If there is a cheap change, a far more expensive one is no useful answer.
      if (best !== undefined && state.cost >= best.cost + 1) break;
      const own = texts(state);
      if (!smallest.some((other) => texts(other).isSubsetOf(own))) smallest.push(state);
      if (smallest.length === mostAnswers) break;
    }
    this.#found = smallest.length === mostAnswers ? smallest : this.#found;
    return smallest;
  }

  #changesOf({ node, claims, refusal }: State): readonly ClaimChange[] {
    // No value makes the rule that reads it cheaper, and each try costs as much.
    if (refusal.cause === 'cost') return [];
    const field = refusal.at.slice(node.id.length + 1);
    if (refusal.code === emailNotVerified.code) return [setChange(['email_verified'], true)];
    const rule = claimRuleAt(node, field);
    if (rule !== undefined) return [setChange([rule.claim], rule.requiredValue)];
    const mapping = mappingAt(node, field);
    const hints =
      mapping?.kind === 'claim' ? [presenceOf(mapping.claim)] : this.#hintsAt(refusal.at, node);
    return hints.flatMap((hint) => {
      const { names } = hint.path;
      const current = valueAt(claims.claims, names);
      return changesFor(hint, current, {
        names,
        nowSeconds: this.#nowSeconds,
        samples: this.#valuesOfOthers(names),
        isFalseRule: refusal.cause === 'false rule',
      });
    });
  }

  /** Returns the different values that other samples have at a path. */
  #valuesOfOthers(names: readonly string[]): readonly ClaimData[] {
    const key = JSON.stringify(names);
    const known = this.#valuesByPath.get(key);
    if (known !== undefined) return known;
    const values = this.#others.flatMap((other) => {
      const value = valueAt(other.claims, names);
      return value === undefined ? [] : [[JSON.stringify(value), value] as const];
    });
    const different = [...new Map(values).values()];
    this.#valuesByPath.set(key, different);
    return different;
  }

  /**
   * Returns what the rejecting expression expects of claims; a user rule's hints go through the
   * mappings.
   */
  #hintsAt(path: string, node: JwtNode): readonly Hint[] {
    const hints = this.#hintsOf(path);
    const direct = hints.filter(
      ({ path: { root, names } }) => root === 'claims' && names.length > 0,
    );
    const through = hints
      .filter(({ path: { root } }) => root === 'user')
      .flatMap((hint) => this.#throughMapping(hint, node));
    return [...direct, ...through];
  }

  #hintsOf(path: string): readonly Hint[] {
    const { expressions } = this.#compilation;
    const placed =
      expressions.get(`${path}.expression`) ?? expressions.get(`${path}.valueExpression`);
    return placed === undefined ? [] : expressionHints(placed.compilation.checked.parsed);
  }

  #throughMapping(hint: Hint, node: JwtNode): readonly Hint[] {
    const [name = '', key] = hint.path.names;
    const at = `${node.id}.claimMappings.${name}`;
    if (name === 'extra') {
      const index = node.extra.findIndex((extra) => extra.key === key);
      return index === -1 ? [] : this.#throughExpression(hint, `${at}[${index}]`);
    }
    const mapping = mappingAt(node, `claimMappings.${name}`);
    if (mapping === undefined) return [];
    if (mapping.kind === 'expression') return this.#throughExpression(hint, at);
    const prefix = 'prefix' in mapping ? mapping.prefix : '';
    return [
      unprefixed(hint, [prefix], { names: [mapping.claim], isItem: hint.path.isItem }),
    ].flat();
  }

  #throughExpression(hint: Hint, path: string): readonly Hint[] {
    const { expressions } = this.#compilation;
    const placed =
      expressions.get(`${path}.expression`) ?? expressions.get(`${path}.valueExpression`);
    if (placed === undefined) return [];
    const { parsed } = placed.compilation.checked;
    const read = expressionHints(parsed).filter(({ kind }) => kind === 'presence');
    return read.flatMap(({ path: { names, isItem } }) =>
      unprefixed(hint, textsOf(parsed), { names, isItem: isItem || hint.path.isItem }),
    );
  }
}

const changed = (claims: ClaimSet, changes: readonly ClaimChange[]): ClaimSet => {
  const unreadable = new Map(claims.unreadable);
  let now = claims.claims;
  for (const change of changes) {
    now = withChange(now, change);
    unreadable.delete(change.names[0] ?? '');
  }
  return { claims: now, unreadable };
};

const samePath = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, index) => name === b[index]);

const claimRuleAt = (
  node: JwtNode,
  field: string,
): { readonly claim: string; readonly requiredValue: string } | undefined => {
  const [, index] = /^claimValidationRules\[(\d+)\]$/.exec(field) ?? [];
  const rule = index === undefined ? undefined : node.claimValidationRules[Number(index)];
  return rule?.kind === 'claim' ? rule : undefined;
};

const mappingAt = (node: JwtNode, field: string): PrefixedMappingNode | MappingNode | undefined => {
  if (field === 'claimMappings.username') return node.username;
  if (field === 'claimMappings.groups') return node.groups;
  return field === 'claimMappings.uid' ? node.uid : undefined;
};

const presenceOf = (claim: string): Hint => ({
  kind: 'presence',
  path: { root: 'claims', names: [claim], isItem: false },
});

/** Turns the hint into one about the claim: the prefix that a mapping adds is removed. */
const unprefixed = (
  hint: Hint,
  prefixes: readonly string[],
  path: { readonly names: readonly string[]; readonly isItem: boolean },
): readonly Hint[] => {
  const { literal } = hint;
  const about = (text: ClaimLiteral): Hint => ({
    ...hint,
    path: { root: 'claims', ...path },
    ...(text === undefined ? {} : { literal: text }),
  });
  const bare =
    typeof literal === 'string'
      ? prefixes
          .filter((one) => one !== '' && literal.startsWith(one))
          .map((one) => literal.slice(one.length))
      : [];
  return [...bare, literal].map(about);
};

type ClaimLiteral = Exclude<ClaimData, readonly ClaimData[] | object> | undefined;
