/**
 * Handles a TokenRequest: returns the claims of the new token or the error, with kube-apiserver's
 * checks in its order. The caller looks up the objects, because a token must reflect what is stored
 * now.
 */
import { goQuote } from '../../formats/go-quote.ts';
import { accountNameDomains, auditKey, identityKey } from '../../model/api-domain.ts';
import { type ApiError, type ApiErrorCause, badRequest, invalid } from '../../model/api-error.ts';
import { accountTokenGates } from '../../model/feature-gates.ts';
import type { JsonObject } from '../../model/json.ts';
import type { ObjectKey } from '../../ports/store.ts';
import { boundPodOf } from '../../resources/bound-pod.ts';
import { liveObject } from '../../resources/live-object.ts';
import { objectConflict, objectNotFound } from '../../resources/object-error.ts';
import type { ObjectClaim } from '../../signed-token/claim-types.ts';
import type { NewTokenClaims } from './claims.ts';
import type { AccountTokenRules, UidMismatchRule } from './token-rules.ts';

export interface TokenRequest {
  /** The namespace in the path. */
  readonly namespace: string;
  readonly account: string;
  /** The name in the object that was sent; empty if absent. */
  readonly name: string;
  readonly statedNamespace: string;
  readonly uid: string;
  readonly audiences: readonly string[];
  readonly expirationSeconds: bigint;
  readonly boundObjectRef: BoundObject | undefined;
}

export interface BoundObject {
  readonly kind: string;
  readonly apiVersion: string;
  readonly name: string;
  readonly uid: string;
}

export interface TokenRequestContext {
  readonly issuer: string;
  readonly apiAudiences: readonly string[];
  /** The maximum; 0 means no limit. */
  readonly maxExpirationSeconds: number;
  readonly extendExpiration: boolean;
  readonly rules: AccountTokenRules;
  readonly uidMismatch: UidMismatchRule;
  /** The API group as the request spells it: `authentication.k8s.io`. */
  readonly group: string;
  readonly domain: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly newId: () => string;
  /** Returns the object that is stored now; `undefined` if it does not exist. */
  readonly find: (key: ObjectKey) => Promise<JsonObject | undefined>;
}

/** Warnings and annotations that accompany the response, successful or not. */
interface Remarks {
  readonly warnings: readonly string[];
  /** Audit annotations for the log. */
  readonly annotations: ReadonlyMap<string, string>;
}

export type TokenRequestOutcome = Remarks &
  (
    | {
        readonly kind: 'granted';
        readonly claims: NewTokenClaims;
        /** The UID in the response; empty if the response has none. */
        readonly accountUid: string;
        readonly audiences: readonly string[];
        readonly expirationSeconds: number;
      }
    | { readonly kind: 'error'; readonly error: ApiError }
  );

const minSeconds = 600n;
const maxSeconds = 2n ** 32n;

/**
 * The lifetime that projected volumes of older kubelets request: tokens with it may be extended.
 */
const extendedSeconds = 3607n;
const extensionSeconds = 365 * 86_400;

/** Decides a TokenRequest and returns the claims to sign. */
export const decideTokenRequest = async (
  request: TokenRequest,
  context: TokenRequestContext,
): Promise<TokenRequestOutcome> => {
  const { namespace, account: name } = request;
  const requestKind = { kind: 'TokenRequest', group: context.group };
  const nameProblem =
    metadataProblem('name', request.name, name) ??
    metadataProblem('namespace', request.statedNamespace, namespace);
  if (nameProblem !== undefined)
    return errorOutcome(invalid({ ...requestKind, name }, [nameProblem]));
  const stored = await context.find({ resource: 'serviceaccounts', namespace, name });
  if (stored === undefined)
    return errorOutcome(objectNotFound({ kind: 'serviceaccounts', group: '' }, name));
  const { uid } = liveObject(stored);
  const mismatch = uidMismatchMessage(request, uid, context);
  if (mismatch !== undefined && context.uidMismatch === 'rejected') {
    return errorOutcome(objectConflict(requestKind, name, mismatch));
  }
  const outcome = await decideForAccount(request, context, { name, uid });
  return mismatch === undefined ? outcome : withMismatch(outcome, mismatch, context.domain);
};

