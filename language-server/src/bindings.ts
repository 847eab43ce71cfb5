/** The groups that the bindings in the manifests of the workspace name. */
import { type GroupBinding, type GroupBindings, groupBindings } from '@authgraph/engine/language';
import type { RoleFile } from './input-files.ts';
import { limits } from './limits.ts';

/** A binding, and its file. */
export interface PlacedBinding extends GroupBinding {
  readonly uri: string;
  /** The path of the file relative to its folder. */
  readonly path: string;
}

export interface WorkspaceBindings {
  readonly byGroup: ReadonlyMap<string, readonly PlacedBinding[]>;
  /** Whether there is a binding, also of other subjects. */
  readonly hasBindings: boolean;
  /** False if a manifest cannot be read, or there are more than the server reads. */
  readonly isComplete: boolean;
}

/** Returns a function that reads each manifest once per text, and returns equal results identically. */
export const createBindings = (roles: () => readonly RoleFile[]): (() => WorkspaceBindings) => {
  let last: { readonly files: readonly RoleFile[]; readonly bindings: WorkspaceBindings };
  last = { files: [], bindings: combined([]) };
  let readings = new Map<string, Reading>();
  return () => {
    const files = roles();
    if (isSame(files, last.files)) return last.bindings;
    const next = new Map<string, Reading>();
    for (const { file, isRead } of withinLimit(files)) {
      const before = readings.get(file.uri);
      const found =
        before?.file.text === file.text
          ? before.found
          : isRead
            ? groupBindings(file.text)
            : notRead;
      next.set(file.uri, { file, found });
    }
    readings = next;
    last = { files, bindings: combined([...next.values()]) };
    return last.bindings;
  };
};

interface Reading {
  readonly file: RoleFile;
  readonly found: GroupBindings;
}

const notRead: GroupBindings = { groups: [], hasBindings: false, isComplete: false };

const isSame = (files: readonly RoleFile[], others: readonly RoleFile[]): boolean =>
  files.length === others.length &&
  files.every(({ uri, text }, at) => uri === others[at]?.uri && text === others[at]?.text);

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

const combined = (readings: readonly Reading[]): WorkspaceBindings => {
  const byGroup = new Map<string, PlacedBinding[]>();
  for (const { file, found } of readings) {
    for (const binding of found.groups) {
      const placed = byGroup.get(binding.group) ?? [];
      placed.push({ ...binding, uri: file.uri, path: file.name });
      byGroup.set(binding.group, placed);
    }
  }
  return {
    byGroup,
    hasBindings: readings.some(({ found }) => found.hasBindings),
    isComplete: readings.every(({ found }) => found.isComplete),
  };
};
