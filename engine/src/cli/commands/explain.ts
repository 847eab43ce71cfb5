/** `authgraph explain CODE|MESSAGE`: explains a code or a line of a server's log. */
import { codeFrame } from '../../diagnostics/code-frame.ts';
import { jsonDiagnostic, jsonRange } from '../../diagnostics/json.ts';
import { pageCommand, pagePath } from '../../diagnostics/page.ts';
import { toPrintable } from '../../diagnostics/printable.ts';
import { formatLocation, renderDiagnostic } from '../../diagnostics/render.ts';
import type { RuleDescription } from '../../diagnostics/rule.ts';
import type { ExplainedMessage } from '../../simulate/explain/explain-log.ts';
import { redactSecrets } from '../../source/redact-secrets.ts';
import { type Paint, painter, wantsColor } from '../color.ts';
import {
  type CommandArguments,
  configFlag,
  defineCommand,
  fail,
  outputFlag,
  targetVersionFlag,
} from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { type LoadedConfiguration, loadConfiguration } from '../load-configuration.ts';
import { settingsForFile } from '../target-settings.ts';

type Compiled = Extract<LoadedConfiguration, { kind: 'compiled' }>;

/** The version of `-o json`; see docs/schema/explain.v1.json. */
const explainVersion = 1;

export const explain = defineCommand({
  name: 'explain',
  usage: '[flags] CODE|NAME|MESSAGE…',
  about:
    'Explains a diagnostic (AG1012, duplicate-issuer-url) or a message of kube-apiserver, AuthGraph or kubectl, and how to fix it. Paste the whole log line, or several: prefixes, quotes and lists of errors are handled. With --config it also shows the lines of the file that cause it. - reads lines from standard input.',
  flags: [
    { ...configFlag, doc: 'The configuration of the server.' },
    outputFlag,
    targetVersionFlag,
  ],
  examples: [
    { line: 'authgraph explain AG1012', does: 'a code from check' },
    {
      line: 'authgraph explain --config auth.yaml \'oidc: parse username claims "email": claim not present\'',
      does: 'a message, with its location in the file',
    },
    {
      line: 'grep "Unable to authenticate" kube-apiserver.log | tail -1 | authgraph explain -c auth.yaml -',
      does: 'the last rejection in a log',
    },
  ],
  operands: [1, Number.POSITIVE_INFINITY],
  operandNames: async () => (await import('../../catalog.ts')).catalog.map(({ code }) => code),
  missing: 'specify a code, a name, or a message in quotes',
  run: (read, io) => runExplain(read, io),
});

const runExplain = async (read: CommandArguments, io: Io): Promise<ExitCode> => {
  const { values, operands } = read;
  const input = operands.length === 1 && operands[0] === '-' ? await io.readText('-') : undefined;
  if (input?.kind === 'failure') return fail(io, input.reason);
  const text = (input?.text ?? operands.join(' ')).trim();
  const path = values.string('config');
  const loaded =
    path === ''
      ? undefined
      : await loadConfiguration(path, io, {
          settings: await settingsForFile(read, path, io),
          limits: 'warn',
        });
  if (loaded?.kind === 'failure') return fail(io, loaded.reason, loaded.help);
  if (loaded?.kind === 'artifact')
    return fail(
      io,
      `${path} is an artifact, which has no source locations`,
      'Specify the configuration file that it was compiled from.',
    );

  const { findInCatalog } = await import('../../catalog.ts');
  const rule = findInCatalog(text);
  const asJson = values.string('output') === 'json';
  const paint = painter(wantsColor(values.string('color'), io.stdout, io));
  if (rule !== undefined) {
    await explainRule(rule, { loaded, asJson, paint, io });
    return exitCodes.ok;
  }
  return explainText(text, { loaded, asJson, paint, io });
};

interface Printing {
  readonly loaded: Compiled | undefined;
  readonly asJson: boolean;
  readonly paint: Paint;
  readonly io: Io;
}

