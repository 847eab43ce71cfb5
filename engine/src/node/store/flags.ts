/** Flags that select where objects are stored; those of etcd have kube-apiserver's names. */
import type { FlagProblem, FlagValues } from '../../flags/flag.ts';
import { flagGroup } from '../../flags/flag-form.ts';

/** Settings of the store: the backend, and the maximum age of the local view. */
export interface StoreSettings {
  readonly backend: StoreBackend;
  /** Maximum age of the local view. */
  readonly maxStalenessMs: number;
}

/** A storage backend with its settings. */
export type StoreBackend =
  | { readonly kind: 'memory' }
  /** The directory is created if it does not exist. */
  | { readonly kind: 'sqlite'; readonly folder: string }
  /** `kubeconfig` is empty for the pod's service account. */
  | { readonly kind: 'kubernetes'; readonly kubeconfig: string }
  | {
      readonly kind: 'etcd';
      readonly endpoints: readonly string[];
      readonly prefix: string;
      /** Empty for the system's roots, or for plain HTTP. */
      readonly authorityFile: string;
      readonly certificateFile: string;
      readonly keyFile: string;
    };

/** Name of the database file in the directory of the embedded store. */
export const databaseFile = 'store.db';

/**
 * A watch without events is noticed only after some seconds, so no view is guaranteed to be
 * younger.
 */
const minStalenessMs = 30_000;

/** Flags of the store. */
export const flags = flagGroup('Store', [
  {
    name: 'store',
    choices: ['sqlite', 'memory', 'kubernetes', 'etcd'],
    default: 'memory',
    doc: 'Storage backend: memory (objects are lost when the server stops), sqlite (a file), kubernetes (the API of a cluster) or etcd. Without this flag, --store-path selects sqlite and --etcd-servers selects etcd.',
  },
  {
    name: 'store-path',
    placeholder: 'DIR',
    default: '/var/lib/authgraph',
    doc: 'Directory of the database file for --store=sqlite; created if it does not exist.',
  },
  {
    name: 'store-kubeconfig',
    placeholder: 'FILE',
    doc: "Kubeconfig file of the cluster for --store=kubernetes; empty for the pod's service account.",
  },
  {
    name: 'store-max-staleness',
    type: 'duration',
    default: '5m0s',
    doc: 'Maximum age of the object cache. Requests that depend on it are rejected once it is older.',
  },
  {
    name: 'etcd-servers',
    type: 'stringSlice',
    doc: 'List of etcd servers to connect with (scheme://ip:port), comma separated.',
  },
  {
    name: 'etcd-prefix',
    default: '/authgraph',
    doc: 'The prefix to prepend to all resource paths in etcd.',
  },
  {
    name: 'etcd-cafile',
    placeholder: 'FILE',
    doc: 'SSL Certificate Authority file used to secure etcd communication.',
  },
  {
    name: 'etcd-certfile',
    placeholder: 'FILE',
    doc: 'SSL certification file used to secure etcd communication.',
  },
  {
    name: 'etcd-keyfile',
    placeholder: 'FILE',
    doc: 'SSL key file used to secure etcd communication.',
  },
]);

/** Reads the settings from the values of the flags. */
export const readStoreSettings = (values: FlagValues): StoreSettings => ({
  backend: backendOf(values),
  maxStalenessMs: values.number('store-max-staleness'),
});

const backendOf = (values: FlagValues): StoreBackend => {
  const endpoints = values.list('etcd-servers');
  const kind = kindOf(values, endpoints);
  switch (kind) {
    case 'memory':
      return { kind };
    case 'kubernetes':
      return { kind, kubeconfig: values.string('store-kubeconfig') };
    case 'etcd':
      return {
        kind,
        endpoints,
        prefix: values.string('etcd-prefix'),
        authorityFile: values.string('etcd-cafile'),
        certificateFile: values.string('etcd-certfile'),
        keyFile: values.string('etcd-keyfile'),
      };
    default:
      return { kind: 'sqlite', folder: values.string('store-path') };
  }
};

/**
 * A flag that belongs to a store selects that store; without any, nothing is written to the disk.
 */
const kindOf = (values: FlagValues, endpoints: readonly string[]): string => {
  if (values.isSet('store')) return values.string('store');
  if (endpoints.length > 0) return 'etcd';
  return values.isSet('store-path') ? 'sqlite' : values.string('store');
};

/** Returns the problems that can be detected before the store is opened. */
export const validateStoreSettings = ({
  backend,
  maxStalenessMs,
}: StoreSettings): readonly FlagProblem[] => [
  ...backendProblems(backend),
  ...(maxStalenessMs < minStalenessMs
    ? [
        {
          message: `--store-max-staleness must be at least ${minStalenessMs / 1000}s`,
          help: 'The cache needs some seconds to notice a lost connection and to reconnect.',
        },
      ]
    : []),
];

const backendProblems = (backend: StoreBackend): readonly FlagProblem[] => {
  if (backend.kind === 'sqlite' && backend.folder === '') {
    return [
      {
        message: '--store-path must be specified',
        help: 'Use --store=memory to store nothing on the disk.',
      },
    ];
  }
  if (backend.kind !== 'etcd') return [];
  const { endpoints, prefix, certificateFile, keyFile } = backend;
  const problems: FlagProblem[] = [];
  // kube-apiserver's message.
  if (endpoints.length === 0)
    problems.push({ message: '--etcd-servers must be specified', help: '' });
  for (const endpoint of endpoints) {
    const url = URL.parse(endpoint);
    if (url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/') continue;
    problems.push({
      message: `--etcd-servers: ${JSON.stringify(endpoint)} is not the URL of an etcd server`,
      help: 'Use the form https://host:2379.',
    });
  }
  if (!/^\/[\w./-]*[\w.-]$/.test(prefix)) {
    problems.push({
      message: `--etcd-prefix: ${JSON.stringify(prefix)} is not a valid path prefix`,
      help: 'Use the form /authgraph.',
    });
  }
  if ((certificateFile === '') !== (keyFile === '')) {
    problems.push({
      message: '--etcd-certfile and --etcd-keyfile must be specified together',
      help: '',
    });
  }
  return problems;
};
