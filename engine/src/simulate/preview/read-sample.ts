/**
 * Reads a sample: claims in a file, in JSON as `authgraph whoami --claims` reads them, or in YAML.
 */
import type { ConfigDocument } from '../../documents/yaml/document.ts';
import { jsonText } from '../../documents/yaml/json-text.ts';
import { parseDocument } from '../../documents/yaml/parse.ts';
import { findTokens } from '../../signed-token/find-tokens.ts';
import { type ClaimSet, readClaims } from '../../signed-token/payload.ts';
import type { SourceFile } from '../../source/source-file.ts';
import { type Span, span } from '../../source/span.ts';

/** The result of reading a file of sample claims. */
export interface SampleReading {
  readonly document: ConfigDocument;
  /** The claims, or `undefined` if the text is not an object of claims. */
  readonly claims: ClaimSet | undefined;
  /** The reason why the text is not an object of claims. */
  readonly problem: { readonly span: Span; readonly message: string } | undefined;
}

const expectedForm = {
  json: 'claims must be a JSON object',
  yaml: 'claims must be a map',
} as const;
const examples = { json: '{"sub": "jane"}', yaml: '`sub: jane`' } as const;

/** The largest size of the claims, with aliases expanded. */
const mostCharacters = 1024 * 1024;

/** Reads the outermost object of the text as claims. It never throws. */
export const readSample = (
  source: SourceFile,
  { as }: { readonly as: 'json' | 'yaml' },
): SampleReading => {
  const { text } = source;
  const document = parseDocument(source, {
    limits: 'refuse',
    ...(as === 'yaml' ? { as } : {}),
  });
  const refuse = (where: Span, message: string): SampleReading => ({
    document,
    claims: undefined,
    problem: { span: where, message },
  });
  const [token] = findTokens(text);
  if (token !== undefined && text.trim() === text.slice(token.start, token.end)) {
    return refuse(
      token,
      'the file contains a token. Replace it with its claims: the decoded part between the first and the second dot.',
    );
  }
  const [failed] = document.diagnostics.filter(({ severity }) => severity === 'error');
  if (failed !== undefined) return refuse(failed.span, failed.message);
  const { data } = document;
  const whole = span(0, text.trimEnd().length);
  if (data?.kind !== 'object' || (as === 'json' && document.format !== 'json')) {
    return refuse(data?.span ?? whole, `${expectedForm[as]}, such as ${examples[as]}`);
  }
  const json = document.format === 'json' ? text : jsonText(data, mostCharacters);
  if (json === undefined) return refuse(data.span, 'the claims are too long with aliases expanded');
  const claims = readClaims(new TextEncoder().encode(json));
  return claims === undefined
    ? refuse(data.span, 'the claims nest too deeply')
    : { document, claims, problem: undefined };
};
