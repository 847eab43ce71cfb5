/** A refusal for people: why, what it means, how to mend it, and the lines of the file. */
import type { JwtNode } from '../authenticators/jwt/node.ts';
import { pageCommand } from '../diagnostics/page.ts';
import { toPrintable } from '../diagnostics/printable.ts';
import type { Decision } from '../model/decision.ts';
import { unclaimedToken } from '../runtime/rejections.ts';
import { explainMessage } from '../simulate/explain/explain-message.ts';
import type { Paint } from './color.ts';
import { type PlaceFinder, rejectionFrame } from './trace-text.ts';

export interface RejectionOptions extends PlaceFinder {
  readonly paint: Paint;
  readonly width: number;
  readonly nodes: readonly JwtNode[];
}

/** Of a decision that is no acceptance. */
export const rejectionText = (decision: Decision, options: RejectionOptions): string =>
  rejectionLines(decision, options)
    .map((line) => `${line.trimEnd()}\n`)
    .join('');

const rejectionLines = (decision: Decision, options: RejectionOptions): readonly string[] =>
  decision.kind !== 'rejected' || decision.reason.message === unclaimedToken.message
    ? unclaimedTokenLines(options)
    : rejectedLines(decision.reason, options);

const unclaimedTokenLines = ({ paint, nodes }: RejectionOptions): string[] => [
  `${paint('red', 'refused')}: no authenticator takes it; the request would get 401`,
  '  The issuer (iss) is none of:',
  ...(nodes.length === 0
    ? ['    (the configuration has no authenticator)']
    : nodes.map(({ id, issuerUrl }) => `    ${id} ${toPrintable(issuerUrl)}`)),
];

const rejectedLines = (
  { code, message, at }: Extract<Decision, { kind: 'rejected' }>['reason'],
  options: RejectionOptions,
): string[] => {
  const { paint } = options;
  const explained = explainMessage(message);
  const page = explained?.rejection;
  return [
    `${paint('red', 'refused')}${at === undefined ? '' : ` by ${at}`}: ${toPrintable(clip(message))}`,
    ...(explained === undefined
      ? [`  ${code}`]
      : [
          `  ${code}${page === undefined ? '' : ` ${page.name}`}: ${toPrintable(clip(explained.meaning))}`,
          `  ${paint('green', 'To mend it:')} ${toPrintable(clip(explained.fix))}`,
        ]),
    ...rejectionFrame(at, options),
    ...(page === undefined ? [] : [`  More: ${pageCommand(page.code)}`]),
  ];
};

/** An issuer's broken key set may stand in a message whole. */
const clip = (text: string): string => (text.length <= 1000 ? text : `${text.slice(0, 1000)}…`);
