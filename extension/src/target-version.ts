/** Selects the version of kube-apiserver that files are checked for. */
import { type ExtensionContext, workspace } from 'vscode';
import { pick } from './quick-pick.ts';
import { section } from './settings.ts';

export const selectTargetVersion = async (context: ExtensionContext): Promise<void> => {
  const settings = workspace.getConfiguration(section);
  const current = settings.get('targetVersion', 'newest');
  const items = knownVersions(context).map((version) => ({
    label: version,
    ...(version === current ? { description: 'current' } : {}),
  }));
  const picked = await pick(items, {
    placeHolder: 'Select the version of kube-apiserver that reads the configuration',
  });
  // Without an open folder there are no workspace settings.
  const isGlobal = workspace.workspaceFolders === undefined;
  if (picked !== undefined) await settings.update('targetVersion', picked.label, isGlobal);
};

/** Returns `newest` and then the versions in ascending order, as listed in the manifest. */
export const knownVersions = ({ extension }: ExtensionContext): readonly string[] => {
  const manifest: Manifest = extension.packageJSON;
  const { properties } = manifest.contributes.configuration;
  return properties['authgraph.targetVersion']?.enum ?? [];
};

interface Manifest {
  readonly contributes: {
    readonly configuration: {
      readonly properties: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
    };
  };
}
