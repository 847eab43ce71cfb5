/** Reads claims: a JSON object in an argument or a file, or YAML if the file name says so. */
import { decodeUtf8Loosely } from '../formats/utf8.ts';
import { type ClaimSet, readClaims } from '../signed-token/payload.ts';
import { sourceFile } from '../source/source-file.ts';
import { fail } from './command.ts';
import type { Io } from './io.ts';

/** How claims are passed, for the help of flags. */
export const claimsDoc =
  'Claims: a JSON object such as \'{"sub":"jane"}\', or a file with one, or with YAML if its name ends in .yaml or .yml; - reads standard input.';

/**
 * Returns the claims, or prints the error and ends the command. An argument that starts with `{` is
 * the object itself.
 */
export const readClaimsArgument = async (argument: string, io: Io): Promise<ClaimSet> => {
  if (isInline(argument)) return jsonClaims('--claims', argument, io);
  const file = await io.readText(argument);
  if (file.kind === 'failure') return fail(io, file.reason);
  return /\.ya?ml$/i.test(argument)
    ? yamlClaims(argument, file.text, io)
    : jsonClaims(argument === '-' ? 'standard-input' : argument, file.text, io);
};

const isInline = (argument: string): boolean => /^\s*\{/.test(argument);

/** Returns the name of a sample: `jane` for `people/jane.claims.json`. */
export const sampleName = (argument: string): string =>
  isInline(argument)
    ? 'claims'
    : argument.replace(/^.*[\\/]/s, '').replace(/(?:\.claims)?\.(?:json|ya?ml)$/i, '');

const jsonClaims = async (name: string, text: string, io: Io): Promise<ClaimSet> => {
  const bytes = new TextEncoder().encode(text);
  const claims = readClaims(bytes);
  if (claims !== undefined) return claims;
  const { parseJsonWithPositions } = await import('../formats/json-with-positions.ts');
  const tree = parseJsonWithPositions(bytes);
  const [at, problem] =
    tree.kind === 'error'
      ? [tree.at, tree.error]
      : [tree.root.start, 'the claims must be a JSON object, such as {"sub": "jane"}'];
  const offset = decodeUtf8Loosely(bytes.subarray(0, at)).length;
  return failAt(name, text, { offset, problem }, io);
};

const yamlClaims = async (path: string, text: string, io: Io): Promise<ClaimSet> => {
  const { readSample } = await import('../simulate/preview/read-sample.ts');
  const { claims, problem } = readSample(sourceFile(path, text), { as: 'yaml' });
  if (claims !== undefined) return claims;
  const offset = problem?.span.start ?? 0;
  return failAt(
    path,
    text,
    { offset, problem: problem?.message ?? 'the claims must be a map' },
    io,
  );
};

const failAt = async (
  name: string,
  text: string,
  { offset, problem }: { readonly offset: number; readonly problem: string },
  io: Io,
): Promise<never> => {
  const { formatLocation } = await import('../diagnostics/render.ts');
  const location = formatLocation(sourceFile(name, text), offset);
  const help = looksLikeToken(text) ? 'It looks like a token: use --token-file.' : '';
  return fail(io, `${location}: ${problem}`, help);
};

const looksLikeToken = (text: string): boolean => /^\s*[\w-]+\.[\w-]+\.[\w-]*\s*$/.test(text);
