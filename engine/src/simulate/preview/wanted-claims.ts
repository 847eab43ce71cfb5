/**
 * Finds the claims that a configuration reads, with their values: what a sample for it has to
 * contain.
 */
import { type ClaimPath, claimMentions } from '../../cel/editor/claim-mentions.ts';
import type { Compilation } from '../../compile/compile.ts';
import { claimFieldsOf } from '../../config/claim-fields.ts';
import { expressionsOf } from '../../config/expressions.ts';

/** A claim that the configuration reads, with the values and types that it expects. */
export interface WantedClaim {
  /** The path in the claims: `realm_access`, `roles`. */
  readonly path: readonly string[];
  /** Strings that the configuration compares it with; for `iss`, the URLs of the issuers. */
  readonly values: readonly string[];
  /** Whether the configuration iterates over it, or maps it to groups. */
  readonly isList: boolean;
  /** Whether the configuration reads a member of it. */
  readonly isMap: boolean;
}

/** Returns the claims that every token has first, then the others in file order. */
export const wantedClaims = (compilation: Compilation): readonly WantedClaim[] => {
  const wanted = new Wanted();
  const { configuration, expressions } = compilation;
  if (configuration === undefined) return [];
  for (const { issuer } of configuration.jwt) {
    if (issuer.url !== undefined) wanted.add(['iss'], { value: issuer.url.value });
    for (const { value } of issuer.audiences) wanted.add(['aud'], { value });
  }
  for (const { claim, requiredValue, isList } of claimFieldsOf(configuration))
    wanted.add([claim.value], { value: requiredValue, isList });
  for (const { path, environment } of expressionsOf(configuration)) {
    const compiled = expressions.get(path)?.compilation;
    if (compiled === undefined || environment !== 'claims') continue;
    for (const mention of claimMentions(compiled.checked.parsed)) wanted.addPath(mention.path);
  }
  return wanted.all;
};

interface Seen {
  readonly path: readonly string[];
  readonly values: Set<string>;
  isList: boolean;
  isMap: boolean;
}

interface Hint {
  readonly value?: string | undefined;
  readonly isList?: boolean;
  readonly isMap?: boolean;
}

class Wanted {
  readonly #byPath = new Map<string, Seen>();

  get all(): readonly WantedClaim[] {
    return [...this.#byPath.values()].map(({ path, values, isList, isMap }) => ({
      path,
      values: [...values],
      isList,
      isMap,
    }));
  }

  add(path: readonly string[], { value, isList = false, isMap = false }: Hint): void {
    const key = JSON.stringify(path);
    const seen = this.#byPath.get(key) ?? { path, values: new Set(), isList: false, isMap: false };
    this.#byPath.set(key, seen);
    if (value !== undefined && value !== '') seen.values.add(value);
    seen.isList ||= isList;
    seen.isMap ||= isMap;
  }

  /** Adds a path up to the first list item: members of list items are not listed. */
  addPath(steps: ClaimPath): void {
    const names: string[] = [];
    for (const [index, step] of steps.entries()) {
      if (step.kind === 'item') {
        this.add([...names], { isList: true });
        return;
      }
      if (names.length > 0) this.add([...names], { isMap: true });
      names.push(step.name);
      if (index === steps.length - 1) this.add([...names], {});
    }
  }
}
