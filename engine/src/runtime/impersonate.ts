/**
 * May this caller act as that identity, for this request? The classic filter asks for `impersonate`
 * alone; since 1.36 the constrained modes are tried first, and their first denial is the one that is
 * told. What comes out has nothing of the caller in it.
 */
import type { UserInfo } from '../model/user-info.ts';
import type { Authorizer } from '../ports/authorizer.ts';
import type { Metrics } from '../ports/metrics.ts';
import { lastGoodModes } from './impersonation-cache.ts';
import type { Ask, Asked, Denial } from './impersonation-checks.ts';
import {
  classicMode,
  constrainedModes,
  type ImpersonationQuestion,
  impersonationModes,
  type ModeName,
  type ModeSettings,
} from './impersonation-modes.ts';

export type { Asked, Denial } from './impersonation-checks.ts';
export type { ModeName } from './impersonation-modes.ts';

export interface Impersonated {
  readonly kind: 'impersonated';
  readonly user: UserInfo;
  readonly mode: ModeName;
  /** The verb that allowed it, for the audit: `impersonate:user-info`; empty for the classic one. */
  readonly constraint: string;
}

export type ImpersonationOutcome = Impersonated | Denial;

export type Impersonator = (
  question: Omit<ImpersonationQuestion, 'ask'>,
) => Promise<ImpersonationOutcome>;

export interface ImpersonatorSettings extends ModeSettings {
  readonly authorizer: Authorizer;
  readonly metrics: Metrics;
  /** The feature gate ConstrainedImpersonation. */
  readonly constrained: boolean;
}

/** Who decides about acting as others: with the constrained modes where their gate is on. */
export const impersonator = (settings: ImpersonatorSettings): Impersonator =>
  settings.constrained ? constrained(settings) : classic(settings);

const classic = ({ authorizer, domain }: ImpersonatorSettings): Impersonator => {
  const mode = classicMode({ domain, uidLast: true });
  return async (question) => {
    // An authorizer that fails denies without a word.
    const ask: Ask = async (asked) => {
      const told = await authorizer.authorize({ user: question.requestor, ...asked });
      return told.allowed && told.error === undefined
        ? undefined
        : { kind: 'denied', asked, reason: told.reason };
    };
    const checked = await mode.check({ ...question, ask });
    if (checked === undefined) throw new Error('unreachable: the classic mode is for everybody');
    return 'kind' in checked ? checked : impersonated(checked, 'legacy');
  };
};

const constrained = (settings: ImpersonatorSettings): Impersonator => {
  const { clock, metrics } = settings;
  const modes = impersonationModes(settings);
  const lastGood = lastGoodModes();

  const decide = async (question: ImpersonationQuestion): Promise<ImpersonationOutcome> => {
    const { username } = question.requestor;
    const remembered = lastGood.get(username);
    const order =
      remembered === undefined
        ? [...modes.keys()]
        : [remembered, ...[...modes.keys()].filter((position) => position !== remembered)];
    let firstDenial: Denial | undefined;
    for (const position of order) {
      const mode = modes[position];
      const checked = await mode?.check(question);
      if (mode === undefined || checked === undefined) continue;
      if (!('kind' in checked)) {
        if (position !== remembered) lastGood.set(username, position);
        return impersonated(checked, mode.name);
      }
      firstDenial ??= checked;
    }
    if (firstDenial === undefined) throw new Error('unreachable: the classic mode always answers');
    return firstDenial;
  };

  return async (question) => {
    const ask: Ask = (asked) => askCounted(asked, question.requestor, settings);
    const started = clock.monotonic();
    const outcome = await decide({ ...question, ask });
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

const askCounted = async (
  asked: Asked,
  user: UserInfo,
  { authorizer, clock, metrics }: ImpersonatorSettings,
): Promise<Denial | undefined> => {
  const started = clock.monotonic();
  const { allowed, reason, error } = await authorizer.authorize({ user, ...asked });
  const labels = { mode: modeOf(asked), decision: allowed ? 'allowed' : 'denied' };
  const seconds = (clock.monotonic() - started) / 1000;
  metrics.increment('apiserver_impersonation_authorization_attempts_total', labels);
  metrics.observe(
    'apiserver_impersonation_authorization_attempts_duration_seconds',
    seconds,
    labels,
  );
  if (allowed) return undefined;
  const words = [error, reason].filter((text) => text !== undefined && text !== '');
  return { kind: 'denied', asked, reason: words.join(': ') };
};

const modeOf = ({ resource, nonResource }: Asked): ModeName => {
  const verb = resource?.verb ?? nonResource?.verb ?? '';
  const isOf = (name: string) =>
    verb === `impersonate:${name}` || verb.startsWith(`impersonate-on:${name}:`);
  return constrainedModes.find(isOf) ?? 'legacy';
};

const impersonated = (user: UserInfo, mode: ModeName): Impersonated => ({
  kind: 'impersonated',
  user,
  mode,
  constraint: mode === 'legacy' ? '' : `impersonate:${mode}`,
});
