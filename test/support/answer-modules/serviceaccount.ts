/**
 * Answers cases about service account tokens, with the legacy and the bound authenticator in their
 * order.
 */
import { linkLegacyServiceAccountToken } from '../../../engine/src/authenticators/legacy-service-account-token/authenticate.ts';
import { compileLegacyServiceAccountToken } from '../../../engine/src/authenticators/legacy-service-account-token/compile.ts';
import type { Authenticator } from '../../../engine/src/authenticators/module.ts';
import { linkServiceAccountToken } from '../../../engine/src/authenticators/service-account-token/authenticate.ts';
import { compileServiceAccountToken } from '../../../engine/src/authenticators/service-account-token/compile.ts';
import { accountTokenRules } from '../../../engine/src/authenticators/service-account-token/token-rules.ts';
import type { Decision } from '../../../engine/src/model/decision.ts';
import type { Mode } from '../../../engine/src/model/differences.ts';
import type { JsonObject } from '../../../engine/src/model/json.ts';
import { secret } from '../../../engine/src/model/secret.ts';
import { nodePrivateKeys } from '../../../engine/src/node/private-keys.ts';
import type { ObjectKey, Store } from '../../../engine/src/ports/store.ts';
import { combineDecisions } from '../../../engine/src/runtime/combine-decisions.ts';
import { noKeysMessage, readAccountKeys } from '../../../engine/src/signed-token/account-keys.ts';
import { fakeClock, fakePorts, settle } from '../fake-ports.ts';
import { type AccountObjects, accountView, textAt } from './account-objects.ts';
import { decisionAnswer, remarksAnswer } from './decision-answer.ts';
import type { CaseLine } from './module-cases.ts';

export interface ServiceAccountCase
  extends CaseLine<
    {
      readonly issuers?: readonly string[] | null;
      readonly apiAudiences?: readonly string[] | null;
      readonly publicKeys?: string;
      readonly lookup?: boolean;
      readonly objects?: AccountObjects;
    },
    { readonly token?: string; readonly audiences?: readonly string[] | null }
  > {
  readonly clock?: string;
}

export const answerServiceAccount = async (
  line: ServiceAccountCase,
  mode: Mode = 'exact',
): Promise<object> => {
  const { config, input } = line;
  const clock = fakeClock(Date.parse(line.clock ?? '2026-11-21T12:00:00Z'));
  const ports = fakePorts({ clock, signatures: mode });
  const files = [{ path: '', text: config.publicKeys ?? '' }];
  const reading = readAccountKeys(files, { ...ports, privateKeys: nodePrivateKeys() });
  if (reading.kind === 'error') return { loadError: noKeysMessage };
  const { keys } = reading;
  const apiAudiences = config.apiAudiences ?? [];
  const objects = accountView(config.objects ?? {});
  const { store, patches } = patchedStore(config.objects ?? {});
  const legacy = compileLegacyServiceAccountToken(
    { lookup: config.lookup ?? false, apiAudiences },
    keys,
  );
  const bound = compileServiceAccountToken(
    { issuers: config.issuers ?? [], rules: accountTokenRules(new Map()) },
    apiAudiences,
    keys,
  );
  const shared = { keys, objects, mode, apiDomain: 'k8s.io' };
  const modules: Authenticator[] = [];
  if (legacy !== undefined) {
    modules.push(linkLegacyServiceAccountToken(legacy, ports, { ...shared, store }));
  }
  if (bound !== undefined) modules.push(linkServiceAccountToken(bound, ports, shared));
  const request = {
    path: '/',
    token: secret(input.token ?? ''),
    audiences: input.audiences?.length === 0 ? [noAudience] : (input.audiences ?? []),
  };
  const decisions: Decision[] = [];
  for (const module of modules) {
    decisions.push(await module.authenticate(request, new AbortController()));
  }
  const decision = combineDecisions(decisions);
  await settle();
  const answer = decisionAnswer(decision);
  return {
    ...answer,
    ...(answer.error === undefined
      ? {}
      : { error: answer.error.replaceAll(`["${noAudience}"]`, '[]') }),
    ...remarksAnswer(decision.kind === 'noOpinion' ? undefined : decision.remarks),
    ...(patches.length === 0 ? {} : { secretPatches: patches }),
  };
};

/**
 * Inside kube-apiserver a list of audiences can be empty, of which no token has any. No request has
 * such a list; here it is the same as none.
 */
const noAudience = 'no audience at all';

/** Creates a store with the Secrets of the case, which records changes of labels as patches. */
const patchedStore = (
  objects: AccountObjects,
): { readonly store: Pick<Store, 'get' | 'update'>; readonly patches: string[] } => {
  const patches: string[] = [];
  const view = accountView(objects);
  const get: Store['get'] = async (key: ObjectKey) => {
    const found = await view.find(key);
    return found.kind === 'found' ? { key, revision: '1', object: found.object } : undefined;
  };
  return {
    patches,
    store: {
      get,
      async update(key: ObjectKey, object: JsonObject) {
        const label = 'kubernetes.io/legacy-token-last-used';
        const used = textAt(object, 'metadata', 'labels', label);
        const patch = {
          kind: 'Secret',
          apiVersion: 'v1',
          metadata: {
            name: key.name,
            namespace: key.namespace,
            uid: textAt(object, 'metadata', 'uid'),
            labels: { [label]: /^\d{4}-\d\d-\d\d$/.test(used) ? '<today>' : used },
          },
        };
        patches.push(`${key.namespace}/${key.name} ${JSON.stringify(patch)}`);
        return { key, revision: '2', object };
      },
    },
  };
};
