/** Reads the manifests of `--rbac-file` at startup. */
import { readBytes } from '../../documents/yaml/read-bytes.ts';
import { readSnapshot } from '../../node/files.ts';
import type { ObjectView } from '../../ports/object-view.ts';
import { fileRoles, formatManifestProblem, type RoleFile } from '../../rbac/file-roles.ts';

export type RoleFilesReading =
  | { readonly kind: 'view'; readonly view: ObjectView }
  | { readonly kind: 'problems'; readonly problems: readonly string[] };

const maxRoleFileBytes = 4 * 1024 * 1024;

/**
 * Reads roles and bindings from files; `bootstrapRolesFrom` has the meaning that it has in
 * `fileRoles`.
 */
export const readRoleFiles = async (
  paths: readonly string[],
  options: { readonly bootstrapRolesFrom: 'store' | 'files'; readonly domain: string },
): Promise<RoleFilesReading> => {
  const files: RoleFile[] = [];
  const problems: string[] = [];
  for (const path of paths) {
    const reading = await readSnapshot(path, { maxBytes: maxRoleFileBytes });
    if (reading.kind === 'unreadable') {
      problems.push(`failed to read roles from file ${JSON.stringify(path)}: ${reading.reason}`);
      continue;
    }
    const { kind, text } = readBytes(reading.bytes);
    if (kind === 'text') files.push({ name: path, text });
    else problems.push(`${path}: not UTF-8`);
  }
  const roles = fileRoles(files, options);
  if (roles.kind === 'problems') problems.push(...roles.problems.map(formatManifestProblem));
  return roles.kind === 'view' && problems.length === 0
    ? { kind: 'view', view: roles.view }
    : { kind: 'problems', problems };
};