const explainRule = async (
  rule: RuleDescription,
  { loaded, asJson, paint, io }: Printing,
): Promise<void> => {
  const found = loaded?.diagnostics.filter(({ code }) => code === rule.code) ?? [];
  const page = pagePath(rule.name);
  if (asJson) {
    const diagnostics = found.flatMap((one) =>
      loaded === undefined ? [] : [jsonDiagnostic(loaded.source, one)],
    );
    printJson(io, { version: explainVersion, rule: { ...rule, page }, diagnostics });
    return;
  }
  const { diagnosticPage } = await import('../diagnostic-page.ts');
  const text = await diagnosticPage(rule.name, paint);
  io.stdout.write(
    [
      `${paint('bold', `${rule.code} ${rule.name}`)} (${rule.severity}, ${sourceNames[rule.source]})`,
      '',
      text ?? `${rule.summary}\n`,
    ].join('\n'),
  );
  if (loaded === undefined) return;
  if (found.length === 0) io.stdout.write(`\nNot found in ${toPrintable(loaded.source.uri)}.\n`);
  for (const one of found)
    io.stdout.write(`\n${renderDiagnostic(loaded.source, one, frameOptions(paint, io))}\n`);
};

const sourceNames = {
  server: 'kube-apiserver rejects it too',
  lint: 'advice; kube-apiserver accepts it',
  limit: 'a limit of AuthGraph',
  settings: 'a mistake in a settings file',
  tests: 'a mistake in a test file or a request file',
} as const;

/** Moves the places of a message from the configuration to the file that contains it. */
const inFile = (message: ExplainedMessage, loaded: Compiled | undefined): ExplainedMessage =>
  loaded === undefined
    ? message
    : {
        ...message,
        places: message.places.map((place) => ({ ...place, span: loaded.toFile(place.span) })),
        diagnostics: message.diagnostics.map((one) => loaded.diagnosticInFile(one)),
      };

const explainText = async (text: string, printing: Printing): Promise<ExitCode> => {
  const { loaded, asJson, paint, io } = printing;
  const { explainLog } = await import('../../simulate/explain/explain-log.ts');
  const explained = explainLog(text, loaded?.compilation);
  const { unknown } = explained;
  const messages = explained.messages.map((one) => inFile(one, loaded));
  const nearest = messages.length > 0 ? [] : await nearestTo(unknown);
  if (asJson)
    printJson(io, {
      version: explainVersion,
      messages: messages.map((one) => jsonMessage(one, loaded)),
      unknown: unknown.map(redactSecrets),
      ...(nearest.length === 0 ? {} : { nearest }),
    });
  else {
    io.stdout.write(messages.map((one) => messageText(one, printing)).join('\n'));
    io.stderr.write(
      messages.length === 0 ? await unknownMessageText(text, nearest, paint) : restText(unknown),
    );
  }
  return messages.length === 0 ? exitCodes.problems : exitCodes.ok;
};

/** Returns the known messages that resemble the first unknown message for which there are any. */
const nearestTo = async (unknown: readonly string[]): Promise<readonly string[]> => {
  const { nearestMessages } = await import('../../simulate/explain/nearest-messages.ts');
  for (const text of unknown) {
    const nearest = nearestMessages(text);
    if (nearest.length > 0) return nearest;
  }
  return [];
};

const unknownMessageText = async (
  text: string,
  nearest: readonly string[],
  paint: Paint,
): Promise<string> => {
  const near = await nearestDiagnostic(text);
  const isCode = /^ag\d+$/i.test(text);
  if (isCode || near !== undefined) {
    const what = isCode ? 'a code of this version' : 'the name of a diagnostic';
    const question = near === undefined ? '' : ` Did you mean ${near}?`;
    return `${paint('bold', toPrintable(text))} is not ${what}.${question}\n`;
  }
  const advice =
    nearest.length === 0
      ? ['Paste the whole line, or the part after err=, quoted for your shell.']
      : ['The nearest known messages are:', ...nearest.map((one) => `  ${one}`)];
  return ['This message is unknown.', ...advice, ''].join('\n');
};

/** Returns the code or the name of a diagnostic that a misspelled one may mean. */
const nearestDiagnostic = async (text: string): Promise<string | undefined> => {
  if (!/^[\w-]{3,64}$/.test(text)) return undefined;
  const { catalog } = await import('../../catalog.ts');
  const { nearestName } = await import('../../flags/suggest.ts');
  return nearestName(
    text,
    catalog.flatMap(({ code, name }) => [code, name]),
  );
};

