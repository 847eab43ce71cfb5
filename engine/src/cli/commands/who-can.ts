/** `authgraph who-can FILE --group NAME`: finds requests that map to a username, a group or an extra value, or proves that there are none. */
import { toPrintable } from '../../diagnostics/printable.ts';
import {
  causeLine,
  type SourcesOfSides,
  undecidedLine,
  witnessLine,
} from '../../simulate/access/access-text.ts';
import type { WhoCanTarget } from '../../simulate/access/wanted-user.ts';
import type { WhoCanAnswer, WhoCanExample } from '../../simulate/access/who-can.ts';
import { userLines } from '../../simulate/whoami/user-lines.ts';
import { causeData, undecidedData } from '../access-data.ts';
import { type Paint, painter, wantsColor } from '../color.ts';
import {
  type CommandArguments,
  configFlag,
  configurationPath,
  defineCommand,
  outputFlag,
  stringFlag,
  targetVersionFlag,
} from '../command.ts';
import { userData } from '../decision-data.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { loadGraph } from '../load-graph.ts';

export const whoCanCommand = defineCommand({
  name: 'who-can',
  usage: '[flags] FILE (--username NAME | --group NAME | --extra KEY=VALUE)',
  about:
    'Finds tokens and anonymous requests that map to a username, a group or an extra value, with the lines of the configuration that let them, or proves that there are none. Every example is confirmed by authenticating it. Client certificates, proxy headers and other authenticators take their users from elsewhere and are not covered. Tokens beyond the limits of size and cost, and distributed claims, are not covered by proofs.',
  flags: [
    configFlag,
    stringFlag('Target', 'username', 'NAME', 'The username to look for.'),
    stringFlag('Target', 'group', 'NAME', 'The group to look for.'),
    stringFlag('Target', 'extra', 'KEY=VALUE', 'The extra value to look for.'),
    {
      name: 'prefix',
      group: 'Target',
      type: 'bool',
      doc: 'Look for names and values that start with the given one.',
    },
    {
      name: 'require-proof',
      group: 'Output',
      type: 'bool',
      doc: 'Exit with 1, too, if there is neither an example nor a proof.',
    },
    outputFlag,
    targetVersionFlag,
  ],
  examples: [
    {
      line: 'authgraph who-can auth.yaml --group system:masters',
      does: 'whether a token can get full control of the cluster',
    },
    {
      line: 'authgraph who-can auth.yaml --group platform:admins --require-proof',
      does: 'fail unless it is proved that no token gets there',
    },
  ],
  operands: [0, 1],
  run: (read, io) => runWhoCan(read, io),
});

const runWhoCan = async (read: CommandArguments, io: Io): Promise<ExitCode> => {
  const { values } = read;
  const file = configurationPath(read);
  const target = targetOf(read);
  const { graph, loaded } = await loadGraph(read, file, io, exitCodes.failed);
  const { whoCan } = await import('../../simulate/access/who-can.ts');
  const compiled = loaded.kind === 'compiled' ? loaded : undefined;
  const origins = compiled?.compilation.origins;
  const answer = whoCan(origins === undefined ? { graph } : { graph, origins }, target);
  const sources = { before: undefined, after: compiled };
  io.stdout.write(
    values.string('output') === 'json'
      ? `${JSON.stringify(answerData(answer, target, sources), undefined, 2)}\n`
      : answerText(answer, target, {
          sources,
          paint: painter(wantsColor(values.string('color'), io.stdout, io)),
        }),
  );
  const isBad =
    answer.kind === 'found' || (answer.kind === 'undecided' && values.bool('require-proof'));
  return isBad ? exitCodes.problems : exitCodes.ok;
};

const targetOf = ({ values, misuse }: CommandArguments): WhoCanTarget => {
  const match = values.bool('prefix') ? 'prefix' : 'exact';
  const [username, group, extra] = ['username', 'group', 'extra'].map((name) =>
    values.string(name),
  );
  if ([username, group, extra].filter((value) => value !== '').length !== 1)
    return misuse('specify one of --username, --group and --extra');
  if (username) return { field: 'username', value: username, match };
  if (group) return { field: 'groups', value: group, match };
  const [, key = '', value = ''] = /^([^=]+)=(.*)$/s.exec(extra ?? '') ?? [];
  return key === ''
    ? misuse('specify --extra as KEY=VALUE')
    : { field: 'extra', key, value, match };
};

interface TextOptions {
  readonly sources: SourcesOfSides;
  readonly paint: Paint;
}

const answerText = (
  answer: WhoCanAnswer,
  target: WhoCanTarget,
  { sources, paint }: TextOptions,
): string => {
  const goal = goalText(target);
  const lines = (() => {
    switch (answer.kind) {
      case 'found':
        return [
          ...answer.examples.flatMap((example) => exampleLines(example, sources, paint)),
          paint('red', `found: a request can ${goal}`),
        ];
      case 'proved':
        return [paint('green', `proved: no token and no anonymous request can ${goal}`)];
      case 'undecided':
        return [
          paint('yellow', `undecided: ${answer.tried} requests were tried; none can ${goal}`),
          ...answer.reasons.map((reason) => `  no proof: ${undecidedLine(reason, sources)}`),
        ];
    }
  })();
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
};

const exampleLines = (
  { witness, user, cause }: WhoCanExample,
  sources: SourcesOfSides,
  paint: Paint,
): readonly string[] => [
  paint('bold', witnessLine(witness)),
  ...userLines(user),
  ...cause.map((one) => paint('dim', `  by ${causeLine(one, sources)}`)),
  '',
];

/** Returns `be in the group "system:masters"`. */
const goalText = ({ field, key, value, match }: WhoCanTarget): string => {
  const quoted = toPrintable(JSON.stringify(value));
  const isPrefix = match === 'prefix';
  switch (field) {
    case 'username':
      return isPrefix ? `get a username that starts with ${quoted}` : `get the username ${quoted}`;
    case 'groups':
      return isPrefix ? `be in a group that starts with ${quoted}` : `be in the group ${quoted}`;
    case 'extra': {
      const shownKey = toPrintable(key ?? '');
      return isPrefix
        ? `get a value of extra ${shownKey} that starts with ${quoted}`
        : `get the value ${quoted} of extra ${shownKey}`;
    }
  }
};

/** Incremented when the format changes incompatibly; see docs/schema/who-can.v1.json. */
const whoCanVersion = 1;

const answerData = (
  answer: WhoCanAnswer,
  target: WhoCanTarget,
  sources: SourcesOfSides,
): object => ({
  version: whoCanVersion,
  target,
  answer: answer.kind,
  ...(answer.kind === 'found'
    ? {
        examples: answer.examples.map(({ witness, user, cause }) => ({
          witness,
          user: userData(user),
          cause: cause.map((one) => causeData(one, sources)),
        })),
      }
    : {}),
  ...(answer.kind === 'undecided'
    ? { tried: answer.tried, undecided: answer.reasons.map((one) => undecidedData(one, sources)) }
    : {}),
  evaluations: answer.evaluations,
});
