/** The claims that a configuration reads: what a sample for it has to hold, and with which values. */
import { type ClaimPath, claimMentions } from '../../cel/editor/claim-mentions.ts';
import type { Compilation } from '../../compile/compile.ts';
import { claimFieldsOf } from '../../config/claim-fields.ts';
import { expressionsOf } from '../../config/expressions.ts';

/** A claim that the configuration reads, and what it wants of it. */
export interface WantedClaim {
  /** From the claims inwards: `realm_access`, `roles`. */
  readonly path: readonly string[];
  /** Texts that the configuration compares it with; `iss` has the URLs of the issuers. */
  readonly values: readonly string[];
  /** It is gone over, or becomes groups. */
  readonly isList: boolean;
  /** Something is read of what it holds. */
  readonly isMap: boolean;
}

/** Those that every token has first, then in the order of the file. */
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

  /** What lies below the items of a list is not told: a sample holds items of its own. */
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
