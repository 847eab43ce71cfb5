/** Describes a file that contains something else than a configuration. */
import { referencedFiles } from '../documents/embedded/referenced-files.ts';
import type { DataNode, MapData } from '../documents/yaml/data.ts';
import { documentSlices } from '../documents/yaml/document-slices.ts';
import { parseDocument } from '../documents/yaml/parse.ts';
import { redactArgument } from '../source/redact-secrets.ts';
import { type SourceFile, sourceFile } from '../source/source-file.ts';
import type { FileFailure } from './io.ts';

/**
 * Returns the failure for a file that certainly contains something else; `undefined` for one that
 * may be meant as a configuration: it is empty, incomplete or broken.
 */
export const describeOther = (file: SourceFile): FileFailure | undefined => {
  const documents: MapData[] = [];
  for (const { start, end } of documentSlices(file.text).slice(0, maxDocuments)) {
    const { data, failure } = parseDocument(sourceFile('', file.text.slice(start, end)));
    if (failure !== undefined || data?.kind !== 'object' || mayBeConfiguration(data))
      return undefined;
    documents.push(data);
  }
  if (documents.length === 0) return undefined;
  const titles = [...new Set(documents.map(titleOf))];
  const more = titles.length > maxTitles ? ` and ${titles.length - maxTitles} more` : '';
  return {
    kind: 'failure',
    reason: `${file.uri}: no AuthenticationConfiguration in this file; it contains ${titles.slice(0, maxTitles).join(', ')}${more}`,
    help: helpFor(file, documents),
  };
};

/** Documents that are read for the description. */
const maxDocuments = 100;
/** Objects that are listed in it. */
const maxTitles = 3;

/** A misspelled kind or group, or a section of a configuration, shows what is meant. */
const mayBeConfiguration = (data: MapData): boolean =>
  /^auth/i.test(textAt(data, 'kind')) ||
  textAt(data, 'apiVersion').includes('apiserver.config') ||
  data.byKey.has('jwt') ||
  data.byKey.has('anonymous') ||
  data.byKey.size === 0;

const titleOf = (data: MapData): string => {
  const kind = redactArgument(textAt(data, 'kind'));
  if (kind === '') {
    const names = [...data.byKey.keys()].slice(0, maxTitles).map(redactArgument).join(', ');
    return `an object without kind (${names}${data.byKey.size > maxTitles ? ', …' : ''})`;
  }
  const name = redactArgument(textAt(data.byKey.get('metadata')?.value, 'name'));
  return name === '' ? `kind ${kind}` : `${kind} ${JSON.stringify(name)}`;
};

const textAt = (data: DataNode | undefined, name: string): string => {
  const value = data?.kind === 'object' ? data.byKey.get(name)?.value : undefined;
  return value?.kind === 'string' ? value.text : '';
};

const helpFor = (file: SourceFile, documents: readonly MapData[]): string => {
  const [reference] = referencedFiles(file);
  if (reference !== undefined)
    return `It names ${JSON.stringify(reference.path)} in --authentication-config: check that file.`;
  const kinds = new Set(documents.map((data) => textAt(data, 'kind')));
  if (kinds.has('Secret'))
    return 'Values under data of a Secret are base64 and are not read: use stringData, or decode the value and pipe it into authgraph check -.';
  if (kinds.has('ConfigMap'))
    return 'A configuration is recognized by its apiVersion and kind in a value under data.';
  return 'A configuration has kind: AuthenticationConfiguration and an apiVersion such as apiserver.config.k8s.io/v1. authgraph new writes one.';
};
