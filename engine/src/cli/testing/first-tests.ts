/** Writes a first test file for a configuration: its samples with the users that they become now. */
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { signatureInvalid } from '../../authenticators/jwt/rejections.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import { formatRfc3339 } from '../../formats/go-rfc3339.ts';
import type { OutputMap, OutputValue } from '../../formats/output-value.ts';
import { writeYaml } from '../../formats/write-yaml.ts';
import type { CaseOutcome } from '../../simulate/tests/case-result.ts';
import { createCaseDecider } from '../../simulate/tests/decide-cases.ts';
import { readTests } from '../../simulate/tests/read-tests.ts';
import { rawClaimsOfText } from '../../simulate/tests/sample-claims.ts';
import type { TestCase } from '../../simulate/tests/test-case.ts';
import type { RawClaims } from '../../simulate/tests/test-file.ts';
import { testFileSuffix } from '../../simulate/tests/test-rows.ts';
import {
  caseOf,
  expectationOf,
  startOfTestFile,
  type WrittenCase,
  type WrittenFields,
  writeCases,
} from '../../simulate/tests/write-cases.ts';
import { nodeOfClaims } from '../../simulate/whoami/claims-decision.ts';
import { sourceFile } from '../../source/source-file.ts';
import { escapeUnprintable } from '../../source/unprintable.ts';
import { type CommandArguments, fail } from '../command.ts';
import { failIfExisting } from '../existing-files.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { loadGraph } from '../load-graph.ts';
import { sampleName } from '../read-claims.ts';
import { sampleFiles } from '../sample-files.ts';
import { walkFolder } from '../walk-folder.ts';

export const writeFirstTests = async (read: CommandArguments, io: Io): Promise<ExitCode> => {
  const { values } = read;
  const target = values.string('init');
  const configuration = values.string('config');
  if (target !== '-' && !target.endsWith(testFileSuffix))
    return fail(io, `${target}: the name of a test file ends in ${testFileSuffix}`);
  failIfExisting([target], 'init', read, io);
  const { graph } = await loadGraph(read, configuration, io);
  const folder = dirname(resolve(target === '-' ? configuration : target));
  const samples = await samplesOf(configuration, folder, io);
  const named = pathFrom(folder, configuration);
  const start: OutputMap = new Map<string, OutputValue>([
    ['configuration', named],
    ...(samples.length === 0
      ? []
      : [['samples', new Map(samples.map(({ name, path }) => [name, path]))] as const]),
  ]);

  const decider = createCaseDecider(graph, { clock: { now: 0 } });
  /** The cases are read back, so that they are decided exactly as they will be. */
  const decide = async (inputs: readonly NamedInput[]): Promise<readonly DecidedInput[]> => {
    const placeholders = inputs.map(({ name, input }) => caseOf(name, input, { rejected: true }));
    const draft = `${writeYaml(start)}tests:\n${writeCases(placeholders)}`;
    const { cases, diagnostics } = readTests(sourceFile(target, draft), []).expand({
      issuers: graph.nodes,
      preset: () => undefined,
      sample: ({ name }) => samples.find((one) => one.name === name)?.claims ?? name,
    });
    const [mistake] = diagnostics;
    if (mistake !== undefined) return fail(io, mistake.message);
    const decided: DecidedInput[] = [];
    for (const [index, test] of cases.entries()) {
      const named = inputs[index];
      const outcome = await decider.decide(test, { trace: false });
      if (named !== undefined) decided.push({ ...named, test, outcome });
    }
    return decided;
  };
  const ofSamples = await decide(samples.map(({ name }) => ({ name, input: { sample: name } })));
  const [first] = ofSamples;
  const others = await decide(
    first === undefined ? [exampleInput(graph.nodes[0]?.issuerUrl)] : rejectedInputs(first),
  );
  const tests = [
    ...ofSamples,
    ...others.filter(({ outcome }) => outcome.decision.kind === 'rejected'),
  ].map(({ name, input, outcome }) => caseOf(name, input, expectationOf(outcome)));
  if (first !== undefined) tests.push(...wrongKeyTests(first, graph));
  const text = `${startOfTestFile(start)}tests:\n${writeCases(tests)}`;
  const failure = await io.writeText(target, text);
  if (failure !== undefined) return fail(io, failure.reason);
  if (target !== '-')
    io.stderr.write(
      `wrote ${tests.length} ${tests.length === 1 ? 'test' : 'tests'} to ${target}; run ${tests.length === 1 ? 'it' : 'them'} with authgraph test ${target}\n`,
    );
  for (const line of withoutSample(graph, samples)) io.stderr.write(`${line}\n`);
  return exitCodes.ok;
};

