/**
 * A steady mix of all requests for a long time, while everything that can change changes (F-19).
 */
import { setTimeout as pause } from 'node:timers/promises';
import { makeCert } from '../../attacks/lib/der.mjs';
import { identityOf, lastAcceptedMs } from './ask.ts';
import { startClients } from './clients.ts';
import {
  call,
  configurationText,
  createAccount,
  createBootstrapToken,
  createEnvironment,
  fixedQuestions,
  issuerEntry,
  leaks,
  personOf,
} from './environment.ts';
import { until } from './form.ts';
import type { Question, Tally } from './questions.ts';
import { serve, type Vitals } from './served.ts';

export interface SoakOptions {
  readonly seconds: number;
  readonly perSecond: number;
  /** Below 1, changes come faster: keys every 600 s, configuration every 60 s at 1. */
  readonly pace: number;
  /**
   * The changes before the first minute, one after the other, so that the functions that only a
   * change calls are compiled before the figures are taken.
   */
  readonly changesBefore?: number;
  readonly onMinute?: (line: string) => void;
}

interface Sample extends Vitals {
  readonly atSeconds: number;
  readonly descriptors: number;
}

export interface SoakReport {
  readonly seconds: number;
  readonly asked: number;
  readonly verdicts: Readonly<Record<string, number>>;
  readonly broken: number;
  readonly reloads: number;
  readonly rotations: number;
  readonly accountsGone: number;
  /**
   * The slope of the resident set and of the heap after a collection, by least squares, after the
   * first hour if there is more than one, else after the first sixth.
   */
  readonly rssSlopeMegabytesPerHour: number;
  readonly heapSlopeMegabytesPerHour: number;
  /** The part of the heap's slope that is compiled code. */
  readonly codeSlopeMegabytesPerHour: number;
  readonly rssFirst: number;
  readonly rssLast: number;
  readonly descriptorsFirst: number;
  readonly descriptorsLast: number;
  readonly resourcesFirst: Readonly<Record<string, number>>;
  readonly resourcesLast: Readonly<Record<string, number>>;
  readonly loopP99Ms: number;
  readonly answerP99Ms: number;
  readonly slowestRefusalOfGoneMs: number;
  readonly faults: readonly string[];
}

const hour = 3_600;
const lanes = 8;
/** The lifetime of a cached acceptance. */
const mostGoneMs = 10_000;
/** A key is published for this time before it is used, as issuers do. */
const aheadMs = 12_000;
/** A changed configuration that is not in service after this time never will be. */
const maxReloadMs = 300_000;

