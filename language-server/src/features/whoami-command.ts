/** The same question for a shell. */
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
  const { uri, compilation } = part;
  // The command reads whole files; a configuration inside of another document is given to it.
  const isWhole = compilation.document.source.text === workspace.text(uri);
  const { fixedClock } = workspace.options;
  return whoamiCommand({
    config: isWhole ? filePath(uri) : undefined,
    claims: sample.document === undefined ? undefined : filePath(sample.id),
    release: compilation.settings.targetRelease,
    ...(fixedClock === undefined ? {} : { now: fixedClock }),
    ...(acting === undefined
      ? {}
      : { as: { ...acting.wanted, roleFiles: acting.roleUris.flatMap(pathIfFile) } }),
  });
};

const pathIfFile = (uri: string): readonly string[] => {
  const path = filePath(uri);
  return path === undefined ? [] : [path];
};

/** `undefined` for what no shell can name. */
const filePath = (uri: string): string | undefined => {
  const parsed = URI.parse(uri);
  return parsed.scheme === 'file' ? parsed.fsPath : undefined;
};
