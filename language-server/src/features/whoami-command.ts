/** The CLI command equivalent to a whoami request. */
import { type UserInfo, whoamiCommand } from '@authgraph/engine/language';
import { URI } from 'vscode-uri';
import type { Sample } from '../samples.ts';
import type { ConfigurationPart, Workspace } from '../workspace.ts';

export const commandFor = (
  {
    workspace,
    part,
    sample,
  }: {
    readonly workspace: Workspace;
    readonly part: ConfigurationPart;
    readonly sample: Sample;
  },
  acting: { readonly wanted: UserInfo; readonly roleUris: readonly string[] } | undefined,
): string => {
  const { fixedClock } = workspace.options;
  return whoamiCommand({
    config: configPath(workspace, part),
    claims: claimsPath(sample),
    release: part.compilation.settings.targetRelease,
    ...(fixedClock === undefined ? {} : { now: fixedClock }),
    ...(acting === undefined
      ? {}
      : { as: { ...acting.wanted, roleFiles: acting.roleUris.flatMap(pathIfFile) } }),
  });
};

/**
 * Returns the configuration's path; `undefined` if it is embedded in another document, because the
 * command reads whole files.
 */
export const configPath = (
  workspace: Workspace,
  { uri, compilation }: ConfigurationPart,
): string | undefined =>
  compilation.document.source.text === workspace.text(uri) ? filePath(uri) : undefined;

/** Returns `undefined` for samples held in memory. */
export const claimsPath = ({ document, id }: Sample): string | undefined =>
  document === undefined ? undefined : filePath(id);

const pathIfFile = (uri: string): readonly string[] => {
  const path = filePath(uri);
  return path === undefined ? [] : [path];
};

/** Returns `undefined` for URIs that are not files. */
const filePath = (uri: string): string | undefined => {
  const parsed = URI.parse(uri);
  return parsed.scheme === 'file' ? parsed.fsPath : undefined;
};
