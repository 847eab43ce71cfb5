/** A YAML body as data: read by the one reader of YAML, which is as strict and as limited here. */
import { parseDocument } from '../../documents/parse.ts';
import { plainOf } from '../../documents/plain-value.ts';
import { sourceFile } from '../../source/source-file.ts';
import type { BodyReading } from './json-value.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** `strict`: say which keys are set twice. An empty body is null, as in the real server. */
export const readYamlBody = (
  bytes: Uint8Array,
  { strict }: { readonly strict: boolean },
): BodyReading => {
  const source = sourceFile('request-body', utf8.decode(bytes));
  const document = parseDocument(source, { limits: 'refuse', as: 'yaml' });
  if (document.failure !== undefined) return { kind: 'error', message: document.failure };
  const limit = document.data === undefined ? document.diagnostics[0] : undefined;
  if (limit !== undefined) return { kind: 'error', message: limit.message };
  return {
    kind: 'value',
    value: plainOf(document.data),
    strictErrors: strict ? document.strictErrors : [],
  };
};
