/**
 * The product as a conformance program: it reads one JSON question per line and writes one JSON answer
 * per line, in order, in the form of the recorded cases. Exact mode: no deliberate difference, no lint.
 *
 *   npm run -s oracle [-- --domain platform.io] [--release 1.34] < questions.jsonl > answers.jsonl
 *
 * Operations: validate, cel, authenticate.
 */
import { parseArgs } from 'node:util';
import { compile } from '../../engine/src/compile/compile.ts';
import { settingsFor } from '../../engine/src/compile/settings.ts';
import { hasGate } from '../../engine/src/model/feature-gates.ts';
import { newestRelease, parseRelease, releaseName } from '../../engine/src/model/release.ts';
import { sourceFile } from '../../engine/src/source/source-file.ts';
import { answerAuthenticate } from '../support/answer-authenticate.ts';
import { answerCel, type CelQuestion } from '../support/answer-cel.ts';
import { linesOf } from '../support/lines-of.ts';
import { rawQuestion } from '../support/raw-question.ts';

interface Question {
  readonly op?: unknown;
  readonly id?: string;
  readonly config?: string;
  readonly disallowedIssuers?: readonly string[];
  readonly featureGates?: Readonly<Record<string, boolean>>;
}

const { values: options } = parseArgs({
  options: {
    domain: { type: 'string' },
    release: { type: 'string', default: releaseName(newestRelease) },
  },
});
const release = parseRelease(options.release);
if (release === undefined) throw new Error(`unknown release ${options.release}`);
const settings = { ...settingsFor(release), exact: true };

/** The neutral domain reads as the real one inside the apiVersion group. */
const inRealDomain = (config: string): string =>
  options.domain === undefined
    ? config
    : config.replaceAll(`apiserver.config.${options.domain}`, 'apiserver.config.k8s.io');

const answer = async (line: string): Promise<object> => {
  let question: Question;
  try {
    question = JSON.parse(line);
  } catch (cause) {
    return { fault: `bad request: ${cause instanceof Error ? cause.message : cause}` };
  }
  try {
    const reply = await answerOperation(question, line);
    return question.id === undefined || question.id === '' ? reply : { id: question.id, ...reply };
  } catch (cause) {
    return { id: question.id, fault: `panic: ${cause instanceof Error ? cause.stack : cause}` };
  }
};

const answerOperation = async (question: Question, line: string): Promise<object> => {
  switch (question.op) {
    case 'validate':
      return answerValidate(question);
    case 'cel':
      return answerCel(question as unknown as CelQuestion, release);
    case 'authenticate': {
      const asked = rawQuestion(line);
      const config = inRealDomain(asked.config ?? '');
      return answerAuthenticate({ ...asked, config }, 'exact', { release });
    }
    default:
      return { fault: `unknown op ${question.op}` };
  }
};

const answerValidate = (question: Question): object => {
  const unknown = Object.keys(question.featureGates ?? {}).find((name) => !hasGate(name, release));
  if (unknown !== undefined)
    return { id: question.id ?? '', fault: `unknown feature gate ${JSON.stringify(unknown)}` };
  return compile({
    source: sourceFile('configuration.yaml', inRealDomain(question.config ?? '')),
    settings: {
      ...settings,
      disallowedIssuers: question.disallowedIssuers ?? [],
      featureGates: new Map([
        ...settings.featureGates,
        ...Object.entries(question.featureGates ?? {}),
      ]),
    },
  }).report;
};

let before: Promise<void> = Promise.resolve();
for await (const line of linesOf(process.stdin)) {
  if (line.trim() === '') continue;
  const reply = answer(line);
  before = before.then(async () => {
    process.stdout.write(`${JSON.stringify(await reply)}\n`);
  });
}