/** Lists the other parts of the lines, which may belong to the explained messages. */
const restText = (unknown: readonly string[]): string => {
  const shown = unknown.slice(0, maxUnknownShown).map((text) => {
    const [line = ''] = redactSecrets(text).split('\n', 1);
    return `Not explained: ${toPrintable(clipped(line))}\n`;
  });
  const more = unknown.length - shown.length;
  return `${shown.join('')}${more === 0 ? '' : `Not explained: ${more} more\n`}`;
};

const maxUnknownShown = 3;

const messageText = (
  { explanation, places, diagnostics }: ExplainedMessage,
  { loaded, paint, io }: Printing,
): string => {
  const { message, rejection, meaning, fix } = explanation;
  const from = originText(explanation);
  const lines = [
    paint('bold', toPrintable(clipped(message))),
    ...(rejection === undefined ? [] : [`  ${rejection.code} ${rejection.name}`]),
    ...(from === '' ? [] : [`  ${toPrintable(from)}`]),
    `  ${toPrintable(meaning)}`,
    `  ${paint('green', 'To fix it:')} ${toPrintable(fix)}`,
    ...(rejection === undefined ? [] : [`  More: ${pageCommand(rejection.code)}`]),
  ];
  // Messages about flags and other modules have no place in the file.
  if (loaded === undefined || from !== '') return `${lines.join('\n')}\n`;
  const { source } = loaded;
  if (places.length === 0)
    lines.push(`  ${toPrintable(source.uri)} has no field that produces this message.`);
  if (places.length > 1 && diagnostics.length === 0)
    lines.push('  The message does not name the field; it is one of:');
  const width = io.stdout.columns;
  for (const one of diagnostics)
    lines.push('', renderDiagnostic(source, one, frameOptions(paint, io)));
  if (diagnostics.length === 0)
    for (const { path, span } of places.slice(0, maxPlaces)) {
      const frame = framePlace(source, span, width, paint);
      lines.push('', `  ${paint('blue', formatLocation(source, span.start))} ${path}`, ...frame);
    }
  if (places.length > maxPlaces) lines.push(`  and ${places.length - maxPlaces} more`);
  return `${lines.join('\n')}\n`;
};

/** Returns the origin, such as `from client-certificate, --client-ca-file`; empty if unknown. */
const originText = ({ module, flags }: ExplainedMessage['explanation']): string => {
  const parts = [...(module === undefined ? [] : [module]), ...flags.map((flag) => `--${flag}`)];
  return parts.length === 0 ? '' : `from ${parts.join(', ')}`;
};

const maxPlaces = 8;
/** A message may contain a whole key set; its start is enough. */
const maxMessageLength = 400;

const clipped = (message: string): string =>
  message.length <= maxMessageLength ? message : `${message.slice(0, maxMessageLength)}…`;

const framePlace = (
  source: Compiled['source'],
  span: ExplainedMessage['places'][number]['span'],
  width: number,
  paint: Paint,
): readonly string[] =>
  codeFrame(source, span, {
    width,
    numberWidth: String(source.positionAt(span.end).line + 1).length + 1,
    mark: '^',
    label: '',
    paintMark: (text) => paint('yellow', text),
    paintGutter: (text) => paint('blue', text),
  });

const frameOptions = (paint: Paint, io: Io) => ({
  color: paint('bold', 'x') !== 'x',
  width: io.stdout.columns,
});

const jsonMessage = (
  { explanation, places, diagnostics }: ExplainedMessage,
  loaded: Compiled | undefined,
): object => {
  const { message, kind, rejection, meaning, fix, subject, module, flags } = explanation;
  return {
    message,
    kind,
    ...(rejection === undefined ? {} : { ...rejection, page: pagePath(rejection.name) }),
    subject,
    ...(module === undefined ? {} : { module }),
    flags,
    meaning,
    fix,
    places:
      loaded === undefined
        ? []
        : places.map(({ path, span }) => ({
            file: loaded.source.uri,
            path,
            range: jsonRange(loaded.source, span),
          })),
    diagnostics:
      loaded === undefined ? [] : diagnostics.map((one) => jsonDiagnostic(loaded.source, one)),
  };
};

const printJson = (io: Io, data: object): void => {
  io.stdout.write(`${JSON.stringify(data, undefined, 2)}\n`);
};
