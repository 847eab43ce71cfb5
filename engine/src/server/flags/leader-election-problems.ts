/** Validates the flags of the leader election. */
import { jitterFactor, type LeaderElectionTiming } from '../../controllers/leader-election.ts';
import type { FlagProblem } from '../../flags/flag.ts';

/** Returns the problems; the rules are client-go's. */
export const leaderElectionProblems = (
  timing: LeaderElectionTiming | undefined,
): readonly FlagProblem[] => {
  if (timing === undefined) return [];
  const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = timing;
  const help = 'The defaults are 15s, 10s and 2s.';
  return [
    // The Lease has whole seconds, and client-go reads less than one as none.
    ...(leaseDurationMs < 1000
      ? [{ message: '--leader-elect-lease-duration must be at least 1s', help }]
      : []),
    ...(leaseDurationMs <= renewDeadlineMs
      ? [
          {
            message:
              '--leader-elect-lease-duration must be greater than --leader-elect-renew-deadline',
            help,
          },
        ]
      : []),
    ...(retryPeriodMs <= 0
      ? [{ message: '--leader-elect-retry-period must be greater than zero', help }]
      : []),
    ...(renewDeadlineMs <= retryPeriodMs * jitterFactor
      ? [
          {
            message: `--leader-elect-renew-deadline must be greater than ${jitterFactor} times --leader-elect-retry-period`,
            help,
          },
        ]
      : []),
  ];
};
