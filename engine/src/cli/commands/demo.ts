/** `authgraph demo`, also `npm start`: runs the demo server and shows what to try. */

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { jsonDiagnostic } from '../../diagnostics/json.ts';
import { toPrintable } from '../../diagnostics/printable.ts';
import { renderText } from '../../diagnostics/render.ts';
import type { FlagValues } from '../../flags/flag.ts';
import type { ReloadEvent } from '../../server/configuration/reload.ts';
import {
  type Demo,
  type DemoEvent,
  defaultDemoPort,
  rejectionReason,
  startDemo,
} from '../../server/demo/demo.ts';
import { renderChanges, renderWelcome, welcomeJson } from '../../server/demo/screen.ts';
import { type Paint, painter, wantsColor } from '../color.ts';
import { type CommandArguments, configFlag, defineCommand, fail, outputFlag } from '../command.ts';
import { demoSample } from '../demo-sample.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';

export const demo = defineCommand({
  name: 'demo',
  usage: '[flags]',
  about:
    'Starts a server on loopback with its own identity provider and three sample users, and prints commands to paste into another terminal. Saving the configuration file reloads it; Ctrl-C stops everything.',
  flags: [
    {
      ...configFlag,
      name: 'authentication-config',
      alias: 'config',
      group: 'Demo',
      doc: 'Configuration to serve and edit. Default: samples/demo/authentication.yaml of the repository, or a copy of it.',
    },
    {
      name: 'secure-port',
      group: 'Demo',
      type: 'int',
      default: String(defaultDemoPort),
      doc: 'Port on 127.0.0.1; another one is used if it is in use.',
    },
    {
      ...outputFlag,
      doc: 'Output format: a screen, or one JSON object per line for readiness, reloads and decisions.',
    },
  ],
  examples: [
    { line: 'authgraph demo', does: 'the demo with its own configuration' },
    {
      line: 'authgraph demo -c my.yaml',
      does: 'the demo with your configuration',
    },
  ],
  run: (read, io) => runDemo(read, io),
});

const runDemo = async (read: CommandArguments, io: Io): Promise<ExitCode> => {
  const { values } = read;
  const configuration = values.string('authentication-config');
  if (configuration !== '') return serveDemo(resolve(configuration), values, io);
  const sample = await demoSample();
  if (sample === undefined)
    return fail(io, 'the sample configuration is not installed', 'Specify one with --config FILE.');
  try {
    return await serveDemo(sample.path, values, io);
  } finally {
    await sample.remove();
  }
};

const serveDemo = async (configuration: string, values: FlagValues, io: Io): Promise<ExitCode> => {
  if (!existsSync(configuration))
    return fail(io, `open ${configuration}: no such file or directory`);
  const shownConfiguration = shortPath(configuration);
  const color = wantsColor(values.string('color'), io.stdout, io);
  const reporter =
    values.string('output') === 'json' ? jsonReporter(io) : screenReporter(io, color);
  // Read first, so that a signal cannot leave anything behind.
  const { signal } = io;
  const start = await startDemo({
    configuration,
    shownConfiguration,
    port: values.number('secure-port'),
    onEvent: reporter.event,
  });
  if (start.kind === 'unreadable') return fail(io, start.reason);
  if (start.kind === 'unusable') return fail(io, start.error);
  if (start.kind === 'refused') {
    reporter.refused(start);
    return exitCodes.problems;
  }
  reporter.welcome(start.demo);
  if (!signal.aborted) await once(signal, 'abort');
  reporter.ending();
  await start.demo.close();
  return exitCodes.ok;
};

const shortPath = (path: string): string => {
  const near = relative(process.cwd(), path);
  return near.startsWith('..') ? path : near;
};

type RejectedConfiguration = Extract<ReloadEvent, { kind: 'refused' }>;

