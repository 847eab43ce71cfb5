/**
 * How much the lists of one strategic merge patch cost: each item is looked for among the others. The
 * real server works as long as it takes, beside other requests; here all of them would wait.
 */
import { StrategicMergeError } from './patch-values.ts';

/** Items of one list: as it was, as the patch brings them and in its order. Several share the work. */
const maxMergedItems = 2000;

/** Of one patch. */
export class MergeBudget {
  #remaining = maxMergedItems ** 2;

  /** Throws where a list of so many items is too much. */
  spend(items: number): void {
    this.#remaining -= items ** 2;
    if (this.#remaining >= 0) return;
    throw new StrategicMergeError(
      `The allowed maximum of items in the lists that a strategic merge patch merges is ${maxMergedItems}: use a JSON patch or an update`,
      'tooLarge',
    );
  }
}
