/**
 * Beside the YAML extension that many have: it may know a schema for files that we check, and would say
 * everything twice. Its own interface takes an empty schema for these files, so that it says nothing
 * about their structure; no setting is written, and it goes on with everything else.
 */
import { extensions, workspace } from 'vscode';
import { mayHoldConfiguration } from './recognise.ts';
import { section, yamlExtension } from './settings.ts';

const emptySchema = 'authgraph-quiet://schema';

interface YamlExtension {
  registerContributor(
    name: string,
    schemaOf: (uri: string) => string | undefined,
    textOf: (schema: string) => string,
  ): unknown;
}

export const quietOtherSchemas = async (): Promise<void> => {
  const other = extensions.getExtension<unknown>(yamlExtension);
  if (other === undefined) return;
  try {
    // It begins with the first YAML document by itself; this waits for that.
    const found = await other.activate();
    if (!isYamlExtension(found)) return;
    found.registerContributor(
      'authgraph',
      (uri) => (isOurs(uri) ? emptySchema : undefined),
      () => '{}',
    );
  } catch {
    // It did not start: then there is nothing to be heard twice.
  }
};

const isYamlExtension = (value: unknown): value is YamlExtension =>
  typeof value === 'object' && value !== null && 'registerContributor' in value;

const isOurs = (uri: string): boolean =>
  workspace.getConfiguration(section).get('quietOtherSchemas', true) &&
  workspace.textDocuments.some(
    (document) => document.uri.toString() === uri && mayHoldConfiguration(document.getText()),
  );