interface DemoReporter {
  welcome(started: Demo): void;
  /** The configuration cannot be served at startup, so no earlier version is in service. */
  refused(refusal: RejectedConfiguration): void;
  event(event: DemoEvent): void;
  ending(): void;
}

const screenReporter = (io: Io, color: boolean): DemoReporter => {
  const paint = painter(color);
  const text = { color, width: io.stdout.columns };
  const write = (line: string) => io.stdout.write(line);
  const stamp = () => paint('dim', new Date().toTimeString().slice(0, 8));
  return {
    welcome({ facts, answers, usesFreePort }) {
      write(renderWelcome(facts, answers, { color }));
      if (usesFreePort)
        write(
          `  ${paint('yellow', 'The default port is in use, so the server uses another one.')}\n\n`,
        );
    },
    refused(refusal) {
      io.stderr.write(renderText([refusal], { ...text, color: color && io.stderr.isTerminal }));
      io.stderr.write(
        `\nerror: ${toPrintable(refusal.source.uri)} cannot be served; fix it and start again\n`,
      );
    },
    event(event) {
      if (event.kind === 'decision') {
        write(`  ${stamp()}  ${decisionLine(event.fields, paint)}\n`);
        return;
      }
      if (event.kind === 'answers') {
        write(renderChanges(event.people, event.before, event.after, { color }));
        return;
      }
      write(`  ${stamp()}  ${reloadLine(event.event, paint)}\n`);
      if (event.event.kind === 'refused' || event.event.kind === 'reloaded') {
        const frames = renderText([event.event], text);
        if (frames !== '') write(`\n${frames}\n`);
      }
    },
    ending: () => write('\n  The demo is stopping; its files are deleted.\n'),
  };
};

const reloadLine = (event: ReloadEvent, paint: Paint): string => {
  switch (event.kind) {
    case 'reloaded':
      return `${paint('green', 'reloaded')} ${toPrintable(event.source.uri)}`;
    case 'refused':
      return `${paint('red', 'not reloaded')} ${toPrintable(event.source.uri)}: the last valid version stays in service`;
    case 'waiting':
      return `${paint('yellow', 'waiting')} up to a minute for: ${event.reasons.join('; ')}`;
    case 'unhealthy':
      return `${paint('red', 'not reloaded')}: ${event.reasons.join('; ')}; the last valid version stays in service`;
    case 'unreadable':
      return `${paint('red', 'not reloaded')}: ${event.reason}; the last valid version stays in service`;
    case 'restored':
      return `${paint('green', 'unchanged')}: the file contains the active configuration again`;
  }
};

const decisionLine = (fields: Readonly<Record<string, unknown>>, paint: Paint): string => {
  const status = String(fields.status);
  const identity =
    fields.decision === 'accepted'
      ? String(fields.username)
      : rejectionReason(String(fields.reason ?? 'no credential'));
  const request = `${String(fields.method)} ${String(fields.path)}`;
  return `${paint(status.startsWith('2') ? 'green' : 'red', status)}  ${identity}  ${paint('dim', request)}`;
};

const jsonReporter = (io: Io): DemoReporter => {
  const line = (value: object) => io.stdout.write(`${JSON.stringify(value)}\n`);
  return {
    welcome: ({ facts, answers }) => io.stdout.write(welcomeJson(facts, answers)),
    refused: (refusal) => line(reloadJson(refusal)),
    event(event) {
      if (event.kind === 'decision') line({ kind: 'decision', ...event.fields });
      else if (event.kind === 'answers')
        line({ kind: 'answers', people: Object.fromEntries(event.after) });
      else line(reloadJson(event.event));
    },
    ending: () => line({ kind: 'ended' }),
  };
};

const reloadJson = (event: ReloadEvent): object => {
  if (event.kind !== 'refused' && event.kind !== 'reloaded') return event;
  const { kind, source, diagnostics } = event;
  return { kind, diagnostics: diagnostics.map((one) => jsonDiagnostic(source, one)) };
};
