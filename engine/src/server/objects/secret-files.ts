/** The files of secrets that the flags name. */
import { join } from 'node:path';
import { secretFilesOfStaticToken } from '../../authenticators/static-token/index.ts';
import { secretFilesOfWebhookToken } from '../../authenticators/webhook-token/index.ts';
import { databaseFile, type StorePlace } from '../../node/store/flags.ts';
import type { ServeOptions } from '../flags/serve-options.ts';

/** Those that stand in these files are found when they are read. */
export const secretFilesOf = ({
  modules: { staticToken, webhookToken, serviceAccounts },
  store,
  tlsPrivateKeyFile,
}: ServeOptions): readonly string[] => [
  ...secretFilesOfStaticToken(staticToken),
  ...secretFilesOfWebhookToken(webhookToken),
  ...filled(serviceAccounts.signingKeyFile),
  ...filled(tlsPrivateKeyFile ?? ''),
  ...secretFilesOfStore(store.place),
];

/** The embedded store looks after the modes of its own files. */
const secretFilesOfStore = (place: StorePlace): readonly string[] => {
  switch (place.kind) {
    case 'kubernetes':
      return filled(place.kubeconfig);
    case 'etcd':
      return filled(place.keyFile);
    case 'memory':
      return [];
    case 'sqlite':
      // Made with 0600, but for one that somebody else owns.
      return [join(place.folder, databaseFile)];
  }
};

const filled = (path: string): readonly string[] => (path === '' ? [] : [path]);
