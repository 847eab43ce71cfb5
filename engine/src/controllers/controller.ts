/** A controller: a loop that runs in the background for as long as the server does. */

/** A background loop that keeps objects in a desired state. */
export interface Controller {
  /** Name of the controller in logs and readiness checks. */
  readonly name: string;
  /** Starts the loop. Never throws. */
  start(): void;
  /** Stops the loop and settles when none of its work is in progress any more. */
  stop(): Promise<void>;
}