const uidMismatchMessage = (
  { uid }: TokenRequest,
  accountUid: string,
  { uidMismatch: rule }: TokenRequestContext,
): string | undefined =>
  rule === 'ignored' || uid === '' || uid === accountUid
    ? undefined
    : `the UID in the token request (${uid}) does not match the UID of the service account (${accountUid})`;

const withMismatch = (
  outcome: TokenRequestOutcome,
  mismatch: string,
  domain: string,
): TokenRequestOutcome => ({
  ...outcome,
  warnings: [
    `${mismatch} but ${accountTokenGates.requestUid} is not enabled. In the future, this will return a conflict error`,
    ...outcome.warnings,
  ],
  annotations: new Map([
    ...outcome.annotations,
    [auditKey(domain, 'token-request-uid-mismatch'), mismatch],
  ]),
});

const decideForAccount = async (
  request: TokenRequest,
  context: TokenRequestContext,
  account: ObjectClaim,
): Promise<TokenRequestOutcome> => {
  const expirationProblem = expirationSecondsProblem(request.expirationSeconds);
  if (expirationProblem !== undefined) {
    const cause = {
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${request.expirationSeconds}: ${expirationProblem}`,
      field: 'spec.expirationSeconds',
    };
    return errorOutcome(invalid({ kind: 'TokenRequest', group: context.group, name: '' }, [cause]));
  }
  const bound =
    request.boundObjectRef === undefined
      ? {}
      : await bind(request.boundObjectRef, request, context);
  if ('error' in bound) return errorOutcome(bound.error);
  return grant(request, context, { account, bound });
};

/** Checks that a name in the object is the one in the path. */
const metadataProblem = (
  field: 'name' | 'namespace',
  stated: string,
  expected: string,
): ApiErrorCause | undefined =>
  stated === '' || stated === expected
    ? undefined
    : {
        reason: 'FieldValueInvalid',
        message: `Invalid value: ${goQuote(stated)}: must match the service account ${field} if specified`,
        field: `metadata.${field}`,
      };

const errorOutcome = (error: ApiError): TokenRequestOutcome => ({
  kind: 'error',
  error,
  warnings: [],
  annotations: new Map(),
});

const expirationSecondsProblem = (seconds: bigint): string | undefined => {
  if (seconds < minSeconds) return 'may not specify a duration less than 10 minutes';
  return seconds > maxSeconds ? 'may not specify a duration larger than 2^32 seconds' : undefined;
};

interface Bound {
  readonly pod?: ObjectClaim;
  readonly secret?: ObjectClaim;
  readonly node?: ObjectClaim;
}

type Binding = Bound | { readonly error: ApiError };

const bind = async (
  target: BoundObject,
  { namespace, account }: TokenRequest,
  { find, rules }: TokenRequestContext,
): Promise<Binding> => {
  const { group, version } = groupVersionOf(target.apiVersion);
  const { kind, name } = target;
  if (group !== '' || (kind !== 'Pod' && kind !== 'Node' && kind !== 'Secret')) {
    const message = `cannot bind token to object of type ${group}/${version}, Kind=${kind}`;
    return { error: badRequest(message) };
  }
  if (kind === 'Node' && !rules.nodeBinding) {
    const message = `cannot bind token to a Node object as the "${accountTokenGates.nodeBinding}" feature-gate is disabled`;
    return { error: badRequest(message) };
  }
  if (name === '') return { error: badRequest('Name parameter required.') };
  const resource = `${kind.toLowerCase()}s`;
  const stored = await find({ resource, namespace: kind === 'Node' ? '' : namespace, name });
  if (stored === undefined) return { error: objectNotFound({ kind: resource, group: '' }, name) };
  const pod = kind === 'Pod' ? boundPodOf(stored) : undefined;
  if (pod !== undefined && pod.account !== account) {
    const message = `cannot bind token for serviceaccount ${goQuote(account)} to pod running with different serviceaccount name.`;
    return { error: badRequest(message) };
  }
  const nodeName = rules.podNodes ? (pod?.node ?? '') : '';
  const node = nodeName === '' ? undefined : await nodeClaim(nodeName, find);
  const { uid } = liveObject(stored);
  if (target.uid !== '' && target.uid !== uid) {
    const why = `the UID in the bound object reference (${target.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    return { error: objectConflict({ kind, group: '' }, name, why) };
  }
  if (kind === 'Secret') return { secret: { name, uid } };
  if (kind === 'Node') return { node: { name, uid } };
  return { pod: { name, uid }, ...(node === undefined ? {} : { node }) };
};

/** Splits an API version as kube-apiserver does: with two slashes it has no group. */
const groupVersionOf = (
  apiVersion: string,
): { readonly group: string; readonly version: string } => {
  const [first = '', second, ...rest] = apiVersion.split('/');
  if (rest.length > 0) return { group: '', version: '' };
  return second === undefined ? { group: '', version: first } : { group: first, version: second };
};

/** Returns the claim of the pod's node. A node that no longer exists has an empty UID. */
const nodeClaim = async (name: string, find: TokenRequestContext['find']): Promise<ObjectClaim> => {
  const stored = await find({ resource: 'nodes', namespace: '', name });
  return { name, uid: stored === undefined ? '' : liveObject(stored).uid };
};

const grant = (
  request: TokenRequest,
  context: TokenRequestContext,
  { account, bound }: { readonly account: ObjectClaim; readonly bound: Bound },
): TokenRequestOutcome => {
  const { apiAudiences, maxExpirationSeconds } = context;
  const audiences = request.audiences.length === 0 ? apiAudiences : request.audiences;
  const requestedSeconds = Number(request.expirationSeconds);
  const isShortened = maxExpirationSeconds > 0 && requestedSeconds > maxExpirationSeconds;
  const seconds = isShortened ? maxExpirationSeconds : requestedSeconds;
  const warnings = isShortened
    ? [`requested expiration of ${requestedSeconds} seconds shortened to ${seconds} seconds`]
    : [];
  const extended =
    context.extendExpiration &&
    bound.pod !== undefined &&
    BigInt(seconds) === extendedSeconds &&
    audiences.every((audience) => apiAudiences.includes(audience));
  const issuedAt = Math.floor(context.now / 1000);
  const id = context.rules.identifiers ? context.newId() : undefined;
  return {
    kind: 'granted',
    accountUid: responseUid(request, account, context),
    audiences,
    expirationSeconds: seconds,
    warnings,
    annotations: new Map(
      id === undefined ? [] : [[identityKey(context.domain, 'issued-credential-id'), `JTI=${id}`]],
    ),
    claims: {
      boundName: accountNameDomains(context.domain)[0] ?? '',
      issuer: context.issuer,
      audiences,
      namespace: request.namespace,
      account,
      pod: bound.pod,
      secret: bound.secret,
      node: bound.node,
      issuedAt,
      expiry: issuedAt + (extended ? extensionSeconds : seconds),
      warnAfter: extended ? issuedAt + seconds : undefined,
      id,
    },
  };
};

/**
 * Returns the UID for the response: the one of the request, even if it is wrong, otherwise the
 * account's. Older releases return none.
 */
const responseUid = (
  { uid }: TokenRequest,
  account: ObjectClaim,
  { uidMismatch: rule }: TokenRequestContext,
): string => {
  if (rule === 'ignored') return '';
  return uid === '' ? account.uid : uid;
};
