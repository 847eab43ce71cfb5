/**
 * The roles in several manifests as one view. If one manifest has an error, none of them applies.
 */
import type { ObjectView } from '../ports/object-view.ts';
import { withAggregatedRules } from './aggregation.ts';
import { bootstrapObjects } from './bootstrap-roles.ts';
import { fixedView } from './fixed-view.ts';
import { type ManifestProblem, readRoleManifests } from './role-manifests.ts';

export interface RoleFile {
  /** Name of the file in messages. */
  readonly name: string;
  readonly text: string;
}

export type FileRoles =
  | { readonly kind: 'view'; readonly view: ObjectView }
  | { readonly kind: 'problems'; readonly problems: readonly ManifestProblem[] };

/**
 * Reads the manifests. `bootstrapRolesFrom` is `store` if a store contains the bootstrap roles, or
 * `files` if they are to be added here.
 */
export const fileRoles = (
  files: readonly RoleFile[],
  {
    bootstrapRolesFrom,
    domain,
  }: { readonly bootstrapRolesFrom: 'store' | 'files'; readonly domain: string },
): FileRoles => {
  const readings = files.map(({ name, text }) => readRoleManifests(name, text));
  const problems = readings.flatMap((reading) => reading.problems);
  if (problems.length > 0) return { kind: 'problems', problems };
  const written = readings.flatMap(({ objects }) => objects);
  const all = bootstrapRolesFrom === 'store' ? written : [...written, ...bootstrapObjects(domain)];
  return { kind: 'view', view: fixedView(withAggregatedRules(all)) };
};

/** Returns `roles.yaml:12:5: unknown field "rules[0].verb"`. */
export const formatManifestProblem = ({ file, line, column, message }: ManifestProblem): string =>
  `${file}:${line}:${column}: ${message}`;
