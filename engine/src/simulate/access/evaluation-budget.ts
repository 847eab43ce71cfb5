/**
 * Limits the work by the number of evaluations instead of seconds, so that the answer is the same on every machine.
 */

/** The maximum number of evaluations for one question, such as: who gains access through this issuer? */
const maxQuestionEvaluations = 400_000;

/** The maximum number of evaluations for one comparison. */
export const maxTotalEvaluations = 2_000_000;

/** The number of evaluations after which resumable work yields. */
const evaluationsPerStep = 16;

export class EvaluationBudget {
  readonly #forQuestion: number;
  readonly #forTask: number;
  #total = 0;
  #question = 0;
  #step = 0;
  #forExamples: EvaluationBudget | undefined;

  constructor(forQuestion: number = maxQuestionEvaluations, forTask: number = maxTotalEvaluations) {
    this.#forQuestion = forQuestion;
    this.#forTask = forTask;
  }

  /** The number of evaluations so far. */
  get evaluations(): number {
    return this.#total;
  }

  /** The number of evaluations that the current question may still use. */
  get remaining(): number {
    const forQuestion = this.#forQuestion - this.#question;
    return Math.max(0, Math.min(forQuestion, this.remainingForTask));
  }

  /** The number of evaluations that all further questions may use. */
  get remainingForTask(): number {
    return this.#forTask - this.#total;
  }

  /** The budget for removing what examples do not need, with the same limits. */
  get forExamples(): EvaluationBudget {
    this.#forExamples ??= new EvaluationBudget(this.#forQuestion, this.#forTask);
    return this.#forExamples;
  }

  startQuestion(): void {
    this.#question = 0;
  }

  /** Starts another step if this one has used its evaluations; returns whether it has. */
  endStep(): boolean {
    if (this.#step < evaluationsPerStep) return false;
    this.#step = 0;
    return true;
  }

  /** Counts the evaluations of a search that had a budget of its own. */
  add(evaluations: number): void {
    this.#total += evaluations;
    this.#question += evaluations;
  }

  /** Counts an evaluation; returns `false` if no more is allowed. */
  spend(): boolean {
    if (this.remaining === 0) return false;
    this.#total++;
    this.#question++;
    this.#step++;
    return true;
  }
}
