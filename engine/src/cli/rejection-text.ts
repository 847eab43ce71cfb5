/** Formats a rejection for people: the reason, its meaning, the fix, and the lines of the file. */
import type { JwtNode } from '../authenticators/jwt/node.ts';
import { nearName } from '../config/near-name.ts';
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
  /** The names of the claims, if they are known. */
  readonly claimNames?: readonly string[] | undefined;
}

/** Formats a decision that does not accept the request. */
export const rejectionText = (decision: Decision, options: RejectionOptions): string =>
  rejectionLines(decision, options)
    .map((line) => `${line.trimEnd()}\n`)
    .join('');

const rejectionLines = (decision: Decision, options: RejectionOptions): readonly string[] =>
  decision.kind !== 'rejected' || decision.reason.message === unclaimedToken.message
    ? unclaimedTokenLines(options)
    : rejectedLines(decision.reason, options);

const unclaimedTokenLines = ({ paint, nodes }: RejectionOptions): string[] => [
  `${paint('red', 'rejected')}: no authenticator accepts it; the request would get a 401`,
  '  The issuer (iss) is not one of:',
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
  const missing = explained?.facts.get('key');
  const similar = missing && nearName(missing, options.claimNames ?? []);
  return [
    `${paint('red', 'rejected')}${at === undefined ? '' : ` by ${at}`}: ${toPrintable(clip(message))}`,
    ...(explained === undefined
      ? [`  ${code}`]
      : [
          `  ${code}${page === undefined ? '' : ` ${page.name}`}: ${toPrintable(clip(explained.meaning))}`,
          `  ${paint('green', 'To fix it:')} ${toPrintable(clip(similar ? correctName(similar) : explained.fix))}`,
        ]),
    ...rejectionFrame(at, options),
    ...(page === undefined ? [] : [`  More: ${pageCommand(page.code)}`]),
  ];
};

/** A default value would hide that the name is misspelled. */
const correctName = (similar: string): string =>
  `The claims contain ${similar}: correct the name in the expression, or in the claims.`;

/** A message may contain a whole malformed key set. */
const clip = (text: string): string => (text.length <= 1000 ? text : `${text.slice(0, 1000)}…`);
