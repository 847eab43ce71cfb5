/** A sample: claims that stand in a file, as `authgraph whoami --claims` takes them, or as YAML. */
import type { ConfigDocument } from '../../documents/yaml/document.ts';
import { jsonText } from '../../documents/yaml/json-text.ts';
import { parseDocument } from '../../documents/yaml/parse.ts';
import { findTokens } from '../../signed-token/find-tokens.ts';
import { type ClaimSet, readClaims } from '../../signed-token/payload.ts';
import type { SourceFile } from '../../source/source-file.ts';
import { type Span, span } from '../../source/span.ts';

/** A file of sample claims, read. */
export interface SampleReading {
  readonly document: ConfigDocument;
  /** `undefined` where the text is no map of claims. */
  readonly claims: ClaimSet | undefined;
  /** Why it is none. */
  readonly problem: { readonly span: Span; readonly message: string } | undefined;
}

const asked = { json: 'claims are a JSON object', yaml: 'claims are a map' } as const;
const examples = { json: '{"sub": "jane"}', yaml: '`sub: jane`' } as const;

/** Claims written out, whatever aliases repeat. */
const mostCharacters = 1024 * 1024;

/** The outermost map of the text holds the claims. Never throws. */
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
      'a token stands here. Only its claims belong in a file: decode it, and keep what is between the first and the second dot.',
    );
  }
  const [failed] = document.diagnostics.filter(({ severity }) => severity === 'error');
  if (failed !== undefined) return refuse(failed.span, failed.message);
  const { data } = document;
  const whole = span(0, text.trimEnd().length);
  if (data?.kind !== 'object' || (as === 'json' && document.format !== 'json')) {
    return refuse(data?.span ?? whole, `${asked[as]}, such as ${examples[as]}`);
  }
  const json = document.format === 'json' ? text : jsonText(data, mostCharacters);
  if (json === undefined) return refuse(data.span, 'the claims are too long with aliases expanded');
  const claims = readClaims(new TextEncoder().encode(json));
  return claims === undefined
    ? refuse(data.span, 'the claims nest too deeply')
    : { document, claims, problem: undefined };
};
