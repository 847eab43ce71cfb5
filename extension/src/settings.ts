/** The settings, as sent to the language server and as read by the extension. */
import { extensions, workspace } from 'vscode';

/** The section of all settings. */
export const section = 'authgraph';

/** The common extension for YAML files. */
export const yamlExtension = 'redhat.vscode-yaml';

/** Returns plain data, because VS Code's configuration object cannot be sent. */
export const serverSettings = (): unknown => {
  const settings = JSON.parse(JSON.stringify(workspace.getConfiguration(section)));
  return { ...settings, outline: showsOutline(settings.outline) ? 'on' : 'off' };
};

/** `auto` leaves outline and folding to the YAML extension if it is active. */
const showsOutline = (setting: unknown): boolean =>
  setting === 'on' || (setting !== 'off' && !isYamlExtensionActive());

const isYamlExtensionActive = (): boolean =>
  extensions.getExtension(yamlExtension)?.isActive === true;

/** Whether closed configurations have diagnostics, too. */
export const diagnosticsScope = (): 'openFiles' | 'workspace' =>
  workspace.getConfiguration(section).get('diagnostics.scope') === 'workspace'
    ? 'workspace'
    : 'openFiles';

export const isLockOutWarningEnabled = (): boolean =>
  workspace.getConfiguration(section).get('lockOutWarning.enabled', true);

/** Only user settings control the network; workspace settings are ignored. */
export const mayContactIssuers = (): boolean => {
  const setting = workspace.getConfiguration(section).inspect<boolean>('network.allowDiscovery');
  return workspace.isTrusted && setting?.globalValue === true;
};
