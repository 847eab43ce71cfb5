/**
 * Fills Secrets of type `kubernetes.io/service-account-token` with `token`, `ca.crt` and
 * `namespace`, and deletes those whose service account does not exist, as kube-controller-manager's
 * tokens controller does. A change costs the work for its own Secrets only; all such Secrets are
 * compared with all service accounts at the start and periodically.
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
import { syncController } from './sync-controller.ts';
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
/** Time between two comparisons of all Secrets. */
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
  // Raced once: each race would add a reaction to `stopping`, which retains it until the end.
  const rootCertificateOrStop = Promise.race([services.rootCertificate, stopping.promise]);
  /** Secrets that were deleted but that the view may still contain. */
  const removed = new WeakSet<JsonObject>();
  const staleReferences: StaleReference[] = [];
  /** Token Secrets that changed or failed, by key. */
  const waiting = new Map<string, JsonObject>();
  /** Namespaces in which a service account was deleted. */
  const shrunkNamespaces = new Set<string>();
  const delays = retryDelays({ clock, firstDelayMs: retryMs, maxTries });
  let stopped = false;

  /** Monotonic time from which values that differ are replaced too. */
  let allDueAt = Number.NEGATIVE_INFINITY;

  const sync = async (): Promise<number> => {
    const startedAt = clock.monotonic();
    const scope: Scope = startedAt >= allDueAt ? 'all' : 'absent';
    if (!(await syncAll(scope))) return retryMs;
    if (scope === 'all') allDueAt = startedAt + resyncMs;
    const waitMs = nextTryAt() - clock.monotonic();
    return Math.min(Math.max(waitMs, settleMs), resyncMs);
  };

  const nextTryAt = (): number =>
    staleReferences.reduce((next, { dueAt }) => Math.min(next, dueAt), delays.nextAt());

  /** Returns whether the view was ready. Never rejects. */
  const syncAll = async (scope: Scope): Promise<boolean> => {
    const rootCertificate = await rootCertificateOrStop;
    const secrets = scope === 'all' ? view.list('secrets') : changedSecrets();
    const accountOf = accountLookup(view);
    if (secrets === undefined || accountOf === undefined) return stopped;
    const candidates = secrets.flatMap((object): readonly Candidate[] => {
      const secret = readAccountTokenSecret(object, nameDomains);
      if (secret === undefined || removed.has(object)) return [];
      const viewAccount = accountOf(secret);
      const version = versionOf(object, secret, viewAccount);
      return [{ object, secret, viewAccount, key: keyOf(object), version }];
    });
    if (scope === 'all') delays.retainOnly(new Set(candidates.map(({ key }) => key)));
    for (const candidate of inOrder(candidates)) {
      if (stopped) return true;
      await syncCandidate(candidate, { scope, rootCertificate });
    }
    await removeReferences();
    return true;
  };

  /** Returns the Secrets that are waiting and those that may have lost their service account. */
  const changedSecrets = (): readonly JsonObject[] | undefined => {
    const changed = new Map(waiting);
    for (const namespace of shrunkNamespaces) {
      const secrets = view.list('secrets', namespace);
      if (secrets === undefined) return undefined;
      for (const object of secrets) changed.set(keyOf(object), object);
    }
    shrunkNamespaces.clear();
    return [...changed.values()];
  };

  /** Ends the wait of a Secret, unless it changed in the meantime. */
  const finish = (key: string, object: JsonObject): void => {
    if (waiting.get(key) === object) waiting.delete(key);
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

  const syncCandidate = async (
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
    if (outcome.kind === 'done') {
      finish(key, object);
      return delays.succeed(key);
    }
    if (outcome.kind === 'invalid') {
      finish(key, object);
      delays.giveUp(key, version);
      return logFailure(secret, outcome.reason, 'after the Secret changes');
    }
    const delayMs = delays.fail(key, version);
    const isLast = delayMs === Number.POSITIVE_INFINITY;
    if (isLast) finish(key, object);
    else if (!waiting.has(key)) waiting.set(key, object);
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

  const controller = syncController({
    name: 'serviceaccount-token-controller',
    clock,
    settleMs,
    subscribe: (onChange) => [
      view.onChange('secrets', ({ kind, object }) => {
        const secret = readAccountTokenSecret(object, nameDomains);
        if (secret === undefined) return;
        if (kind === 'deleted') {
          waiting.delete(keyOf(object));
          staleReferences.push({ secret, tries: 0, dueAt: clock.monotonic() });
        } else {
          waiting.set(keyOf(object), object);
        }
        onChange();
      }),
      view.onChange('serviceaccounts', ({ kind, object }) => {
        if (kind !== 'deleted') return;
        shrunkNamespaces.add(stringAt(object, 'metadata', 'namespace'));
        onChange();
      }),
    ],
    sync,
  });
  return {
    ...controller,
    stop() {
      stopped = true;
      stopping.resolve(undefined);
      return controller.stop();
    },
  };
};

/** Returns the service account that a Secret names; `undefined` while the view cannot be used. */
const accountLookup = (
  view: Pick<ObjectView, 'list'>,
): ((secret: AccountTokenSecret) => JsonObject | undefined) | undefined => {
  if (view.list('serviceaccounts', '') === undefined) return undefined;
  const byName = new Map<string, JsonObject>();
  const namespaces = new Set<string>();
  return ({ namespace, accountName }) => {
    if (!namespaces.has(namespace)) {
      namespaces.add(namespace);
      for (const account of view.list('serviceaccounts', namespace) ?? []) {
        byName.set(keyOf(account), account);
      }
    }
    return byName.get(`${namespace}/${accountName}`);
  };
};

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
