/**
 * How much the lists of one strategic merge patch cost: each item is looked for among the others. The
 * real server works as long as it takes, beside other requests; here all of them would wait.
 */
import { PatchError } from './patch-values.ts';

/** Items of one list: as it was, as the patch brings them and in its order. Several share the work. */
const mostMergedItems = 2000;

/** Of one patch. */
export class MergeWork {
  #left = mostMergedItems ** 2;

  /** Throws where a list of so many items is too much. */
  spend(items: number): void {
    this.#left -= items ** 2;
    if (this.#left >= 0) return;
    throw new PatchError(
      `The allowed maximum of items in the lists that a strategic merge patch merges is ${mostMergedItems}: use a JSON patch or an update`,
      'tooLarge',
    );
  }
}
