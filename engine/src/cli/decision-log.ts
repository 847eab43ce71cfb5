/** Opens the file of `--decision-log`. */
import { openSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type NodeLog, nodeLog } from '../node/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { ServeOptions } from '../server/flags/options.ts';

export type DecisionLog =
  | { readonly kind: 'open'; readonly log: NodeLog | undefined }
  | { readonly kind: 'failed'; readonly reason: string };

type Settings = Pick<ServeOptions, 'decisionLog'>;

/** Returns why the file cannot be opened, without creating it. */
export const decisionLogProblem = async ({
  decisionLog: path,
}: Settings): Promise<string | undefined> => {
  if (path === undefined || path === '-') return undefined;
  try {
    await access(path, constants.W_OK).catch((cause: unknown) => {
      if (!isMissing(cause)) throw cause;
      return access(dirname(path), constants.W_OK);
    });
    return undefined;
  } catch (cause) {
    return openFailure(cause);
  }
};

export interface DecisionLogOptions {
  readonly metrics: Metrics;
  /** The maximum number of characters buffered for a slow reader. */
  readonly maxBufferedCharacters: number;
}

/** Opens the log; dropped lines are counted. */
export const openDecisionLog = (
  { decisionLog }: Settings,
  { metrics, maxBufferedCharacters }: DecisionLogOptions,
): DecisionLog => {
  if (decisionLog === undefined) return { kind: 'open', log: undefined };
  const onDropped = (): void => metrics.increment('authgraph_decision_log_dropped_total');
  if (decisionLog === '-') {
    return {
      kind: 'open',
      log: nodeLog({ destination: standardOutput, onDropped, maxBufferedCharacters }),
    };
  }
  try {
    // Decisions contain personal data, so only the owner can read the file.
    const destination = openSync(decisionLog, 'a', 0o600);
    return { kind: 'open', log: nodeLog({ destination, onDropped, maxBufferedCharacters }) };
  } catch (cause) {
    return { kind: 'failed', reason: openFailure(cause) };
  }
};

const standardOutput = 1;

const isMissing = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';

const openFailure = (cause: unknown): string =>
  `the decision log cannot be opened: ${cause instanceof Error ? cause.message : String(cause)}`;
