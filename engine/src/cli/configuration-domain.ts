/**
 * The API domain of a configuration file, told before it is compiled: the store, the roles and the
 * tokens that are made speak the domain that the graph speaks, and keep it when the file changes.
 */
import { isArtifactText, readArtifactByChecksum } from '../compile/artifact.ts';
import { parseDocument } from '../documents/yaml/parse.ts';
import { apiDomains, configGroup } from '../model/api-domain.ts';
import { sourceFile } from '../source/source-file.ts';

/** `undefined` where the text names none: whoever loads it says why. */
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
