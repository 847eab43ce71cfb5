/**
 * Reads every file named by the flags of `serve` before anything is opened or written, so that one
 * run reports all problems and a failed start leaves nothing behind.
 */
import { kubernetesDomain } from '../model/api-domain.ts';
import { resolveClusterConnection } from '../node/store/cluster-connection.ts';
import type { StoreBackend } from '../node/store/flags.ts';
import type { ObjectView } from '../ports/object-view.ts';
import type { TokenSigner } from '../ports/signing.ts';
import { StoreError } from '../ports/store.ts';
import {
  type LoadedServing,
  type LoadOptions,
  type LoadProblem,
  loadServing,
} from './configuration/serving.ts';
import type { ServeOptions } from './flags/serve-options.ts';
import { readModuleFile } from './modules/module-file.ts';
import { readRoleFiles } from './objects/role-files.ts';
import { loadRootCertificate } from './objects/root-certificate.ts';
import { loadSigner } from './objects/token-issuing.ts';
import { readCertificatePair } from './tls/serving-certificate.ts';

export type StartCheck =
  | {
      readonly kind: 'good';
      readonly loaded: LoadedServing;
      readonly signer: TokenSigner | undefined;
      /** PEM; `undefined` if no file contains one. */
      readonly rootCertificate: string | undefined;
      /** Roles read from `--rbac-file`, in addition to the stored ones. */
      readonly roleFiles: ObjectView | undefined;
    }
  | { readonly kind: 'failed'; readonly problems: readonly LoadProblem[] };

export const checkStart = async (
  options: ServeOptions,
  loading: LoadOptions,
): Promise<StartCheck> => {
  const signing = await loadSigner(options.modules.serviceAccounts);
  const certificate = await certificateProblems(options);
  const serving = await loadServing(loading);
  const domain = options.apiDomain ?? kubernetesDomain;
  const roles = await readRoleFiles(options.rbac.files, { bootstrapRolesFrom: 'store', domain });
  const store = await storeProblems(options.store.backend);
  const root = await loadRootCertificate(options);
  const isGood = certificate.length === 0 && store.length === 0;
  const areLoaded = signing.kind === 'loaded' && serving.kind === 'loaded';
  if (areLoaded && roles.kind === 'view' && root.kind === 'loaded' && isGood) {
    const roleFiles = options.rbac.files.length === 0 ? undefined : roles.view;
    const { signer } = signing;
    return { kind: 'good', loaded: serving, signer, rootCertificate: root.pem, roleFiles };
  }
  return {
    kind: 'failed',
    problems: [
      ...unusable(signing.kind === 'failed' ? [signing.error] : []),
      ...unusable(certificate),
      ...(serving.kind === 'failed' ? serving.problems : []),
      ...unusable(roles.kind === 'problems' ? roles.problems : []),
      ...unusable(store),
      ...unusable(root.kind === 'failed' ? [root.error] : []),
    ],
  };
};

const unusable = (errors: readonly string[]): readonly LoadProblem[] =>
  errors.map((error) => ({ kind: 'unusable', error }));

/**
 * Reads the serving certificate. `validateOptions` reports a certificate without a key and the
 * reverse.
 */
const certificateProblems = async ({
  tlsCertFile: certificateFile,
  tlsPrivateKeyFile: privateKeyFile,
}: ServeOptions): Promise<readonly string[]> => {
  if (certificateFile === undefined || privateKeyFile === undefined) return [];
  const reading = await readCertificatePair({ certificateFile, privateKeyFile });
  return reading.kind === 'error' ? [reading.message] : [];
};

/**
 * Checks the files that the connection to the store needs. The directory of an embedded store is
 * checked when it is opened.
 */
const storeProblems = async (backend: StoreBackend): Promise<readonly string[]> => {
  switch (backend.kind) {
    case 'memory':
    case 'sqlite':
      return [];
    case 'kubernetes':
      try {
        await resolveClusterConnection(backend.kubeconfig);
        return [];
      } catch (cause) {
        if (!(cause instanceof StoreError)) throw cause;
        return [openFailure(cause.message)];
      }
    case 'etcd': {
      const files = [backend.authorityFile, backend.certificateFile, backend.keyFile];
      const named = files.filter((file) => file !== '');
      const readings = await Promise.all(named.map(readModuleFile));
      return readings.flatMap((reading) =>
        reading.kind === 'unreadable' ? [openFailure(reading.reason)] : [],
      );
    }
  }
};

const openFailure = (reason: string): string => `the store cannot be opened: ${reason}`;
