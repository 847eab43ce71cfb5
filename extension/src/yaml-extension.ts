/**
 * Beside the YAML extension that many have: it may know a schema for files that we check, and would say
 * everything twice. Its own interface takes an empty schema for these files, so that it says nothing
 * about their structure; no setting is written, and it goes on with everything else.
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

export const quietOtherSchemas = async (): Promise<'absent' | 'quiet' | 'not started'> => {
  const other = extensions.getExtension<unknown>(yamlExtension);
  if (other === undefined) return 'absent';
  try {
    // It begins with the first YAML document by itself; this waits for that.
    const exported = await other.activate();
    if (!isYamlExtension(exported)) return 'absent';
    exported.registerContributor(
      'authgraph',
      (uri) => (isOurs(uri) ? emptySchema : undefined),
      () => '{}',
    );
    return 'quiet';
  } catch {
    // Then nothing is reported twice.
    return 'not started';
  }
};

const isYamlExtension = (value: unknown): value is YamlExtension =>
  typeof value === 'object' && value !== null && 'registerContributor' in value;

const isOurs = (uri: string): boolean =>
  workspace.getConfiguration(section).get('quietOtherSchemas', true) &&
  workspace.textDocuments.some(
    (document) => document.uri.toString() === uri && mayHoldConfiguration(document.getText()),
  );
