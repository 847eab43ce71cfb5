/** Answers cases about the TokenRequest API: the claims of the token, or the error. */

import { newTokenPayload } from '../../../engine/src/authenticators/service-account-token/claims.ts';
import { decideTokenRequest } from '../../../engine/src/authenticators/service-account-token/token-request.ts';
import {
  accountTokenRules,
  uidMismatchRule,
} from '../../../engine/src/authenticators/service-account-token/token-rules.ts';
import { statusObject } from '../../../engine/src/server/wire/status.ts';
import { writeJson } from '../../../engine/src/server/wire/write-json.ts';
import { type AccountObjects, accountView } from './account-objects.ts';
import { type GatedConfig, gatesOf, recordedRelease } from './gates.ts';
import type { CaseLine } from './module-cases.ts';

interface SentRequest {
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
  } | null;
  readonly spec?: {
    readonly audiences?: readonly string[] | null;
    readonly expirationSeconds?: number | null;
    readonly boundObjectRef?: {
      readonly kind?: string;
      readonly apiVersion?: string;
      readonly name?: string;
      readonly uid?: string;
    } | null;
  } | null;
}

export interface TokenRequestCase
  extends CaseLine<
    GatedConfig & {
      readonly issuer?: string;
      readonly apiAudiences?: readonly string[] | null;
      readonly maxExpirationSeconds?: number;
      readonly extendExpiration?: boolean;
      readonly objects?: AccountObjects;
    },
    { readonly namespace?: string; readonly name?: string; readonly request?: SentRequest | null }
  > {
  readonly clock?: string;
}

export const answerTokenRequest = async (line: TokenRequestCase): Promise<object> => {
  const { config, input } = line;
  const { objects = {} } = config;
  const view = accountView({ ...objects, pods: objects.pods?.map(withAccountName) ?? [] });
  const { metadata, spec } = input.request ?? {};
  const ref = spec?.boundObjectRef ?? undefined;
  const gates = gatesOf(config);
  const outcome = await decideTokenRequest(
    {
      namespace: input.namespace ?? '',
      account: input.name ?? '',
      name: metadata?.name ?? '',
      statedNamespace: metadata?.namespace ?? '',
      uid: metadata?.uid ?? '',
      audiences: spec?.audiences ?? [],
      expirationSeconds: BigInt(spec?.expirationSeconds ?? 3600),
      boundObjectRef:
        ref === undefined
          ? undefined
          : {
              kind: ref.kind ?? '',
              apiVersion: ref.apiVersion ?? '',
              name: ref.name || noName,
              uid: ref.uid ?? '',
            },
    },
    {
      issuer: config.issuer ?? '',
      apiAudiences: config.apiAudiences ?? [],
      maxExpirationSeconds: config.maxExpirationSeconds ?? 0,
      extendExpiration: config.extendExpiration ?? false,
      rules: accountTokenRules(gates),
      uidMismatch: uidMismatchRule(gates, recordedRelease),
      group: 'authentication.k8s.io',
      domain: 'k8s.io',
      now: Date.parse(line.clock ?? '2026-11-21T12:00:00Z'),
      newId: () => '<uuid>',
      async find(key) {
        const found = await view.find(key);
        return found.kind === 'found' ? found.object : undefined;
      },
    },
  );
  const { warnings, annotations } = outcome;
  const remarks = {
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(annotations.size === 0 ? {} : { auditAnnotations: Object.fromEntries(annotations) }),
  };
  if (outcome.kind === 'error') {
    const {
      kind: _kind,
      apiVersion: _version,
      ...status
    } = JSON.parse(writeJson(statusObject(outcome.error)));
    return { status: withoutNoName(status), ...remarks };
  }
  const { claims, audiences, expirationSeconds } = outcome;
  return {
    header: { alg: 'ES256', kid: '<base64url(SHA-256(DER SubjectPublicKeyInfo))>' },
    claims: plain(newTokenPayload(claims)),
    spec: {
      audiences: audiences.length === 0 ? (config.apiAudiences ?? null) : audiences,
      expirationSeconds,
    },
    expirationInSeconds: expirationSeconds,
    metadata: {
      name: claims.account.name,
      namespace: claims.namespace,
      uid: outcome.accountUid,
    },
    ...remarks,
  };
};

interface Pod {
  readonly spec?: { readonly serviceAccount?: string; readonly serviceAccountName?: string };
}

/** A store keeps both fields with a pod's account; a case may have the older one only. */
const withAccountName = (pod: Pod): Pod => {
  const { serviceAccount, serviceAccountName } = pod.spec ?? {};
  return serviceAccount === undefined || serviceAccountName
    ? pod
    : { ...pod, spec: { ...pod.spec, serviceAccountName: serviceAccount } };
};

/** The recorded function looks up an object without a name like any other; a server does not. */
const noName = '<none>';

const withoutNoName = (status: Status): Status => {
  const { name, ...details } = status.details ?? {};
  return name === noName
    ? { ...status, message: status.message.replace(noName, ''), details }
    : status;
};

interface Status {
  readonly message: string;
  readonly details?: { readonly name?: string };
}

const plain = (value: unknown): unknown =>
  value instanceof Map
    ? Object.fromEntries(
        [...value].flatMap(([name, member]) =>
          member === undefined ? [] : [[name, plain(member)]],
        ),
      )
    : value;
