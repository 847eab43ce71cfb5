/** Reads the claims of a sample file for test cases. */
import { jsonText } from '../../documents/yaml/json-text.ts';
import type { SourceFile } from '../../source/source-file.ts';
import { readSample } from '../preview/read-sample.ts';
import type { RawClaims } from './test-file.ts';

/** Returns the claims, or what is wrong with the file. */
export const rawClaimsOfText = (source: SourceFile): RawClaims | string => {
  const as = /\.json$/i.test(source.uri) ? 'json' : 'yaml';
  const { document, claims, problem } = readSample(source, { as });
  const { data } = document;
  if (claims === undefined || data?.kind !== 'object')
    return `${source.uri}: ${problem?.message ?? 'the claims must be a map'}`;
  return new Map(
    // A sample is not longer than `readSample` accepts, so that no member is.
    [...data.byKey].map(([name, { value }]) => [name, jsonText(value, maxLength) ?? 'null']),
  );
};

const maxLength = 1024 * 1024;
