/**
 * Clients in a process of their own, which send requests at a steady rate and check the responses.
 */
import { Agent } from 'node:https';
import { sendRequest } from './ask.ts';
import type { FromClient, Load, ToClient } from './client-messages.ts';
import { answerText, checkAnswer, type Question, type Tally, type Verdict } from './questions.ts';

const tickMs = 20;
const mostFindings = 20;

const emptyTally = () => ({
  asked: 0,
  broken: 0,
  verdicts: { right: 0, 'wrong allow': 0, refused: 0, shed: 0, error: 0 } as Record<
    Verdict,
    number
  >,
  findings: [] as string[],
  times: [] as number[],
  history: [] as (readonly [number, number, string, string])[],
});

let tally = emptyTally();
let load: Load | undefined;
let questions: readonly Question[] = [];
let next = 0;
let underWay = 0;
let owed = 0;
let last = performance.now();
let agent: Agent | undefined;
let timer: NodeJS.Timeout | undefined;

const askOne = async (
  { port, host, history, certificate }: Load,
  question: Question,
): Promise<void> => {
  const into = tally;
  const start = performance.now();
  const startedAt = Date.now();
  underWay += 1;
  try {
    const way = {
      port,
      ...(agent === undefined ? {} : { agent }),
      ...(host === undefined ? {} : { host }),
      ...(certificate === undefined ? {} : { certificate }),
    };
    const answer = await sendRequest(way, question);
    const verdict = checkAnswer(question, answer);
    into.verdicts[verdict] += 1;
    into.times.push(performance.now() - start);
    const text = answerText(answer);
    if (history === true) into.history.push([startedAt, Date.now(), question.name, text]);
    if (verdict !== 'right' && into.findings.length < mostFindings)
      into.findings.push(
        `${question.name}: ${verdict}, ${text} instead of ${question.expected.join(' or ')}`,
      );
  } catch (cause) {
    into.broken += 1;
    if (into.findings.length < mostFindings)
      into.findings.push(`${question.name}: ${String(cause)}`);
  }
  into.asked += 1;
  underWay -= 1;
};

const tick = (): void => {
  if (load === undefined) return;
  const now = performance.now();
  owed = Math.min(owed + ((now - last) * load.perSecond) / 1000, load.perSecond);
  last = now;
  for (; owed >= 1 && underWay < load.lanes; owed -= 1) {
    const question = questions[next % questions.length];
    next += 1;
    if (question !== undefined) void askOne(load, question);
  }
};

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? 0;

const reportTally = (): void => {
  const { times, ...seen } = tally;
  tally = emptyTally();
  const sorted = times.toSorted((a, b) => a - b);
  const summary: Tally = {
    ...seen,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    maxMs: sorted.at(-1) ?? 0,
  };
  process.send?.({ kind: 'tally', tally: summary } satisfies FromClient);
};

const finish = async (): Promise<void> => {
  clearInterval(timer);
  load = undefined;
  while (underWay > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  reportTally();
};

process.on('message', (message) => {
  const request = message as ToClient;
  switch (request.kind) {
    case 'load':
      load = request.load;
      questions = load.questions;
      agent = new Agent({ keepAlive: true, maxSockets: load.lanes, maxCachedSessions: 0 });
      last = performance.now();
      timer = setInterval(tick, tickMs);
      process.send?.({ kind: 'asking' } satisfies FromClient);
      break;
    case 'questions':
      questions = request.questions;
      break;
    case 'tally':
      reportTally();
      break;
    case 'stop':
      void finish();
  }
});
process.on('disconnect', () => process.exit());
