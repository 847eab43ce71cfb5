/**
 * Expected differences from the oracles, each with its reason. Any other difference fails the
 * fuzzer.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Release } from '../../engine/src/model/release.ts';
import type { Answer } from './peer.ts';

export interface Difference {
  readonly input: object;
  readonly expected: Answer;
  readonly got: Answer;
  readonly release: Release;
}

export interface KnownDifference {
  readonly id: string;
  readonly reason: string;
  readonly covers: (difference: Difference) => boolean;
}

const knownDifferences: readonly KnownDifference[] = [
  {
    id: 'panic',
    reason:
      'kube-apiserver panics: while loading we refuse the expression (row load-panic of docs/differences.md), while evaluating the request fails.',
    covers: ({ expected }) => String(expected.fault).startsWith('panic'),
  },
  {
    id: 'error-in-optional',
    reason:
      'Up to 1.36 objects of Kubernetes libraries become errors inside an optional that an attribute passes on; here the expression fails with that error.',
    covers: ({ got, release }) =>
      release <= 36 && String(got.evalError).startsWith('unsupported conversion to ref.Val: ('),
  },
  {
    id: 'url-colons',
    reason:
      'Up to 1.35 Go accepts a host with several colons (urlstrictcolons), or names another port; here the URL is refused.',
    covers: ({ got, release }) =>
      release < 36 && /invalid port .* after host/.test(JSON.stringify(got)),
  },
  {
    id: 'compile-error-text',
    reason:
      'Up to 1.32 cel-go has another grammar (no names in backticks), and reports "%" in another way; up to 1.31 it also prints an internal value for incompatible types, and counts the first character of a line as one of the line before. Both refuse the expression.',
    covers: ({ input, expected, got, release }) =>
      release < 33 &&
      (/Syntax error: |incompatible type already exists for expression: |%!|`/.test(
        JSON.stringify({ input, expected }),
      ) ||
        (release < 32 && 'expression' in input && String(input.expression).includes('\n'))) &&
      isDeepStrictEqual(withoutCompileErrors(expected), withoutCompileErrors(got)),
  },
  {
    id: 'optional-name',
    reason: 'In 1.30 error messages and output types name the type of optionals "optional".',
    covers: ({ expected, got, release }) =>
      release < 31 && isDeepStrictEqual(withOptionalName(expected), withOptionalName(got)),
  },
  {
    id: 'go-names',
    reason:
      'Up to 1.33 a list or map of the variable has another Go type in the error of an index; in 1.30 the YAML library writes another first letter.',
    covers: ({ expected, got, release }) =>
      release < 34 &&
      [expected, got].every(({ evalError, decodeError }) =>
        /^invalid qualifier type: |^[Uu]nsupported map key of type: /.test(
          String(evalError ?? decodeError),
        ),
      ),
  },
  {
    id: 'byte-order-mark',
    reason:
      'The YAML library of kube-apiserver skips the first character of a line while its read buffer begins with a byte order mark, as it does where one is among the last characters of a file.',
    covers: ({ input, expected, got }) =>
      'config' in input &&
      /.\ufeff.{0,3}$/s.test(String(input.config)) &&
      expected.decodeError !== got.decodeError,
  },
  {
    id: 'jose-name',
    reason: 'Up to 1.33 the library that reads keys has another name in its errors.',
    covers: ({ expected, got, release }) =>
      release < 34 &&
      isDeepStrictEqual(
        JSON.parse(JSON.stringify(expected).replaceAll('square/go-jose', 'go-jose/go-jose')),
        got,
      ),
  },
];

const withOptionalName = (answer: Answer): unknown =>
  JSON.parse(JSON.stringify(answer).replaceAll(/\boptional_type\b/g, 'optional'));

/** Returns the answer with the same text for all compile errors. */
const withoutCompileErrors = (answer: Answer): unknown =>
  JSON.parse(
    JSON.stringify(answer, (key, value: unknown) =>
      (key === 'compileError' || key === 'detail' || key === 'message') &&
      typeof value === 'string' &&
      value.includes('compilation failed: ')
        ? 'compilation failed'
        : value,
    ),
  );

export const knownDifference = (difference: Difference): KnownDifference | undefined =>
  knownDifferences.find(({ covers }) => covers(difference));
