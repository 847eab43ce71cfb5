/**
 * Fills Secrets of type `kubernetes.io/service-account-token` with `token`, `ca.crt` and
 * `namespace`, and deletes those whose service account does not exist, as kube-controller-manager's
 * tokens controller does. All such Secrets are compared with all service accounts after a change
 * and periodically.
 */
import { accountNameDomains } from '../model/api-domain.ts';
import type { JsonObject } from '../model/json.ts';
import type { ObjectView } from '../ports/object-view.ts';
import { StoreError } from '../ports/store.ts';
import {
  type AccountTokenSecret,
  readAccountTokenSecret,
} from '../resources/account-token-secret.ts';
import { stringAt } from '../resources/object-fields.ts';
import type { Controller } from './controller.ts';
import { retryDelays } from './retry-delays.ts';
import {
  deleteTokenSecret,
  fillTokenSecret,
  isAccountOf,
  liveAccount,
  logFields,
  removeSecretReference,
  type Scope,
  type TokenSecretFill,
  type TokenSecretServices,
} from './token-secret-writes.ts';

export interface ServiceAccountTokensServices extends TokenSecretServices {
  readonly view: Pick<ObjectView, 'list' | 'onChange'>;
  readonly apiDomain: string;
  /**
   * PEM of the certificate authority that signed the server's certificate; known once the server
   * listens.
   */
  readonly rootCertificate: Promise<string | undefined>;
}

/** Changes that arrive together are handled together. */
const settleMs = 20;
/** Delay after the first failure, and while the view is not ready. */
const retryMs = 1_000;
/** Time between two comparisons without a change. */
const resyncMs = 60_000;
/** Attempts for one version of a Secret, and for the removal of a reference to a deleted Secret. */
const maxTries = 10;
/** Secrets that failed before and are retried in one pass. */
const maxRetriesPerSync = 10;

/** A service account that may still list a Secret which was deleted. */
interface StaleReference {
  readonly secret: AccountTokenSecret;
  tries: number;
  /** Monotonic time of the next attempt. */
  dueAt: number;
}

