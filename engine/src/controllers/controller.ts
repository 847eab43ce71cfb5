/** Something that happens by itself, for as long as the server runs. */

/** One of them. */
export interface Controller {
  /** For logs and readiness. */
  readonly name: string;
  /** Begins to watch; never throws. */
  start(): void;
  /** Settles when nothing of it is under way any more. */
  stop(): Promise<void>;
}