/** The most issuers that are named. */
const maxNamed = 5;

/** Returns hints about the issuers that have no sample, so that no test accepts one of their users. */
const withoutSample = (
  { nodes }: AuthenticatorGraph,
  samples: readonly FirstSample[],
): readonly string[] => {
  const isOfIssuer = ({ claims }: FirstSample, issuer: string): boolean => {
    const written = claims.get('iss');
    return written === undefined ? nodes.length === 1 : JSON.parse(written) === issuer;
  };
  const missing = nodes.filter(
    ({ issuerUrl }) => !samples.some((sample) => isOfIssuer(sample, issuerUrl)),
  );
  if (missing.length === 0) return [];
  const others = missing.length - maxNamed;
  return [
    ...missing
      .slice(0, maxNamed)
      .map(({ id, issuerUrl }) => `no sample of ${id} (${escapeUnprintable(issuerUrl)})`),
    ...(others > 0 ? [`and of ${others} more`] : []),
    'Save the claims of a user as NAME.claims.json next to the configuration, and write the tests again.',
  ];
};

interface FirstSample {
  readonly name: string;
  /** Relative to the folder of the test file. */
  readonly path: string;
  readonly claims: RawClaims;
}

/** Returns the samples of the settings file, and the claims next to the configuration. */
const samplesOf = async (
  configuration: string,
  folder: string,
  io: Io,
): Promise<readonly FirstSample[]> => {
  const nearby = walkFolder(dirname(configuration), io)?.files ?? [];
  const stem = basename(configuration).replace(/\.[^.]*$/, '');
  const claims = nearby.filter(
    (path) =>
      dirname(path) === dirname(join(dirname(configuration), 'x')) &&
      /\.claims\.(?:json|ya?ml)$/.test(path),
  );
  // In a folder with samples of several configurations, those that have its name.
  const own = claims.filter((path) => basename(path).startsWith(`${stem}.`));
  const paths = new Set([
    ...(await sampleFiles(configuration, io)),
    ...(own.length > 0 ? own : claims),
  ]);
  const samples = new Map<string, FirstSample>();
  for (const path of paths) {
    const file = await io.readText(path);
    if (file.kind === 'failure') continue;
    const read = rawClaimsOfText(sourceFile(path, file.text));
    const name = sampleName(path);
    if (read instanceof Map && !samples.has(name))
      samples.set(name, { name, path: pathFrom(folder, path), claims: read });
  }
  return [...samples.values()];
};

const pathFrom = (folder: string, path: string): string =>
  relative(folder, resolve(path)).split(sep).join('/');

interface NamedInput {
  readonly name: string;
  readonly input: WrittenFields;
}

interface DecidedInput extends NamedInput {
  readonly test: TestCase;
  readonly outcome: CaseOutcome;
}

/** Returns the claims that every JWT authenticator should reject. */
const rejectedInputs = ({
  input: { sample = '' },
  test: { now },
}: DecidedInput): readonly NamedInput[] => [
  {
    name: audienceTestName,
    input: { sample, claims: new Map([['aud', 'another-application']]) },
  },
  {
    name: 'an expired token is rejected',
    input: {
      sample,
      claims: new Map([['exp', Math.floor(now / 1000) - 1]]),
      now: formatRfc3339(now),
    },
  },
];

const audienceTestName = 'a token for another audience is rejected';

/** Returns the case of a token with an invalid signature, if its issuer has an authenticator. */
const wrongKeyTests = (
  { input: { sample = '' }, test: { input } }: DecidedInput,
  { nodes }: AuthenticatorGraph,
): readonly WrittenCase[] => {
  const node = input.kind === 'claims' ? nodeOfClaims(nodes, input.claims) : undefined;
  if (node === undefined) return [];
  return [
    caseOf(
      'a token that another key signed is rejected',
      { sample, sign: new Map([['key', 'unknown']]) },
      { rejected: new Map([['code', signatureInvalid.code]]), by: node.id },
    ),
  ];
};

/** Returns an example for a configuration without samples. */
const exampleInput = (issuer: string | undefined): NamedInput => ({
  name: audienceTestName,
  input: {
    claims: new Map<string, OutputValue>([
      ...(issuer === undefined ? [] : [['iss', issuer] as const]),
      ['sub', 'jane'],
      ['aud', 'another-application'],
    ]),
  },
});
