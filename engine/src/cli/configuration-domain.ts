/**
 * Reads the API domain of a configuration file before it is compiled. The store, the roles and the
 * issued tokens use this domain until the server ends, even if the file changes.
 */
import { isArtifactText, readArtifactByChecksum } from '../compile/artifact.ts';
import { parseDocument } from '../documents/yaml/parse.ts';
import { apiDomains, configGroup } from '../model/api-domain.ts';
import { sourceFile } from '../source/source-file.ts';

/** Returns the domain; `undefined` if the text names none, which the compiler reports. */
export const configurationDomain = (text: string): string | undefined => {
  if (isArtifactText(text)) {
    const reading = readArtifactByChecksum(text);
    return reading.kind === 'artifact' ? reading.artifact.graph.apiDomain : undefined;
  }
  const { data } = parseDocument(sourceFile('configuration', text));
  const apiVersion = data?.kind === 'object' ? data.byKey.get('apiVersion')?.value : undefined;
  if (apiVersion?.kind !== 'string') return undefined;
  return apiDomains.find((domain) => apiVersion.text.startsWith(`${configGroup(domain)}/`));
};