/** Returns a controller that is inactive until `start` is called. */
export const serviceAccountTokens = (services: ServiceAccountTokensServices): Controller => {
  const { view, clock } = services;
  const nameDomains = accountNameDomains(services.apiDomain);
  const stopping = Promise.withResolvers<undefined>();
  /** Secrets that were deleted but that the view may still contain. */
  const removed = new WeakSet<JsonObject>();
  const staleReferences: StaleReference[] = [];
  const delays = retryDelays({ clock, firstDelayMs: retryMs, maxTries });
  const unsubscribe: (() => void)[] = [];
  let stopped = false;
  let running: Promise<void> | undefined;
  let changed = false;
  let cancel = (): void => {};

  /** Monotonic time from which values that differ are replaced too. */
  let allDueAt = Number.NEGATIVE_INFINITY;

  const syncAfter = (waitMs: number): void => {
    cancel();
    if (!stopped) cancel = clock.after(waitMs, startSync);
  };
  const startSync = (): void => {
    if (stopped || running !== undefined) return;
    changed = false;
    const startedAt = clock.monotonic();
    const scope: Scope = startedAt >= allDueAt ? 'all' : 'absent';
    running = syncAll(scope).then((isReady) => {
      running = undefined;
      if (!isReady) return syncAfter(retryMs);
      if (scope === 'all') allDueAt = startedAt + resyncMs;
      const waitMs = nextTryAt() - clock.monotonic();
      syncAfter(changed ? settleMs : Math.min(Math.max(waitMs, settleMs), resyncMs));
    });
  };
  const onChange = (): void => {
    // The first of several changes determines when the pass starts.
    if (!changed && running === undefined) syncAfter(settleMs);
    changed = true;
  };

  const nextTryAt = (): number =>
    staleReferences.reduce((next, { dueAt }) => Math.min(next, dueAt), delays.nextAt());

  /** Returns whether the view was ready. Never rejects. */
  const syncAll = async (scope: Scope): Promise<boolean> => {
    const rootCertificate = await Promise.race([services.rootCertificate, stopping.promise]);
    const secrets = view.list('secrets');
    const accounts = view.list('serviceaccounts');
    if (secrets === undefined || accounts === undefined) return stopped;
    const byName = new Map(accounts.map((account) => [keyOf(account), account]));
    const candidates: Candidate[] = [];
    for (const object of secrets) {
      const secret = readAccountTokenSecret(object, nameDomains);
      if (secret === undefined || removed.has(object)) continue;
      const viewAccount = byName.get(`${secret.namespace}/${secret.accountName}`);
      candidates.push({
        object,
        secret,
        viewAccount,
        key: keyOf(object),
        version: versionOf(object, secret, viewAccount),
      });
    }
    delays.retainOnly(new Set(candidates.map(({ key }) => key)));
    for (const candidate of inOrder(candidates)) {
      if (stopped) return true;
      await sync(candidate, { scope, rootCertificate });
    }
    await removeReferences();
    return true;
  };

  /**
   * Returns the candidates of this pass; Secrets that have not failed come first, so that the
   * others do not hold them up.
   */
  const inOrder = (candidates: readonly Candidate[]): readonly Candidate[] => {
    const now = clock.monotonic();
    const first: Candidate[] = [];
    const again: Candidate[] = [];
    for (const candidate of candidates) {
      const dueAt = delays.dueAt(candidate.key, candidate.version);
      if (dueAt === undefined) first.push(candidate);
      else if (dueAt <= now) again.push(candidate);
    }
    return [...first, ...again.slice(0, maxRetriesPerSync)];
  };

  const sync = async (
    { object, secret, viewAccount, key, version }: Candidate,
    filling: Pick<TokenSecretFill, 'scope' | 'rootCertificate'>,
  ): Promise<void> => {
    // A retry repeats what failed, which may be the replacement of a value.
    const scope = delays.dueAt(key, version) === undefined ? filling.scope : 'all';
    const outcome = await attempt(async () => {
      const account = isAccountOf(secret, viewAccount)
        ? viewAccount
        : await liveAccount(secret, services);
      if (account !== undefined)
        return fillTokenSecret({ ...filling, object, secret, account, scope }, services);
      await deleteTokenSecret({ object, secret }, services);
      removed.add(object);
      return undefined;
    });
    if (outcome.kind === 'done') return delays.succeed(key);
    if (outcome.kind === 'invalid') {
      delays.giveUp(key, version);
      return logFailure(secret, outcome.reason, 'after the Secret changes');
    }
    const delayMs = delays.fail(key, version);
    const isLast = delayMs === Number.POSITIVE_INFINITY;
    // Another writer was faster; the next pass usually sees its change.
    if (outcome.kind === 'conflict' && !isLast) return;
    logFailure(secret, outcome.reason, isLast ? 'after the Secret changes' : `in ${delayMs} ms`);
  };

  const removeReferences = async (): Promise<void> => {
    const now = clock.monotonic();
    for (const reference of staleReferences.splice(0)) {
      if (stopped) return;
      if (reference.dueAt > now) {
        staleReferences.push(reference);
        continue;
      }
      const outcome = await attempt(() => removeSecretReference(reference.secret, services));
      reference.tries += 1;
      if (outcome.kind === 'done') continue;
      const isLast = reference.tries >= maxTries;
      if (outcome.kind === 'failed') {
        logFailure(reference.secret, outcome.reason, isLast ? 'never' : `in ${retryMs} ms`);
      }
      if (isLast) continue;
      reference.dueAt = clock.monotonic() + retryMs;
      staleReferences.push(reference);
    }
  };

  const logFailure = (secret: AccountTokenSecret, reason: string, nextTry: string): void =>
    services.log.event('warn', 'service account token Secret not synced', {
      ...logFields(secret),
      reason,
      nextTry,
    });

  return {
    name: 'serviceaccount-token-controller',
    start() {
      unsubscribe.push(
        view.onChange('secrets', ({ kind, object }) => {
          const secret = readAccountTokenSecret(object, nameDomains);
          if (secret === undefined) return;
          if (kind === 'deleted')
            staleReferences.push({ secret, tries: 0, dueAt: clock.monotonic() });
          onChange();
        }),
        view.onChange('serviceaccounts', ({ kind }) => {
          if (kind === 'deleted') onChange();
        }),
      );
      startSync();
    },
    async stop() {
      stopped = true;
      stopping.resolve(undefined);
      cancel();
      for (const end of unsubscribe.splice(0)) end();
      await running;
    },
  };
};

/** A Secret as the view contains it. */
interface Candidate {
  readonly object: JsonObject;
  readonly secret: AccountTokenSecret;
  /** The service account of that name in the view, even if its UID differs. */
  readonly viewAccount: JsonObject | undefined;
  readonly key: string;
  readonly version: string;
}

/**
 * Returns the version that retries are counted for. Failures to fill a Secret do not keep it from
 * being deleted when its service account is gone.
 */
const versionOf = (
  object: JsonObject,
  secret: AccountTokenSecret,
  viewAccount: JsonObject | undefined,
): string => {
  const revision = stringAt(object, 'metadata', 'resourceVersion');
  return `${secret.uid}/${revision}/${isAccountOf(secret, viewAccount) ? 'fill' : 'delete'}`;
};

const keyOf = (object: JsonObject): string =>
  `${stringAt(object, 'metadata', 'namespace')}/${stringAt(object, 'metadata', 'name')}`;

type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'conflict' | 'failed'; readonly reason: string }
  /** Every further attempt would fail in the same way. */
  | { readonly kind: 'invalid'; readonly reason: string };

/** Runs `step`, which returns the reason why the API would reject its result. Never rejects. */
const attempt = async (step: () => Promise<string | undefined>): Promise<Outcome> => {
  try {
    const reason = await step();
    return reason === undefined ? { kind: 'done' } : { kind: 'invalid', reason };
  } catch (cause) {
    const problem = cause instanceof StoreError ? cause.problem : undefined;
    if (problem === 'missing') return { kind: 'done' };
    const reason = cause instanceof Error ? cause.message : 'unknown failure';
    return { kind: problem === 'conflict' ? 'conflict' : 'failed', reason };
  }
};
