/** Writes to the Secrets that hold tokens of service accounts: fill one in, delete one, forget a deleted one. */
import type { JsonObject } from '../model/json.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { type ObjectKey, type Store, StoreError } from '../ports/store.ts';
import {
  type AccountTokenSecret,
  accountNameAnnotation,
  accountUidAnnotation,
  hasSecretValue,
  isSecretValue,
  secretValue,
} from '../resources/account-token-secret.ts';
import { listAt, objectAt, objectOf, stringAt, withMember } from '../resources/object-fields.ts';
import { validateSecretSize } from '../resources/secret.ts';

/** Signs the token of a Secret whose service account exists. */
export type SignAccountToken = (
  secret: AccountTokenSecret,
  account: { readonly name: string; readonly uid: string },
) => Promise<string>;

export interface TokenSecretServices {
  readonly store: Pick<Store, 'get' | 'update' | 'delete'>;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Absent without a signing key: Secrets are deleted together with their service account, and none
   * is filled.
   */
  readonly signToken: SignAccountToken | undefined;
}

/**
 * `absent`: only missing values are filled in. `all`: another `ca.crt` is replaced too, at most once a
 * minute, because replicas with different authorities would replace each other's after every change.
 */
export type Scope = 'absent' | 'all';

export const isAccountOf = (
  { accountUid }: AccountTokenSecret,
  account: JsonObject | undefined,
): account is JsonObject =>
  account !== undefined &&
  (accountUid === '' || accountUid === stringAt(account, 'metadata', 'uid'));

/**
 * Reads the service account from the store, because the view of service accounts may be behind the
 * view of Secrets.
 */
export const liveAccount = async (
  secret: AccountTokenSecret,
  { store }: TokenSecretServices,
): Promise<JsonObject | undefined> => {
  const account = (await store.get(accountKeyOf(secret)))?.object;
  return isAccountOf(secret, account) ? account : undefined;
};

const accountKeyOf = ({ namespace, accountName }: AccountTokenSecret): ObjectKey => ({
  resource: 'serviceaccounts',
  namespace,
  name: accountName,
});

const secretKeyOf = ({ namespace, name }: AccountTokenSecret): ObjectKey => ({
  resource: 'secrets',
  namespace,
  name,
});

export interface TokenSecretFill {
  readonly object: JsonObject;
  readonly secret: AccountTokenSecret;
  readonly account: JsonObject;
  readonly scope: Scope;
  readonly rootCertificate: string | undefined;
}

/** Fills the Secret; returns the reason why the API would reject the result, if there is one. */
export const fillTokenSecret = async (
  { object, secret, account, scope, rootCertificate }: TokenSecretFill,
  { store, log, signToken }: TokenSecretServices,
): Promise<string | undefined> => {
  // The API rejects changes to the data of an immutable Secret, including those of a controller.
  if (signToken === undefined || object.get('immutable') === true) return undefined;
  const name = stringAt(account, 'metadata', 'name');
  const uid = stringAt(account, 'metadata', 'uid');
  const values = new Map<string, string>();
  if (rootCertificate !== undefined) {
    const hasOther = scope === 'all' && !isSecretValue(object, 'ca.crt', rootCertificate);
    if (!hasSecretValue(object, 'ca.crt') || hasOther) values.set('ca.crt', rootCertificate);
  }
  if (!hasSecretValue(object, 'namespace')) values.set('namespace', secret.namespace);
  const needsToken = !hasSecretValue(object, 'token');
  if (values.size === 0 && !needsToken) return undefined;
  const withoutToken = withValues(object, values);
  const problem = sizeProblem(withoutToken);
  if (problem !== undefined) return problem;
  const token = needsToken ? await signToken(secret, { name, uid }) : undefined;
  const filled =
    token === undefined ? withoutToken : withValues(withoutToken, new Map([['token', token]]));
  const problemWithToken = sizeProblem(filled);
  if (problemWithToken !== undefined) return problemWithToken;
  const annotations = new Map(objectAt(object, 'metadata', 'annotations'));
  annotations.set(accountNameAnnotation(secret.nameDomain), name);
  annotations.set(accountUidAnnotation(secret.nameDomain), uid);
  const annotated = withMember(filled, ['metadata', 'annotations'], annotations);
  // The precondition makes sure that a change in the meantime is handled in the next pass.
  const preconditions = {
    uid: secret.uid,
    revision: stringAt(object, 'metadata', 'resourceVersion'),
  };
  await store.update(secretKeyOf(secret), annotated, preconditions);
  log.event('info', 'service account token Secret populated', logFields(secret));
  return undefined;
};

const withValues = (object: JsonObject, values: ReadonlyMap<string, string>): JsonObject => {
  const data = new Map(objectAt(object, 'data'));
  for (const [key, value] of values) data.set(key, secretValue(value));
  return withMember(object, ['data'], data);
};

const sizeProblem = (object: JsonObject): string | undefined => {
  const [problem] = validateSecretSize(object);
  return problem && `${problem.field}: ${problem.message}`;
};

export const deleteTokenSecret = async (
  { object, secret }: { readonly object: JsonObject; readonly secret: AccountTokenSecret },
  { store, log, clock }: TokenSecretServices,
): Promise<void> => {
  const key = secretKeyOf(secret);
  if (listAt(object, 'metadata', 'finalizers').length > 0) {
    if (stringAt(object, 'metadata', 'deletionTimestamp') !== '') return;
    const time = `${new Date(clock.now()).toISOString().slice(0, 19)}Z`;
    const marked = withMember(object, ['metadata', 'deletionTimestamp'], time);
    const withGracePeriod = withMember(marked, ['metadata', 'deletionGracePeriodSeconds'], 0);
    const revision = stringAt(object, 'metadata', 'resourceVersion');
    await store.update(key, withGracePeriod, { uid: secret.uid, revision });
    return;
  }
  await store.delete(key, { uid: secret.uid });
  log.event('info', 'service account token Secret of a missing account deleted', logFields(secret));
};

/** Removes a deleted Secret from the list in its service account. */
export const removeSecretReference = async (
  secret: AccountTokenSecret,
  { store }: TokenSecretServices,
): Promise<undefined> => {
  const key = accountKeyOf(secret);
  const account = await store.get(key);
  if (account === undefined || !isAccountOf(secret, account.object)) return;
  const listed = listAt(account.object, 'secrets');
  const left = listed.filter((entry) => stringAt(objectOf(entry), 'name') !== secret.name);
  if (left.length === listed.length) return;
  // A Secret of the same name may have been created again.
  if ((await store.get(secretKeyOf(secret))) !== undefined) return;
  const shorter = withMember(account.object, ['secrets'], left.length === 0 ? undefined : left);
  try {
    await store.update(key, shorter, { revision: account.revision });
  } catch (cause) {
    if (cause instanceof StoreError && cause.problem === 'missing') return;
    throw cause;
  }
};

export const logFields = ({ namespace, name, accountName }: AccountTokenSecret) => ({
  object: `${namespace}/${name}`,
  serviceAccount: accountName,
});
