/**
 * Questions from existing sources: all recorded cases of this repository, then all string constants
 * in the tests of cel-go and of kube-apiserver's CEL libraries at the release's module versions
 * (read from the module cache, which contains them because the oracle was built). A second round
 * mutates the expressions.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { versionsAt } from '../../engine/src/config/skeletons.ts';
import { hasGate } from '../../engine/src/model/feature-gates.ts';
import { type Release, releaseName } from '../../engine/src/model/release.ts';
import { cases } from '../support/cases.ts';
import { claims, mutated } from './expressions.ts';
import type { Random } from './random.ts';

/** Returns the next questions of the corpus; once all were asked, mutated expressions. */
export const upstreamQuestions = (
  random: Random,
  count: number,
  release: Release,
): readonly object[] => {
  const corpus = corpusOf(release);
  return Array.from({ length: count }, () => {
    const next = corpus.questions[corpus.asked];
    if (next !== undefined) {
      corpus.asked += 1;
      return next;
    }
    return question(random, mutated(random, random.pick(corpus.expressions)));
  });
};

interface Corpus {
  readonly questions: readonly object[];
  readonly expressions: readonly string[];
  asked: number;
}

const corpora = new Map<Release, Corpus>();

const corpusOf = (release: Release): Corpus => {
  const known = corpora.get(release);
  if (known !== undefined) return known;
  const expressions = [...new Set([...languageExpressions(), ...upstreamStrings(release)])];
  const corpus = {
    questions: [
      ...recordedQuestions(release),
      ...expressions.map((expression) => ({
        op: 'cel',
        kind: 'claims',
        expression,
        claims: fixedClaims,
      })),
    ],
    expressions,
    asked: 0,
  };
  corpora.set(release, corpus);
  return corpus;
};

const question = (random: Random, expression: string): object => ({
  op: 'cel',
  kind: random.pick(['claims', 'groups', 'claimValidation']),
  expression,
  claims: claims(random),
});

const fixedClaims = { sub: 'jane', n: 5, x: 1.5, groups: ['a', 'b'], m: { a: 1 }, nothing: null };

interface RecordedInput {
  readonly op?: string;
  readonly config?: string;
  readonly featureGates?: Readonly<Record<string, boolean>>;
}

/** Returns the recorded questions with the configuration version that the release reads. */
const recordedQuestions = (release: Release): readonly object[] => {
  const [version = ''] = versionsAt(release);
  return [
    ...cases<RecordedInput>('conformance/cel.jsonl'),
    ...cases<RecordedInput>('conformance/config-validation.jsonl'),
  ]
    .filter(({ input }) =>
      Object.keys(input.featureGates ?? {}).every((gate) => hasGate(gate, release)),
    )
    .map(({ input }) => ({
      op: 'validate',
      ...input,
      ...(input.config === undefined
        ? {}
        : { config: input.config.replaceAll('apiserver.config.k8s.io/v1\n', `${version}\n`) }),
    }));
};

/** Returns the expressions of the language's own conformance tests. */
const languageExpressions = (): readonly string[] => {
  const folder = join(import.meta.dirname, '../conformance/cel-spec');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => expressionsIn(JSON.parse(readFileSync(join(folder, name), 'utf8'))));
};

const expressionsIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'expr' && typeof member === 'string' ? [member] : expressionsIn(member),
  );
};

const modulesOf = (release: Release): readonly string[] => {
  const folder = join(import.meta.dirname, '../oracle/real');
  const own = `releases/${releaseName(release)}.mod`;
  const file = readdirSync(join(folder, 'releases')).some((name) => own.endsWith(name))
    ? own
    : 'go.mod';
  const modules = ['github.com/google/cel-go', 'k8s.io/apiserver'];
  const { status, stdout, stderr } = spawnSync(
    'go',
    ['list', '-m', `-modfile=${file}`, '-f', '{{.Dir}}', ...modules],
    { cwd: folder, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`go list: ${stderr}`);
  return stdout.trim().split('\n');
};

const upstreamStrings = (release: Release): readonly string[] => {
  const [language = '', server = ''] = modulesOf(release);
  return [
    ...['cel', 'checker', 'ext', 'interpreter', 'parser'].map((name) => join(language, name)),
    ...['cel', 'authentication', 'admission/plugin/cel', 'admission/plugin/policy'].map((name) =>
      join(server, 'pkg', name),
    ),
  ].flatMap((folder) => testFiles(folder).flatMap(stringConstants));
};

const testFiles = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('_test.go'))
    .toSorted()
    .map((name) => join(folder, name));

const constant = /`([^`]*)`|"((?:[^"\\\n]|\\.)*)"|'(?:[^'\\]|\\.)'|\/\/[^\n]*/g;

/** Longer constants are documents rather than expressions. */
const longestExpression = 4000;

const stringConstants = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(constant)].flatMap(([, raw, interpreted]) => {
    const text = raw ?? (interpreted === undefined ? undefined : unquoted(interpreted));
    return text === undefined || text === '' || text.length > longestExpression ? [] : [text];
  });

/** Decodes a Go string literal; `undefined` if it is not valid JSON. */
const unquoted = (text: string): string | undefined => {
  try {
    return JSON.parse(`"${text.replaceAll('\t', '\\t')}"`) as string;
  } catch {
    return undefined;
  }
};
