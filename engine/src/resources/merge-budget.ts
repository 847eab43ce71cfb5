/**
 * Limits the work for the lists of a strategic merge patch, where each item is searched among the
 * others. kube-apiserver takes as long as it needs while it serves other requests; here all other
 * requests would wait.
 */
import { StrategicMergeError } from './patch-values.ts';

/**
 * Maximum number of items of one list: the stored ones, those of the patch and those of its order.
 * Several lists share the corresponding budget.
 */
const maxMergedItems = 2000;

/** The budget of one patch. */
export class MergeBudget {
  #remaining = maxMergedItems ** 2;

  /** Throws if a list of so many items exceeds the budget. */
  spend(items: number): void {
    this.#remaining -= items ** 2;
    if (this.#remaining >= 0) return;
    throw new StrategicMergeError(
      `The allowed maximum of items in the lists that a strategic merge patch merges is ${maxMergedItems}: use a JSON patch or an update`,
      'tooLarge',
    );
  }
}
