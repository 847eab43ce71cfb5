/** The settings as the language server gets them. */
import { workspace } from 'vscode';

export const section = 'authgraph';

/** Plain data: what VS Code gives cannot be sent as it is. */
export const serverSettings = (): unknown =>
  JSON.parse(JSON.stringify(workspace.getConfiguration(section)));
