/** Returns the message of a thrown value. */
export const errorMessage = (cause: unknown): string =>
  cause instanceof Error ? cause.message : String(cause);
