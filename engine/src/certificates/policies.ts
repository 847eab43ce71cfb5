/**
 * Validates the certificate policies of a chain: RFC 5280 section 6.1 with the algorithm of RFC
 * 9618, for a caller that accepts any policy. It can fail only if an authority requires an explicit
 * policy, or maps from or to anyPolicy.
 */
import { sameBytes } from '../formats/bytes.ts';
import type { Certificate } from './certificate.ts';

/** anyPolicy (2.5.29.32.0), DER-encoded. */
const anyPolicy = '\u0055\u001d\u0020\u0000';

interface PolicyNode {
  readonly policy: string;
  expected: readonly string[];
  readonly parents: Set<PolicyNode>;
  readonly children: Set<PolicyNode>;
}

type Level = Map<string, PolicyNode>;

/**
 * Returns true if the policies of the chain are valid. The policies of the authority itself are not
 * used.
 */
export const policiesHold = (chain: readonly Certificate[]): boolean => {
  const length = chain.length - 1;
  if (length < 1) return true;
  let tree: PolicyTree | undefined = new PolicyTree();
  // The number of certificates after which each restriction applies.
  let explicit = length + 1;
  let mapping = length + 1;
  let inhibitAny = length + 1;
  for (let at = length - 1; at >= 0; at -= 1) {
    const certificate = chain[at];
    if (certificate === undefined) return false;
    const { policies } = certificate.extensions;
    const isSelfIssued = sameBytes(certificate.issuer, certificate.subject);
    if (policies.asserted.length === 0) tree = undefined;
    if (explicit === 0 && tree === undefined) return false;
    const allowsAny = inhibitAny > 0 || (at > 0 && isSelfIssued);
    tree?.descend(policies.asserted, allowsAny);
    if (at === 0) break;
    if (tree !== undefined && !tree.map(policies.mappings, mapping > 0)) return false;
    if (!isSelfIssued) {
      explicit = Math.max(explicit - 1, 0);
      mapping = Math.max(mapping - 1, 0);
      inhibitAny = Math.max(inhibitAny - 1, 0);
    }
    explicit = earlier(explicit, policies.requireExplicit);
    mapping = earlier(mapping, policies.inhibitMapping);
    inhibitAny = earlier(inhibitAny, policies.inhibitAny);
  }
  explicit = Math.max(explicit - 1, 0);
  if (chain[0]?.extensions.policies.requireExplicit === 0n) explicit = 0;
  return explicit > 0 || tree?.hasValidPolicy() === true;
};

const earlier = (current: number, requested: bigint | undefined): number =>
  requested !== undefined && requested >= 0n && requested < BigInt(current)
    ? Number(requested)
    : current;

/**
 * The graph of valid policies. Each level is one certificate; nodes point to the policies they
 * derive from.
 */
class PolicyTree {
  readonly #levels: Level[] = [new Map([[anyPolicy, nodeOf(anyPolicy, [])]])];

  /** Adds the policies of the next certificate. */
  descend(asserted: readonly string[], allowsAny: boolean): void {
    const above = this.#leaves();
    const level: Level = new Map();
    this.#levels.push(level);
    const expecting = new Map<string, PolicyNode[]>();
    for (const node of above.values())
      for (const policy of node.expected)
        expecting.set(policy, [...(expecting.get(policy) ?? []), node]);
    for (const policy of asserted) {
      if (policy === anyPolicy) continue;
      const fallback = above.get(anyPolicy);
      const parents = expecting.get(policy) ?? (fallback === undefined ? [] : [fallback]);
      if (parents.length > 0) level.set(policy, nodeOf(policy, parents));
    }
    if (asserted.includes(anyPolicy) && allowsAny) this.#fill(above, level);
    this.#prune();
  }

  /** Applies policy mappings; returns false if one involves anyPolicy. */
  map(
    mappings: readonly { readonly issuer: string; readonly subject: string }[],
    allowed: boolean,
  ): boolean {
    const mapped = new Map<string, string[]>();
    for (const { issuer, subject } of mappings) {
      if (!allowed) this.#removeLeaf(issuer);
      else if (issuer === anyPolicy || subject === anyPolicy) return false;
      else mapped.set(issuer, [...(mapped.get(issuer) ?? []), subject]);
    }
    if (mappings.length > 0) this.#prune();
    const leaves = this.#leaves();
    for (const [issuer, subjects] of mapped) {
      const matching = leaves.get(issuer);
      const fallback = leaves.get(anyPolicy);
      if (matching !== undefined) matching.expected = subjects;
      else if (fallback !== undefined) {
        const node = nodeOf(issuer, [fallback]);
        node.expected = subjects;
        leaves.set(issuer, node);
      }
    }
    return true;
  }

  /** Returns true if a policy derives only from anyPolicy, or if anyPolicy is valid at the end. */
  hasValidPolicy(): boolean {
    if (this.#leaves().has(anyPolicy)) return true;
    return this.#levels.some((level) =>
      [...level.values()].some(({ policy, parents }) => {
        const [parent] = parents;
        return policy !== anyPolicy && parents.size === 1 && parent?.policy === anyPolicy;
      }),
    );
  }

  #leaves(): Level {
    return this.#levels.at(-1) ?? new Map();
  }

  /** Adds the expected policies that were not asserted, on behalf of anyPolicy. */
  #fill(above: Level, level: Level): void {
    const missing = new Map<string, PolicyNode[]>();
    for (const parent of above.values()) {
      for (const policy of parent.expected) {
        if (!level.has(policy)) missing.set(policy, [...(missing.get(policy) ?? []), parent]);
      }
    }
    for (const [policy, parents] of missing) level.set(policy, nodeOf(policy, parents));
  }

  /** Removes nodes above the last level that have no children. */
  #prune(): void {
    for (let depth = this.#levels.length - 2; depth > 0; depth -= 1) {
      const level = this.#levels[depth] ?? new Map<string, PolicyNode>();
      for (const node of level.values()) {
        if (node.children.size > 0) continue;
        for (const parent of node.parents) parent.children.delete(node);
        level.delete(node.policy);
      }
    }
  }

  #removeLeaf(policy: string): void {
    const leaves = this.#leaves();
    const leaf = leaves.get(policy);
    for (const parent of leaf?.parents ?? []) if (leaf) parent.children.delete(leaf);
    leaves.delete(policy);
  }
}

const nodeOf = (policy: string, parents: readonly PolicyNode[]): PolicyNode => {
  const node: PolicyNode = {
    policy,
    expected: [policy],
    parents: new Set(parents),
    children: new Set(),
  };
  for (const parent of parents) parent.children.add(node);
  return node;
};
