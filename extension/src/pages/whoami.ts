/** The whoami page: one card per sample with the user or the rejection, and the steps. */
import {
  emptyAsFields,
  isTakeFocus,
  isWhoamiState,
  type WhoamiAction,
  type WhoamiState,
} from '../messages/whoami.ts';
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
import { identifier } from './identifier.ts';
import { sampleButton } from './sample-button.ts';
import { actingNote, impersonation, spokenActing } from './whoami-acting.ts';
import { type CardAct, card, verdictWords } from './whoami-card.ts';

let state: WhoamiState | undefined;

const send: (act: WhoamiAction) => void = connect((message) => {
  if (isTakeFocus(message)) takeFocus();
  if (!isWhoamiState(message)) return;
  const isOtherSample = state !== undefined && currentId(state) !== currentId(message);
  state = message;
  draw(message);
  // The first card is the current sample's.
  if (isOtherSample && document.scrollingElement !== null) document.scrollingElement.scrollTop = 0;
});

const currentId = ({ samples }: WhoamiState): string | undefined =>
  samples.find(({ isCurrent }) => isCurrent)?.id;

const takeFocus = (): void => {
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  document.querySelector<HTMLElement>('button.sample')?.focus({ preventScroll: true });
};

/** Does nothing until an answer is shown. */
const sendOf = (row: number, action: CardAct): void => {
  if (state !== undefined) send({ ...action, row, number: state.number });
};

const draw = (shown: WhoamiState): void => {
  const page = document.getElementById('page');
  if (page === null) return;
  redraw(page, [
    toolbar(shown),
    loadFailures(shown),
    actingNote(shown.as, shown.rows, () => send({ kind: 'as', as: emptyAsFields })),
    body(shown),
    sideBySide(shown),
    shown.rows.length > 0 && impersonation(shown.as, (as) => send({ kind: 'as', as })),
  ]);
  announce(spoken(shown));
};

const spoken = ({ rows, problem, as, loadFailures: failures }: WhoamiState): string =>
  rows.length === 0
    ? (problem ?? '')
    : [
        ...failures.map(({ text }) => text),
        ...rows.flatMap(({ headline, verdict, warning, caution, configuration }) => [
          `${verdictWords[verdict]}${configuration === undefined ? '' : ` by ${configuration}`}: ${headline}`,
          ...[warning, caution].filter((sentence) => sentence !== undefined),
        ]),
        ...spokenActing(as, rows),
      ].join('. ');

/** Returns a note for each configuration that kube-apiserver does not load, with its errors. */
const loadFailures = ({ loadFailures: failures, rows }: WhoamiState): Content => {
  const errorsBefore = (index: number): number =>
    failures.slice(0, index).reduce((count, { errors }) => count + errors.length, 0);
  return failures.map(({ text, asIf, errors }, at) => {
    const [first, ...others] = errors.map(({ message, line }, index) =>
      element(
        'li',
        {},
        `${message} `,
        lineButton({
          key: `error.${at}.${index}`,
          line,
          label: `Go to the error in L${line}`,
          click: () => goToError(errorsBefore(at) + index),
        }),
      ),
    );
    return element(
      'div',
      { class: 'load-failure' },
      element(
        'h2',
        {},
        element('span', { class: 'verdict-sign', 'aria-hidden': 'true' }, '⚠ '),
        text,
      ),
      element('ul', {}, first),
      // The others are folded, so that the verdict is in sight.
      others.length > 0 &&
        element(
          'details',
          { key: `errors.${at}` },
          element('summary', { key: `errors.${at}.summary` }, 'More errors'),
          element('ul', {}, others),
        ),
      rows.length > 0 &&
        element('p', {}, `kube-apiserver uses none of this file. The results are ${asIf}.`),
    );
  });
};

const goToError = (index: number): void => {
  if (state !== undefined) send({ kind: 'goToError', number: state.number, index });
};

const toolbar = ({ samples, file }: WhoamiState): Content => {
  const current = samples.find(({ isCurrent }) => isCurrent);
  return element(
    'header',
    { class: 'toolbar' },
    sampleButton(current?.name, () => send({ kind: 'select' })),
    file !== undefined && element('span', { class: 'file' }, identifier(file)),
  );
};

/** Returns the list of the samples to show, below the cards to leave the space to the first one. */
const sideBySide = ({ samples }: WhoamiState): Content =>
  samples.length > 1 &&
  element(
    'details',
    { key: 'compare', class: 'compare' },
    element('summary', { key: 'compare.summary' }, 'Side by side'),
    element(
      'ul',
      { class: 'choices' },
      samples.map((sample) => choice(sample, samples)),
    ),
  );

const choice = (sample: WhoamiState['samples'][number], all: WhoamiState['samples']): Content => {
  const box = element('input', { key: `show.${sample.id}` });
  box.type = 'checkbox';
  box.checked = sample.isShown;
  box.disabled = sample.isCurrent;
  box.addEventListener('change', () => {
    const others = all.filter(({ id, isShown }) => (id === sample.id ? box.checked : isShown));
    send({ kind: 'show', samples: others.map(({ id }) => id) });
  });
  return element('li', {}, element('label', {}, box, ' ', sample.name));
};

const body = (shown: WhoamiState): Content => {
  if (shown.rows.length > 0) {
    return element(
      'div',
      { class: 'cards' },
      shown.rows.map((row, index) => card({ row, index, act: (action) => sendOf(index, action) })),
    );
  }
  if (shown.file === undefined) {
    return welcome('No configuration is open.', [
      button(
        { key: 'new', class: 'main', click: () => send({ kind: 'newConfiguration' }) },
        'New Configuration…',
      ),
    ]);
  }
  if (shown.samples.length === 0) {
    return welcome(
      'There are no samples yet. A sample is a file of claims such as jane.claims.json.',
      [
        button(
          { key: 'newSample', class: 'main', click: () => send({ kind: 'newSample' }) },
          'New Sample…',
        ),
        button({ key: 'paste', click: () => send({ kind: 'paste' }) }, 'Paste Token…'),
      ],
    );
  }
  return welcome(sentence(shown), []);
};

/** Capitalizes a message unless it starts with a name. */
const sentence = ({
  problem: text = 'nothing to show yet',
  file,
  samples,
}: WhoamiState): string => {
  const isName = [file, ...samples.map(({ name }) => name)].some(
    (name) => name !== undefined && text.startsWith(name),
  );
  const first = text.charAt(0);
  return `${isName ? first : first.toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
};

const welcome = (text: string, actions: readonly Content[]): Content =>
  element('div', { class: 'welcome' }, element('p', {}, text), ...actions);

returnFocus();
send({ kind: 'ready' });
