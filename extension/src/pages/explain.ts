/** The page that explains a token: the answer, the most similar value, one card per configuration. */
import { verdictSigns } from '@authgraph/language-server/protocol';
import {
  type ExplainAction,
  type ExplainState,
  isExplainState,
  type ShownExplanation,
  type ShownText,
} from '../messages/explain.ts';
import {
  announce,
  button,
  type Content,
  element,
  lineButton,
  redraw,
  returnFocus,
} from './element.ts';
import { connect } from './host.ts';
import { verdictWords } from './whoami-card.ts';

const send: (action: ExplainAction) => void = connect((message) => {
  if (isExplainState(message)) draw(message);
});

const draw = (state: ExplainState): void => {
  const page = document.getElementById('page');
  if (page === null) return;
  const { summary, problem, nearest, skipped, token, rows } = state;
  redraw(page, [
    element(
      'div',
      { class: 'toolbar' },
      element('span', { class: 'file' }, token),
      button({ key: 'again', click: () => send({ kind: 'again' }) }, 'Explain Again'),
      button({ key: 'another', click: () => send({ kind: 'another' }) }, 'Explain Another Token…'),
    ),
    element('h2', { class: 'summary' }, summary),
    problem !== undefined && element('p', { class: 'problem' }, sentence(problem)),
    nearest !== undefined &&
      element('p', { class: 'caution nearest' }, linked(nearest, { key: 'nearest', state })),
    skipped !== undefined && element('p', { class: 'caution' }, skipped),
    element(
      'div',
      { class: 'cards' },
      rows.map((row, index) => card(row, { index, state })),
    ),
  ]);
  announce([summary, problem, nearest?.text].filter((text) => text !== undefined).join(' '));
};

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

interface Drawn {
  readonly state: ExplainState;
  readonly index: number;
}

const card = (row: ShownExplanation, drawn: Drawn): Content => {
  const heading = `card-${drawn.index}`;
  const link = (text: ShownText, name: string): Content =>
    linked(text, { key: `${name}.${drawn.index}`, state: drawn.state });
  return element(
    'article',
    { class: `card ${row.verdict}`, 'aria-labelledby': heading },
    element(
      'h2',
      { id: heading },
      element(
        'span',
        { class: 'verdict-sign', 'aria-hidden': 'true' },
        `${verdictSigns[row.verdict]} `,
      ),
      row.name,
      element('span', { class: 'verdict' }, ` ${verdictWords[row.verdict].toLowerCase()}`),
    ),
    row.loadFailure !== undefined && loadFailure(row.loadFailure, link),
    row.authenticator !== undefined &&
      element('p', { class: 'detail' }, link(row.authenticator, 'authenticator')),
    row.check !== undefined && element('p', { class: 'check' }, `Failed check: ${row.check}`),
    row.reason !== undefined && element('p', { class: 'reason' }, link(row.reason, 'reason')),
    row.user !== undefined && element('p', { class: 'value' }, row.user),
    row.whyNot.length > 0 && [
      element('h3', {}, 'What would be accepted'),
      element(
        'ul',
        { class: 'why-not' },
        row.whyNot.map((change) => element('li', {}, `Accepted ${change}.`)),
      ),
    ],
    row.logLine !== undefined && logLine(row.logLine, row.code, drawn),
  );
};

const loadFailure = (
  { text, asIf, errors }: NonNullable<ShownExplanation['loadFailure']>,
  link: (text: ShownText, name: string) => Content,
): Content =>
  element(
    'div',
    { class: 'load-failure' },
    element('p', {}, `${text}. The rest of this answer is ${asIf}.`),
    element(
      'ul',
      {},
      errors.map((error, at) => element('li', {}, link(error, `error.${at}`))),
    ),
  );

const logLine = (line: string, code: string | undefined, { state, index }: Drawn): Content => [
  element('h3', {}, 'kube-apiserver logs'),
  element('div', { class: 'log' }, element('p', {}, line)),
  element(
    'p',
    { class: 'actions' },
    button(
      { key: `copy.${index}`, click: () => send({ kind: 'copy', number: state.number, index }) },
      'Copy Log Line',
    ),
    code !== undefined &&
      button(
        { key: `page.${index}`, click: () => send({ kind: 'page', number: state.number, index }) },
        `Show ${code} and How to Fix It`,
      ),
  ),
];

/** Returns the text with a button that goes to its line. */
const linked = (
  { text, link }: ShownText,
  { key, state }: { readonly key: string; readonly state: ExplainState },
): Content => [
  text,
  link !== undefined && [
    ' ',
    lineButton({
      key,
      line: link.line,
      label: `Go to L${link.line}: ${text}`,
      click: () => send({ kind: 'goTo', number: state.number, index: link.place }),
    }),
  ],
];

returnFocus();
send({ kind: 'ready' });
