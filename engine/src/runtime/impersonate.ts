/**
 * Decides whether a caller may impersonate a user for a request. The legacy mode checks the verb
 * `impersonate` only. Since 1.36 the constrained modes are tried first, and the first denial is
 * reported. The resulting user has nothing of the caller.
 */
import type { UserInfo } from '../model/user-info.ts';
import type { Authorizer } from '../ports/authorizer.ts';
import type { Metrics } from '../ports/metrics.ts';
import { lastSuccessfulModes } from './impersonation-cache.ts';
import type { AuthorizationAttributes, Authorize, Denial } from './impersonation-checks.ts';
import {
  classicMode,
  constrainedModes,
  type ImpersonationAttempt,
  impersonationModes,
  type ModeName,
  type ModeSettings,
} from './impersonation-modes.ts';

export type { AuthorizationAttributes, Denial } from './impersonation-checks.ts';
export type { ModeName } from './impersonation-modes.ts';

export interface Impersonated {
  readonly kind: 'impersonated';
  readonly user: UserInfo;
  readonly mode: ModeName;
  /**
   * The verb that allowed it, for the audit annotation: `impersonate:user-info`; empty for the
   * legacy mode.
   */
  readonly constraint: string;
}

export type ImpersonationOutcome = Impersonated | Denial;

export type Impersonator = (
  attempt: Omit<ImpersonationAttempt, 'authorize'>,
) => Promise<ImpersonationOutcome>;

export interface ImpersonatorSettings extends ModeSettings {
  readonly authorizer: Authorizer;
  readonly metrics: Metrics;
  /** The feature gate ConstrainedImpersonation. */
  readonly constrained: boolean;
}

/** Creates an impersonator, with the constrained modes if their feature gate is enabled. */
export const impersonator = (settings: ImpersonatorSettings): Impersonator =>
  settings.constrained ? constrained(settings) : classic(settings);

const classic = ({ authorizer, domain }: ImpersonatorSettings): Impersonator => {
  const mode = classicMode({ domain, uidLast: true });
  return async (attempt) => {
    // An authorizer that fails denies without a reason.
    const authorize: Authorize = async (attributes) => {
      const authorization = await authorizer.authorize({ user: attempt.requestor, ...attributes });
      return authorization.allowed && authorization.error === undefined
        ? undefined
        : { kind: 'denied', attributes, reason: authorization.reason };
    };
    const result = await mode.check({ ...attempt, authorize });
    if (result === undefined) throw new Error('unreachable: the classic mode is for everybody');
    return 'kind' in result ? result : impersonated(result, 'legacy');
  };
};

const constrained = (settings: ImpersonatorSettings): Impersonator => {
  const { clock, metrics } = settings;
  const modes = impersonationModes(settings);
  const lastSuccessful = lastSuccessfulModes();

  const decide = async (attempt: ImpersonationAttempt): Promise<ImpersonationOutcome> => {
    const { username } = attempt.requestor;
    const remembered = lastSuccessful.get(username);
    const order =
      remembered === undefined
        ? [...modes.keys()]
        : [remembered, ...[...modes.keys()].filter((position) => position !== remembered)];
    let firstDenial: Denial | undefined;
    for (const position of order) {
      const mode = modes[position];
      const result = await mode?.check(attempt);
      if (mode === undefined || result === undefined) continue;
      if (!('kind' in result)) {
        if (position !== remembered) lastSuccessful.set(username, position);
        return impersonated(result, mode.name);
      }
      firstDenial ??= result;
    }
    if (firstDenial === undefined) throw new Error('unreachable: the classic mode always answers');
    return firstDenial;
  };

  return async (attempt) => {
    const authorize: Authorize = (attributes) =>
      authorizeAndCount(attributes, attempt.requestor, settings);
    const started = clock.monotonic();
    const outcome = await decide({ ...attempt, authorize });
    const labels =
      outcome.kind === 'impersonated'
        ? { mode: outcome.mode, decision: 'allowed' }
        : { mode: '', decision: 'denied' };
    const seconds = (clock.monotonic() - started) / 1000;
    metrics.increment('apiserver_impersonation_attempts_total', labels);
    metrics.observe('apiserver_impersonation_attempts_duration_seconds', seconds, labels);
    return outcome;
  };
};

const authorizeAndCount = async (
  attributes: AuthorizationAttributes,
  user: UserInfo,
  { authorizer, clock, metrics }: ImpersonatorSettings,
): Promise<Denial | undefined> => {
  const started = clock.monotonic();
  const { allowed, reason, error } = await authorizer.authorize({ user, ...attributes });
  const labels = { mode: modeOf(attributes), decision: allowed ? 'allowed' : 'denied' };
  const seconds = (clock.monotonic() - started) / 1000;
  metrics.increment('apiserver_impersonation_authorization_attempts_total', labels);
  metrics.observe(
    'apiserver_impersonation_authorization_attempts_duration_seconds',
    seconds,
    labels,
  );
  if (allowed) return undefined;
  const reasons = [error, reason].filter((text) => text !== undefined && text !== '');
  return { kind: 'denied', attributes, reason: reasons.join(': ') };
};

const modeOf = ({ resource, nonResource }: AuthorizationAttributes): ModeName => {
  const verb = resource?.verb ?? nonResource?.verb ?? '';
  const isVerbOf = (name: string) =>
    verb === `impersonate:${name}` || verb.startsWith(`impersonate-on:${name}:`);
  return constrainedModes.find(isVerbOf) ?? 'legacy';
};

const impersonated = (user: UserInfo, mode: ModeName): Impersonated => ({
  kind: 'impersonated',
  user,
  mode,
  constraint: mode === 'legacy' ? '' : `impersonate:${mode}`,
});
