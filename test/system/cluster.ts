/** kube-apiserver of the lab with its etcd, and kubectl and helm as its administrator. */
import { join } from 'node:path';
import { vi } from 'vitest';
import {
  type KubeApiserver,
  kubeApiserverProgram,
  startKubeApiserver,
} from '../support/kube-apiserver.ts';
import { kubectlProgram } from '../support/kubectl.ts';
import { type Ran, runProgram } from '../support/serve-process.ts';
import type { TemporaryFolder } from '../support/temporary-folder.ts';
import type { KubernetesObject } from './chart.ts';

export interface Cluster {
  readonly apiServer: KubeApiserver;
  readonly kubeconfig: string;
  /** Runs kubectl as the administrator. */
  kubectl(args: readonly string[], input?: string): Promise<Ran>;
  /** Runs kubectl with a bearer token. */
  kubectlAs(token: string, ...args: readonly string[]): Promise<Ran>;
  /** The arguments of kubectl that name the cluster and a token. */
  connection(token: string): readonly string[];
  get(kind: string, name: string): Promise<KubernetesObject>;
  stop(): Promise<void>;
}

export const namespace = 'auth';

/** Starts the cluster and waits until it is ready; `flags` are those of kube-apiserver. */
export const startCluster = async (
  { path: folder, write }: TemporaryFolder,
  flags: readonly string[] = [],
): Promise<Cluster> => {
  const program = kubectlProgram();
  const apiServer = await startKubeApiserver(kubeApiserverProgram(), flags);
  write('api-ca.crt', apiServer.certificateAuthority);
  const kubeconfig = write(
    'admin.kubeconfig',
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'lab',
          cluster: {
            server: apiServer.origin,
            'certificate-authority': join(folder, 'api-ca.crt'),
          },
        },
      ],
      users: [{ name: 'admin', user: { token: apiServer.token } }],
      contexts: [{ name: 'lab', context: { cluster: 'lab', user: 'admin', namespace } }],
      'current-context': 'lab',
    }),
  );
  const connection = (token: string): readonly string[] => [
    '--kubeconfig=/dev/null',
    `--server=${apiServer.origin}`,
    `--certificate-authority=${join(folder, 'api-ca.crt')}`,
    `--token=${token}`,
    `--namespace=${namespace}`,
  ];
  const kubectl: Cluster['kubectl'] = (args, input) =>
    runProgram(program, [`--kubeconfig=${kubeconfig}`, ...args], {
      folder,
      ...(input === undefined ? {} : { input }),
    });
  await vi.waitFor(
    async () => {
      // It is ready once the bootstrap roles exist.
      const { stdout, stderr } = await kubectl(['get', '--raw', '/readyz']);
      if (stdout !== 'ok') throw new Error(stderr + apiServer.log());
    },
    { timeout: 60_000, interval: 300 },
  );
  await kubectl(['create', 'namespace', namespace]);
  return {
    apiServer,
    kubeconfig,
    kubectl,
    connection,
    kubectlAs: (token, ...args) => runProgram(program, [...connection(token), ...args], { folder }),
    async get(kind, name) {
      const { stdout, stderr, code } = await kubectl(['get', kind, name, '-o', 'json']);
      if (code !== 0) throw new Error(stderr);
      return JSON.parse(stdout);
    },
    stop: () => apiServer.stop(),
  };
};