export const runSoak = async ({
  seconds,
  perSecond,
  pace,
  changesBefore = 0,
  onMinute = () => {},
}: SoakOptions): Promise<SoakReport> => {
  const environment = await createEnvironment();
  const authority = makeCert({ subject: [['CN', 'clients']], ca: true });
  const another = makeCert({ subject: [['CN', 'others']], ca: true });
  const ada = makeCert(
    {
      subject: [
        ['CN', 'cert-ada'],
        ['O', 'certified'],
      ],
    },
    authority,
  );
  environment.write('clients.pem', authority.pem);
  const server = await serve({
    folder: environment.folder,
    args: [...environment.args, '--client-ca-file=clients.pem', '--decision-log=/dev/null'],
  });
  const faults: string[] = [];
  const asked: Question[] = [];
  const totals = { asked: 0, broken: 0, reloads: 0, rotations: 0, gone: 0, slowestGoneMs: 0 };
  const verdicts: Record<string, number> = {};
  let answerP99Ms = 0;
  const samples: Sample[] = [];
  const steady = [
    ...fixedQuestions,
    await createAccount(server, 'robot'),
    await createBootstrapToken(server),
  ];
  const people = async (): Promise<readonly Question[]> => {
    const made: Question[] = [];
    for (const [at, issuer] of environment.issuers.entries()) {
      for (let person = 0; person < 5; person += 1) {
        // New tokens all the time, so cache entries are replaced.
        made.push(
          await personOf(issuer, at, `person-${person}-${totals.rotations}-${totals.reloads}`),
        );
      }
      const forged = await issuer.token({ sub: 'root', groups: ['system:masters'] });
      made.push({ name: 'forged', token: `${forged.slice(0, -6)}AAAAAA`, expected: ['401'] });
    }
    const all = [...steady, ...made];
    asked.push(...made);
    return all;
  };
  const clients = await startClients({
    port: server.port,
    lanes,
    perSecond,
    questions: await people(),
  });
  const certified = await startClients({
    port: server.port,
    lanes: 2,
    perSecond: Math.max(perSecond / 20, 1),
    certificate: { pem: ada.pem, keyPem: ada.keyPem },
    questions: [{ name: 'cert-ada', expected: ['cert-ada [certified]'] }],
  });
  const take = (tally: Tally): void => {
    totals.asked += tally.asked;
    totals.broken += tally.broken;
    for (const [name, count] of Object.entries(tally.verdicts))
      verdicts[name] = (verdicts[name] ?? 0) + count;
    answerP99Ms = Math.max(answerP99Ms, tally.p99Ms);
    if (tally.findings.length > 0 && faults.length < 100) faults.push(...tally.findings);
  };
  /** Changes a comment of the configuration, so that everyone keeps their name, and the authorities. */
  const changeFiles = (): void => {
    totals.reloads += 1;
    const entries = environment.issuers.map(({ url }, at) =>
      issuerEntry(url, environment.authority.pem, `i${at}:`),
    );
    environment.replace(
      'authentication.yaml',
      `# ${totals.reloads}\n${configurationText(entries)}`,
    );
    environment.replace(
      'clients.pem',
      totals.reloads % 2 === 0 ? authority.pem : another.pem + authority.pem,
    );
  };
  while (totals.reloads < changesBefore) {
    changeFiles();
    const { token } = await createAccount(server, `early-${totals.reloads}`);
    await identityOf(server, token);
    await deleteAccount(server, `early-${totals.reloads}`);
    await until(async () => (await reloadsOf(server)) >= totals.reloads, maxReloadMs);
  }
  // The delays of the event loop are measured from here.
  await server.vitals();
  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1000;
  const minute = Math.max(60 * pace, 2);
  for (let round = 1; elapsed() < seconds; round += 1) {
    await pause(Math.max(Math.min(round * minute, seconds) - elapsed(), 0) * 1000);
    if (round % 10 === 0) {
      totals.rotations += 1;
      for (const issuer of environment.issuers) await issuer.rotate();
      await pause(aheadMs);
    }
    changeFiles();
    clients.ask(await people());
    const goneMs = await accountComesAndGoes(server, round);
    totals.gone += 1;
    totals.slowestGoneMs = Math.max(totals.slowestGoneMs, goneMs);
    if (goneMs > mostGoneMs) faults.push(`a deleted account was let in for ${goneMs} ms`);
    take(await clients.tally());
    take(await certified.tally());
    const vitals = await server.vitals({ collect: true });
    const sample = { ...vitals, atSeconds: elapsed(), descriptors: server.descriptors() };
    samples.push(sample);
    const { rssMegabytes, heapMegabytes, codeMegabytes, descriptors, loopP99Ms } = sample;
    onMinute(
      `${sample.atSeconds.toFixed(0)} s: ${totals.asked} asked, rss ${rssMegabytes.toFixed(1)} MB, heap ${heapMegabytes.toFixed(2)} MB with ${codeMegabytes.toFixed(2)} MB of code, ${descriptors} descriptors, loop p99 ${loopP99Ms.toFixed(0)} ms, ${JSON.stringify(verdicts)}, ${faults.length} faults`,
    );
  }
  take(await clients.stop());
  take(await certified.stop());
  if (!server.alive()) faults.push('the server ended');
  const reloads = await reloadsOf(server).catch(() => 0);
  if (reloads < totals.reloads * 0.9) faults.push(`${reloads} reloads of ${totals.reloads}`);
  await server.stop();
  faults.push(
    ...leaks(server.output(), [...steady, ...asked]).map((name) => `${name} was printed`),
  );
  environment.end();
  const late = samples.filter(({ atSeconds }) => atSeconds > (seconds > hour ? hour : seconds / 6));
  const first = late[0];
  const last = late.at(-1);
  const slopeOf = (figure: (sample: Sample) => number): number =>
    slope(late.map((sample) => [sample.atSeconds, figure(sample)])) * 3600;
  return {
    seconds,
    asked: totals.asked,
    verdicts,
    broken: totals.broken,
    reloads,
    rotations: totals.rotations,
    accountsGone: totals.gone,
    rssSlopeMegabytesPerHour: slopeOf(({ rssMegabytes }) => rssMegabytes),
    heapSlopeMegabytesPerHour: slopeOf(({ heapMegabytes }) => heapMegabytes),
    codeSlopeMegabytesPerHour: slopeOf(({ codeMegabytes }) => codeMegabytes),
    rssFirst: first?.rssMegabytes ?? 0,
    rssLast: last?.rssMegabytes ?? 0,
    descriptorsFirst: first?.descriptors ?? 0,
    descriptorsLast: last?.descriptors ?? 0,
    resourcesFirst: first?.resources ?? {},
    resourcesLast: last?.resources ?? {},
    loopP99Ms: Math.max(...late.map(({ loopP99Ms }) => loopP99Ms)),
    answerP99Ms,
    slowestRefusalOfGoneMs: totals.slowestGoneMs,
    faults: [...new Set(faults)],
  };
};

/** Returns the milliseconds until a token is rejected after its account was deleted. */
const accountComesAndGoes = async (
  way: { readonly port: number },
  round: number,
): Promise<number> => {
  const question = await createAccount(way, `guest-${round}`);
  const before = await identityOf(way, question.token);
  if (!question.expected.includes(before)) return Number.POSITIVE_INFINITY;
  await deleteAccount(way, `guest-${round}`);
  return lastAcceptedMs(way, question.token);
};

const deleteAccount = (way: { readonly port: number }, name: string) =>
  call(way, 'DELETE', `/api/v1/namespaces/team/serviceaccounts/${name}`);

/** Returns how often the server has put a changed configuration into service. */
const reloadsOf = async (way: { readonly port: number }): Promise<number> => {
  const { body } = await call(way, 'GET', '/metrics');
  return Number(/automatic_reloads_total\{[^}]*status="success"[^}]*\} (\d+)/.exec(body)?.[1] ?? 0);
};

/** Linear regression. */
const slope = (points: readonly (readonly [number, number])[]): number => {
  const count = points.length;
  if (count < 2) return 0;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / count;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / count;
  const over = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const under = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return under === 0 ? 0 : over / under;
};
