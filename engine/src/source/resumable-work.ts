/** Work in steps: its caller may pause it or give it up between two of them. */
export type ResumableWork<Result> = Generator<undefined, Result>;

/** Runs all steps at once. */
export const runToCompletion = <Result>(steps: ResumableWork<Result>): Result => {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
};
