/** The groups that the bindings in the manifests of the workspace name. */
import { type GroupBinding, type GroupBindings, groupBindings } from '@authgraph/engine/language';
import type { RoleFile, RoleFiles } from './input-files.ts';
import { limits } from './limits.ts';

/** A binding, and its file. */
export interface PlacedBinding extends GroupBinding {
  readonly uri: string;
  /** The path of the file relative to its folder. */
  readonly path: string;
}

export interface WorkspaceBindings {
  readonly byGroup: ReadonlyMap<string, readonly PlacedBinding[]>;
  /** Returns a binding of a group that differs only in the prefix; never for `system:` groups. */
  similar(group: string): PlacedBinding | undefined;
  /** Whether there is a binding, also of other subjects. */
  readonly hasBindings: boolean;
  /** False if a manifest cannot be read, or there are more than the server reads. */
  readonly isComplete: boolean;
}

/** Returns a function that reads each manifest once per text, and returns equal results identically. */
export const createBindings = (roles: () => RoleFiles): (() => WorkspaceBindings) => {
  let last: { readonly roles: RoleFiles; readonly bindings: WorkspaceBindings };
  last = { roles: { files: [], isComplete: true }, bindings: combined([], true) };
  let readings = new Map<string, Reading>();
  return () => {
    const current = roles();
    if (isSame(current, last.roles)) return last.bindings;
    const next = new Map<string, Reading>();
    for (const { file, isRead } of withinLimit(current.files)) {
      const before = readings.get(file.uri);
      const isKnown = before?.file.text === file.text && before.groups !== notRead;
      const read = (): GroupBindings => (isKnown ? before.groups : groupBindings(file.text));
      next.set(file.uri, { file, groups: isRead ? read() : notRead });
    }
    readings = next;
    last = { roles: current, bindings: combined([...next.values()], current.isComplete) };
    return last.bindings;
  };
};

interface Reading {
  readonly file: RoleFile;
  readonly groups: GroupBindings;
}

const notRead: GroupBindings = { groups: [], hasBindings: false, isComplete: false };

const isSame = ({ files, isComplete }: RoleFiles, others: RoleFiles): boolean =>
  isComplete === others.isComplete &&
  files.length === others.files.length &&
  files.every(({ uri, text }, at) => {
    const other = others.files[at];
    return uri === other?.uri && text === other.text;
  });

/** Marks the files that are read, in order, up to the limit of their lengths. */
const withinLimit = (
  files: readonly RoleFile[],
): readonly { readonly file: RoleFile; readonly isRead: boolean }[] => {
  let length = 0;
  return files.map((file) => {
    length += file.text.length;
    return { file, isRead: length <= limits.bindingsLength };
  });
};

/** Returns a group without its prefix; `undefined` for the groups of Kubernetes. */
const bareGroup = (group: string): string | undefined =>
  group.startsWith('system:') ? undefined : group.slice(group.indexOf(':') + 1);

const combined = (readings: readonly Reading[], isComplete: boolean): WorkspaceBindings => {
  const byGroup = new Map<string, PlacedBinding[]>();
  for (const { file, groups } of readings) {
    for (const binding of groups.groups) {
      const placed = byGroup.get(binding.group) ?? [];
      placed.push({ ...binding, uri: file.uri, path: file.name });
      byGroup.set(binding.group, placed);
    }
  }
  const byBareGroup = new Map<string, PlacedBinding>();
  for (const [group, [first]] of byGroup) {
    const bare = bareGroup(group);
    if (bare === undefined || first === undefined) continue;
    // The whole group takes precedence.
    byBareGroup.set(group, first);
    if (!byBareGroup.has(bare)) byBareGroup.set(bare, first);
  }
  return {
    byGroup,
    similar(group) {
      const bare = bareGroup(group);
      return bare === undefined ? undefined : byBareGroup.get(bare);
    },
    hasBindings: readings.some(({ groups }) => groups.hasBindings),
    isComplete: isComplete && readings.every(({ groups }) => groups.isComplete),
  };
};
