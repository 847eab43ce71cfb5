/**
 * The flags of the kube-apiserver that loads a checked file: those of a static pod, or of a file of kubeadm, k3s or RKE2,
 * in the same folder that names the file with `--authentication-config`. Only files that are checked as well are read.
 */
import { basename, dirname } from 'node:path';
import { type FlagsOfServer, type ServerFlags, serversIn } from '../compile/flags-in-file.ts';
import { sourceFile } from '../source/source-file.ts';
import type { FileText } from './io.ts';
import { isCandidate } from './walk-folder.ts';

/** Returns the flags for a file; none if no server or more than one names the file. */
export type FlagsForFile = (path: string) => Promise<ServerFlags>;

/** Creates the function that finds the flags; `read` returns `undefined` for a file that is not read. */
export const serversNextTo = (
  paths: readonly string[],
  read: (path: string) => Promise<FileText | undefined>,
): FlagsForFile => {
  const pathsByFolder = Map.groupBy(
    // Pipes such as /dev/fd/63, which can be read only once, have other names.
    paths.filter(isCandidate),
    (path) => dirname(path),
  );
  const serversByFolder = new Map<string, Promise<readonly FlagsOfServer[]>>();
  const serversOf = async (neighbors: readonly string[]): Promise<readonly FlagsOfServer[]> => {
    const servers: FlagsOfServer[] = [];
    // One after the other, so that one text is in memory at a time.
    for (const path of neighbors) {
      const file = await read(path);
      if (file?.kind === 'text') servers.push(...serversIn(sourceFile(path, file.text)));
    }
    return servers;
  };
  const findServers = (folder: string): Promise<readonly FlagsOfServer[]> => {
    const known = serversByFolder.get(folder);
    if (known !== undefined) return known;
    const neighbors = pathsByFolder.get(folder) ?? [];
    // A single file has no other one next to it.
    const servers = neighbors.length < 2 ? Promise.resolve([]) : serversOf(neighbors);
    serversByFolder.set(folder, servers);
    return servers;
  };
  return async (path) => {
    const servers = await findServers(dirname(path));
    const [server, ...others] = servers.filter(
      ({ configurationFile }) => basename(configurationFile) === basename(path),
    );
    return server === undefined || others.length > 0 ? noFlags : server.others;
  };
};

const noFlags: ServerFlags = { disallowedIssuers: [], hasTokenWebhook: false };
