/** Opens the object services according to the flags. */
import { signLegacyToken } from '../../authenticators/legacy-service-account-token/sign.ts';
import type { SignAccountToken } from '../../controllers/token-secret-writes.ts';
import { kubernetesDomain } from '../../model/api-domain.ts';
import { openStore } from '../../node/store/open-store.ts';
import type { ObjectView } from '../../ports/object-view.ts';
import type { Ports } from '../../ports/ports.ts';
import type { TokenSigner } from '../../ports/signing.ts';
import { type Store, StoreError } from '../../ports/store.ts';
import { isControllerEnabled, missingControllers } from '../flags/controller-names.ts';
import type { ServeOptions } from '../flags/serve-options.ts';
import type { WorkerProcess } from '../workers/worker-process.ts';
import { type ObjectServices, openObjectServices } from './object-services.ts';

export type ObjectsOpening =
  | { readonly kind: 'open'; readonly objectServices: ObjectServices }
  /** A message for the operator. */
  | { readonly kind: 'failed'; readonly error: string };

/** Dependencies of the stored objects that other parts of the server provide. */
export interface ObjectSources {
  readonly ports: Ports;
  readonly roleFiles: ObjectView | undefined;
  /** Signs service account tokens; absent without a signing key. */
  readonly signer: TokenSigner | undefined;
  /** PEM of the authority that issued the serving certificate; resolves once the server listens. */
  readonly rootCertificate: Promise<string | undefined>;
}

/** Opens the services of a worker, whose store and controllers are in the primary process. */
export const openWorkerObjects = (
  { store: settings, apiDomain }: ServeOptions,
  { ports, roleFiles }: Pick<ObjectSources, 'ports' | 'roleFiles'>,
  worker: Pick<WorkerProcess, 'store' | 'viewStore' | 'rolesStored'>,
): ObjectServices =>
  openObjectServices({
    store: worker.store,
    domain: apiDomain ?? kubernetesDomain,
    ports,
    maxStalenessMs: settings.maxStalenessMs,
    ...(roleFiles === undefined ? {} : { roleFiles }),
    controlPlane: worker,
  });

export const openObjects = async (
  { store: settings, apiDomain, controllers, modules, leaderElection }: ServeOptions,
  { ports, roleFiles, signer, rootCertificate }: ObjectSources,
): Promise<ObjectsOpening> => {
  const domain = apiDomain ?? kubernetesDomain;
  let store: Store;
  try {
    store = await openStore(settings.backend, { clock: ports.clock, apiDomain: domain });
  } catch (cause) {
    const reason = cause instanceof StoreError ? cause.message : String(cause);
    return { kind: 'failed', error: `the store cannot be opened: ${reason}` };
  }
  if (settings.backend.kind === 'memory') {
    const isNeeded = modules.serviceAccounts.keyFiles.length > 0 || modules.bootstrapToken.enabled;
    ports.log.event(
      isNeeded ? 'warn' : 'info',
      'service accounts, Secrets and other objects are stored in memory and are lost when the server stops; use --store-path DIR to store them in a file, or another --store',
    );
  }
  const missing = missingControllers(controllers);
  if (missing.length > 0) {
    ports.log.event('info', 'controllers of --controllers that are not implemented', {
      controllers: missing.join(', '),
    });
  }
  const objectServices = openObjectServices({
    store,
    domain,
    ports,
    maxStalenessMs: settings.maxStalenessMs,
    ...(roleFiles === undefined ? {} : { roleFiles }),
    isEnabled: (name) => isControllerEnabled(name, controllers),
    accountTokens: { signToken: signer && accountTokenSigner(signer), rootCertificate },
    controlPlane: settings.backend.kind === 'kubernetes' ? 'external' : 'internal',
    // Only etcd is shared by replicas whose controllers are their own.
    leaderElection: settings.backend.kind === 'etcd' ? leaderElection : undefined,
  });
  return { kind: 'open', objectServices };
};

/** Signs legacy tokens with claim names of the Secret's own API domain. */
const accountTokenSigner =
  (signer: TokenSigner): SignAccountToken =>
  ({ nameDomain, namespace, name: secretName }, account) =>
    signLegacyToken(
      { namespace, secretName, accountName: account.name, accountUid: account.uid },
      { nameDomain, signer },
    );
