/** The flags that say where objects are stored; those of etcd have the real server's names. */
import type { FlagProblem, FlagRow, FlagValues } from '../../flags/flag.ts';

/** Where objects are, and how old what is known of them may be. */
export interface StoreSettings {
  readonly backend: StoreBackend;
  /** So old may be what requests know of the objects. */
  readonly maxStalenessMs: number;
}

/** One of the stores, with what it needs. */
export type StoreBackend =
  | { readonly kind: 'memory' }
  /** A folder that is made where it is missing. */
  | { readonly kind: 'sqlite'; readonly folder: string }
  /** Empty inside of a cluster: its service account. */
  | { readonly kind: 'kubernetes'; readonly kubeconfig: string }
  | {
      readonly kind: 'etcd';
      readonly endpoints: readonly string[];
      readonly prefix: string;
      /** Empty where it is the system's, or none. */
      readonly authorityFile: string;
      readonly certificateFile: string;
      readonly keyFile: string;
    };

/** The file within the folder of the embedded store. */
export const databaseFile = 'store.db';

const group = 'Store';

/** No view is surely younger: a watch that fell silent is noticed no sooner. */
const minStalenessMs = 30_000;

/** The flags of the store. */
export const flags: readonly FlagRow[] = [
  {
    name: 'store',
    group,
    type: 'string',
    choices: ['sqlite', 'memory', 'kubernetes', 'etcd'],
    default: 'memory',
    doc: 'Where objects are stored: in memory until the server stops, in a file, in the API of a cluster, or in etcd. Without this flag, --store-path selects sqlite and --etcd-servers selects etcd.',
  },
  {
    name: 'store-path',
    group,
    type: 'string',
    placeholder: 'DIR',
    default: '/var/lib/authgraph',
    doc: 'Folder of the file for --store=sqlite; made where it is missing.',
  },
  {
    name: 'store-kubeconfig',
    group,
    type: 'string',
    placeholder: 'FILE',
    default: '',
    doc: "Kubeconfig file of the cluster for --store=kubernetes; the pod's service account where it is empty.",
  },
  {
    name: 'store-max-staleness',
    group,
    type: 'duration',
    default: '5m0s',
    doc: 'How old may be what requests know of the objects, before what depends on them is refused.',
  },
  {
    name: 'etcd-servers',
    group,
    type: 'stringSlice',
    default: '[]',
    doc: 'List of etcd servers to connect with (scheme://ip:port), comma separated.',
  },
  {
    name: 'etcd-prefix',
    group,
    type: 'string',
    default: '/authgraph',
    doc: 'The prefix to prepend to all resource paths in etcd.',
  },
  {
    name: 'etcd-cafile',
    group,
    type: 'string',
    placeholder: 'FILE',
    default: '',
    doc: 'SSL Certificate Authority file used to secure etcd communication.',
  },
  {
    name: 'etcd-certfile',
    group,
    type: 'string',
    placeholder: 'FILE',
    default: '',
    doc: 'SSL certification file used to secure etcd communication.',
  },
  {
    name: 'etcd-keyfile',
    group,
    type: 'string',
    placeholder: 'FILE',
    default: '',
    doc: 'SSL key file used to secure etcd communication.',
  },
];

/** Settings from the values of the flags. */
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

/** A flag of a store selects that store; without any, nothing is written to the disk. */
const kindOf = (values: FlagValues, endpoints: readonly string[]): string => {
  if (values.isSet('store')) return values.string('store');
  if (endpoints.length > 0) return 'etcd';
  return values.isSet('store-path') ? 'sqlite' : values.string('store');
};

/** What is wrong before anything is opened. */
export const validateStoreSettings = ({
  backend,
  maxStalenessMs,
}: StoreSettings): readonly FlagProblem[] => [
  ...backendProblems(backend),
  ...(maxStalenessMs < minStalenessMs
    ? [
        {
          message: `--store-max-staleness must be at least ${minStalenessMs / 1000}s`,
          help: 'a view that lost its store needs some seconds to notice it and to come back',
        },
      ]
    : []),
];

const backendProblems = (backend: StoreBackend): readonly FlagProblem[] => {
  if (backend.kind === 'sqlite' && backend.folder === '') {
    return [{ message: '--store-path must be specified', help: 'or keep nothing: --store=memory' }];
  }
  if (backend.kind !== 'etcd') return [];
  const { endpoints, prefix, certificateFile, keyFile } = backend;
  const problems: FlagProblem[] = [];
  // The real server's words.
  if (endpoints.length === 0)
    problems.push({ message: '--etcd-servers must be specified', help: '' });
  for (const endpoint of endpoints) {
    const url = URL.parse(endpoint);
    if (url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/') continue;
    problems.push({
      message: `--etcd-servers: ${JSON.stringify(endpoint)} is no address of an etcd server`,
      help: 'write it as https://host:2379',
    });
  }
  if (!/^\/[\w./-]*[\w.-]$/.test(prefix)) {
    problems.push({
      message: `--etcd-prefix: ${JSON.stringify(prefix)} cannot stand before paths`,
      help: 'write it as /authgraph',
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
