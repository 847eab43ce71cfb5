/** Reads claims from a file: a JSON object, or YAML if the file name says so. */
import { type ClaimSet, readClaims } from '../signed-token/payload.ts';
import { sourceFile } from '../source/source-file.ts';
import { fail } from './command.ts';
import type { Io } from './io.ts';

/** Returns the claims, or prints the error and returns the exit code. */
export const readClaimsFile = async (path: string, io: Io): Promise<ClaimSet> => {
  const file = await io.readText(path);
  if (file.kind === 'failure') return fail(io, file.reason);
  const isYaml = /\.ya?ml$/i.test(path);
  const claims = isYaml
    ? await yamlClaims(path, file.text)
    : readClaims(new TextEncoder().encode(file.text));
  if (claims !== undefined) return claims;
  return fail(
    io,
    `${path} is not a ${isYaml ? 'map' : 'JSON object'} of claims`,
    looksLikeToken(file.text) ? 'It looks like a token: use --token-file.' : '',
  );
};

/** Returns the name of a sample: `jane` for `people/jane.claims.json`. */
export const sampleName = (path: string): string =>
  path.replace(/^.*[\\/]/s, '').replace(/(?:\.claims)?\.(?:json|ya?ml)$/i, '');

const yamlClaims = async (path: string, text: string): Promise<ClaimSet | undefined> => {
  const { readSample } = await import('../simulate/preview/read-sample.ts');
  return readSample(sourceFile(path, text), { as: 'yaml' }).claims;
};

const looksLikeToken = (text: string): boolean => /^\s*[\w-]+\.[\w-]+\.[\w-]*\s*$/.test(text);
