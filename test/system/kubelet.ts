/**
 * Does the kubelet's part where there is no kubelet: writes the volumes of a pod as the kubelet writes them, starts the
 * container's command as a process, and sends its probes.
 */
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sendHttps } from '../support/https-request.ts';
import { type ServeProcess, serveProcess } from '../support/serve-process.ts';
import type { KubernetesObject } from './chart.ts';

interface Volume {
  readonly name: string;
  readonly configMap?: { readonly name: string };
  readonly secret?: { readonly secretName: string; readonly items?: readonly Item[] };
}
interface Item {
  readonly key: string;
  readonly path: string;
}

interface PodOptions {
  readonly folder: string;
  /** Reads an object of the pod's namespace from the cluster. */
  read(kind: 'configmap' | 'secret', name: string): Promise<KubernetesObject>;
}

export interface RunningPod {
  readonly server: ServeProcess;
  /** Writes the current content of ConfigMaps and Secrets, as the kubelet does about once a minute. */
  synchronize(): Promise<void>;
  /** Returns the status of each probe of the container, sent without a credential. */
  probe(): Promise<Readonly<Record<'startupProbe' | 'livenessProbe' | 'readinessProbe', number>>>;
}

/** Starts the only container of a pod; `pod` is a Pod, or the template of a Deployment. */
export const runPod = async (
  pod: KubernetesObject['spec'],
  { folder, read }: PodOptions,
): Promise<RunningPod> => {
  const [container] = pod.containers;
  const mounts: readonly { readonly name: string; readonly mountPath: string }[] =
    container.volumeMounts;
  const synchronize = async (): Promise<void> => {
    for (const { name, mountPath } of mounts) {
      const volume = pod.volumes.find((one: Volume) => one.name === name);
      writeVolume(join(folder, mountPath), await contentOf(volume, read));
    }
  };
  await synchronize();
  const [command, ...flags]: readonly string[] = container.args.map((argument: string) =>
    mounts.reduce(
      (text, { mountPath }) => text.replace(`=${mountPath}/`, `=${join(folder, mountPath)}/`),
      argument,
    ),
  );
  if (command !== 'serve') throw new Error(`the container runs ${command}`);
  const [{ containerPort: port }] = container.ports;
  const server = await serveProcess(folder, flags, { port });
  const statusOf = async (name: string): Promise<number> => {
    const { path, scheme } = container[name].httpGet;
    if (scheme !== 'HTTPS') throw new Error(`${name} uses ${scheme}`);
    return (await sendHttps({ port, path })).status;
  };
  return {
    server,
    synchronize,
    probe: async () => ({
      startupProbe: await statusOf('startupProbe'),
      livenessProbe: await statusOf('livenessProbe'),
      readinessProbe: await statusOf('readinessProbe'),
    }),
  };
};

/** Returns the files of a volume. */
const contentOf = async (
  { configMap, secret }: Volume,
  read: PodOptions['read'],
): Promise<ReadonlyMap<string, Uint8Array>> => {
  if (configMap !== undefined) {
    const { data = {} } = await read('configmap', configMap.name);
    return new Map(Object.entries<string>(data).map(([key, text]) => [key, Buffer.from(text)]));
  }
  if (secret === undefined) throw new Error('only ConfigMaps and Secrets can be mounted here');
  const { data = {} } = await read('secret', secret.secretName);
  const items = secret.items ?? Object.keys(data).map((key): Item => ({ key, path: key }));
  return new Map(items.map(({ key, path }) => [path, Buffer.from(data[key], 'base64')]));
};

let written = 0;

/**
 * The kubelet's atomic writer: a new folder with the files, and `..data`, a symbolic link that is replaced in one step.
 * Each file is a symbolic link through `..data`.
 */
const writeVolume = (folder: string, files: ReadonlyMap<string, Uint8Array>): void => {
  written += 1;
  const version = `..2026_01_31_${written}`;
  mkdirSync(join(folder, version), { recursive: true });
  for (const [name, content] of files) writeFileSync(join(folder, version, name), content);
  symlinkSync(version, join(folder, '..data_tmp'));
  renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
  for (const name of files.keys()) {
    rmSync(join(folder, name), { force: true });
    symlinkSync(join('..data', name), join(folder, name));
  }
};
