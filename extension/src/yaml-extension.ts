/**
 * Avoids duplicate diagnostics with the YAML extension, which may have a schema for these files.
 * Its API accepts an empty schema for them; no setting is changed, and its other features continue
 * to work.
 */
import { extensions, workspace } from 'vscode';
import { mayHoldConfiguration } from './recognize-document.ts';
import { section, yamlExtension } from './settings.ts';

const emptySchema = 'authgraph-quiet://schema';

interface YamlExtension {
  registerContributor(
    name: string,
    schemaOf: (uri: string) => string | undefined,
    textOf: (schema: string) => string,
  ): unknown;
}

export const disableOtherSchemas = async (): Promise<'absent' | 'quiet' | 'not started'> => {
  const other = extensions.getExtension<unknown>(yamlExtension);
  if (other === undefined) return 'absent';
  try {
    // Waits for the YAML extension, which activates with the first YAML document.
    const exported = await other.activate();
    if (!isYamlExtension(exported)) return 'absent';
    exported.registerContributor(
      'authgraph',
      (uri) => (disablesOtherSchemas(uri) ? emptySchema : undefined),
      () => '{}',
    );
    return 'quiet';
  } catch {
    // In that case it reports nothing.
    return 'not started';
  }
};

const isYamlExtension = (value: unknown): value is YamlExtension =>
  typeof value === 'object' && value !== null && 'registerContributor' in value;

const disablesOtherSchemas = (uri: string): boolean =>
  workspace.getConfiguration(section).get('disableOtherSchemas', true) &&
  workspace.textDocuments.some(
    (document) => document.uri.toString() === uri && mayHoldConfiguration(document.getText()),
  );
