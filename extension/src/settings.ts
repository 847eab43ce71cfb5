/** The settings: as the language server gets them, and the ones that we read ourselves. */
import { extensions, workspace } from 'vscode';

/** What our settings begin with. */
export const section = 'authgraph';

/** The extension for all YAML files that many have. */
export const yamlExtension = 'redhat.vscode-yaml';

/** Plain data: what VS Code gives cannot be sent as it is. */
export const serverSettings = (): unknown => {
  const settings = JSON.parse(JSON.stringify(workspace.getConfiguration(section)));
  return { ...settings, outline: showsOutline(settings.outline) ? 'on' : 'off' };
};

/** With `auto`, outline and folding stay with the extension that shows them for all YAML files. */
const showsOutline = (setting: unknown): boolean =>
  setting === 'on' || (setting !== 'off' && !isYamlExtensionActive());

const isYamlExtensionActive = (): boolean =>
  extensions.getExtension(yamlExtension)?.isActive === true;

export const isLockOutWarningEnabled = (): boolean =>
  workspace.getConfiguration(section).get('lockOutWarning.enabled', true);

/** Nobody but the user decides about the network: a workspace's settings do not count. */
export const mayContactIssuers = (): boolean => {
  const setting = workspace.getConfiguration(section).inspect<boolean>('network.allowDiscovery');
  return workspace.isTrusted && setting?.globalValue === true;
};
