/**
 * The flags of the kube-apiserver that loads a checked file: those of a static pod, or of a file of kubeadm, k3s or RKE2,
 * in the same folder that names the file with `--authentication-config`. Only files that are checked as well are read.
 */
import { basename, dirname, resolve } from 'node:path';
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
  // By their whole path, because one folder can be written in several ways. Pipes such as /dev/fd/63, which can be read
  // only once, have other names.
  const neighbors = new Map(paths.filter(isCandidate).map((path) => [resolve(path), path]));
  const neighborsByFolder = Map.groupBy(neighbors, ([whole]) => dirname(whole));
  const serversByFolder = new Map<string, Promise<ServersByFile>>();
  const readServers = async (folder: string): Promise<ServersByFile> => {
    const files = neighborsByFolder.get(folder) ?? [];
    const servers: FlagsOfServer[] = [];
    // A single file has no other one next to it. One after the other, so that one text is in memory at a time.
    for (const [, path] of files.length < 2 ? [] : files) {
      const file = await read(path);
      if (file?.kind === 'text') servers.push(...serversIn(sourceFile(path, file.text)));
    }
    return Map.groupBy(servers, ({ configurationFile }) => basename(configurationFile));
  };
  return async (path) => {
    const whole = resolve(path);
    const folder = dirname(whole);
    const reading = serversByFolder.get(folder) ?? readServers(folder);
    serversByFolder.set(folder, reading);
    const [server, ...others] = (await reading).get(basename(whole)) ?? [];
    return server === undefined || others.length > 0 ? noFlags : server.others;
  };
};

/** The servers of a folder by the name of the file that they load. */
type ServersByFile = ReadonlyMap<string, readonly FlagsOfServer[]>;

const noFlags: ServerFlags = { disallowedIssuers: [], hasTokenWebhook: false };
