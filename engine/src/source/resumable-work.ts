/** Work in steps, between which the caller may pause or abandon it. */
export type ResumableWork<Result> = Generator<undefined, Result>;

/** Runs all steps without a pause. */
export const runToCompletion = <Result>(steps: ResumableWork<Result>): Result => {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
};
