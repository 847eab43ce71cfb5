/** The files with secrets that the flags name. */
import { join } from 'node:path';
import { secretFilesOfStaticToken } from '../../authenticators/static-token/config.ts';
import { secretFilesOfWebhookToken } from '../../authenticators/webhook-token/config.ts';
import { databaseFile, type StoreBackend } from '../../node/store/flags.ts';
import type { ServeOptions } from '../flags/serve-options.ts';

/**
 * Returns the secret files named by flags. Files named inside these files are found when they are
 * read.
 */
export const secretFilesOf = ({
  modules: { staticToken, webhookToken, serviceAccounts },
  store,
  tlsPrivateKeyFile,
  decisionLogClaimsKeyFile,
}: ServeOptions): readonly string[] => [
  ...secretFilesOfStaticToken(staticToken),
  ...secretFilesOfWebhookToken(webhookToken),
  ...nonEmptyPath(serviceAccounts.signingKeyFile),
  ...nonEmptyPath(tlsPrivateKeyFile ?? ''),
  ...nonEmptyPath(decisionLogClaimsKeyFile ?? ''),
  ...secretFilesOfStore(store.backend),
];

/** Returns the secret files of a store. The embedded store sets the modes of its own files. */
const secretFilesOfStore = (backend: StoreBackend): readonly string[] => {
  switch (backend.kind) {
    case 'kubernetes':
      return nonEmptyPath(backend.kubeconfig);
    case 'etcd':
      return nonEmptyPath(backend.keyFile);
    case 'memory':
      return [];
    case 'sqlite':
      // The store creates this file with mode 0600; an existing file may have another mode.
      return [join(backend.folder, databaseFile)];
  }
};

const nonEmptyPath = (path: string): readonly string[] => (path === '' ? [] : [path]);
