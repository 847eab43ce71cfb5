/** The answer of whoami for people. */
import type { JwtNode } from '../authenticators/jwt/node.ts';
import { pageUrl } from '../diagnostics/page.ts';
import { printable } from '../diagnostics/printable.ts';
import type { Decision } from '../model/decision.ts';
import type { UserInfo } from '../model/user-info.ts';
import { explainMessage } from '../simulate/explain-message.ts';
import type { WhoamiAnswer } from '../simulate/whoami.ts';
import type { Paint } from './paint.ts';
import { type PlaceFinder, refusalFrame, traceText } from './trace-text.ts';

export interface WhoamiTextOptions extends PlaceFinder {
  readonly paint: Paint;
  readonly width: number;
  readonly nodes: readonly JwtNode[];
}

export const whoamiText = (answer: WhoamiAnswer, options: WhoamiTextOptions): string => {
  const { paint } = options;
  const trace = answer.steps.length === 0 ? '' : `${traceText(answer.steps, options)}\n`;
  const lines = decisionLines(answer.decision, options);
  if (answer.signature === 'skipped')
    lines.push(
      paint('dim', 'Only claims were given: signature, audience and times were not enforced.'),
    );
  return trace + lines.map((line) => `${line.trimEnd()}\n`).join('');
};

const decisionLines = (decision: Decision, options: WhoamiTextOptions): string[] => {
  const { paint } = options;
  switch (decision.kind) {
    case 'accepted':
      return [paint('green', 'accepted'), ...userLines(decision.user)];
    case 'noOpinion':
      return foreignLines(options);
    case 'rejected':
      return decision.reason.message === 'invalid bearer token'
        ? foreignLines(options)
        : refusedLines(decision.reason, options);
  }
};

const foreignLines = ({ paint, nodes }: WhoamiTextOptions): string[] => [
  `${paint('red', 'refused')}: no authenticator takes it; the request would get 401`,
  '  The issuer (iss) is none of:',
  ...(nodes.length === 0
    ? ['    (the configuration has no authenticator)']
    : nodes.map(({ id, issuerUrl }) => `    ${id} ${printable(issuerUrl)}`)),
];

const refusedLines = (
  { code, message, at }: Extract<Decision, { kind: 'rejected' }>['reason'],
  options: WhoamiTextOptions,
): string[] => {
  const { paint } = options;
  const explained = explainMessage(message);
  const page = explained?.rejection;
  return [
    `${paint('red', 'refused')}${at === undefined ? '' : ` by ${at}`}: ${printable(clip(message))}`,
    ...(explained === undefined
      ? [`  ${code}`]
      : [
          `  ${code}${page === undefined ? '' : ` ${page.name}`}: ${printable(clip(explained.meaning))}`,
          `  ${paint('green', 'To mend it:')} ${printable(clip(explained.mend))}`,
        ]),
    ...refusalFrame(at, options),
    ...(page === undefined ? [] : [`  More: ${pageUrl(page.name)}`]),
  ];
};

const userLines = ({ username, uid, groups, extra }: UserInfo): readonly string[] => {
  const rows: (readonly [string, readonly string[]])[] = [
    ['Username', [username]],
    ...(uid === '' ? [] : [['UID', [uid]] as const]),
    ...(groups.length === 0 ? [] : [['Groups', groups] as const]),
    ...[...extra]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, values]) => [`Extra ${key}`, values] as const),
  ];
  const width = Math.max(...rows.map(([title]) => title.length));
  return rows.flatMap(([title, values]) =>
    (values.length === 0 ? ['(none)'] : values).map(
      (value, at) => `  ${(at === 0 ? title : '').padEnd(width)}  ${shown(value)}`,
    ),
  );
};

/** Bare where nobody can misread it, in quotes otherwise. */
const shown = (text: string): string =>
  /^[\p{L}\p{N}\p{P}\p{S}](?:[\p{L}\p{M}\p{N}\p{P}\p{S} ]*[\p{L}\p{M}\p{N}\p{P}\p{S}])?$/u.test(
    text,
  )
    ? text
    : printable(JSON.stringify(text));

/** An issuer's broken key set may stand in a message whole. */
const clip = (text: string): string => (text.length <= 1000 ? text : `${text.slice(0, 1000)}…`);
