/** The whoami page: one card a sample, with the identity or the refusal, and the way there. */
import type { UserRow } from '@authgraph/language-server/protocol';
import {
  isWhoamiState,
  type ShownRow,
  type ShownStep,
  type WhoamiAct,
  type WhoamiState,
} from '../messages/whoami.ts';
import { button, type Content, element, redraw, say } from './element.ts';
import { connect } from './host.ts';
import { sampleButton } from './sample-button.ts';

let state: WhoamiState | undefined;

const send: (act: WhoamiAct) => void = connect((message) => {
  if (!isWhoamiState(message)) return;
  state = message;
  draw(message);
});

const draw = (shown: WhoamiState): void => {
  const page = document.getElementById('page');
  if (page === null) return;
  redraw(page, [toolbar(shown), body(shown), shown.rows.length > 0 && impersonation(shown)]);
  say(spoken(shown));
};

const spoken = ({ rows, problem }: WhoamiState): string =>
  rows.length === 0
    ? (problem ?? '')
    : rows.map(({ headline, verdict }) => `${verdictWords[verdict]}: ${headline}`).join('. ');

const toolbar = ({ samples, file }: WhoamiState): Content => {
  const chosen = samples.find(({ isChosen }) => isChosen);
  return element(
    'header',
    { class: 'toolbar' },
    sampleButton(chosen?.name, () => send({ kind: 'select' })),
    file !== undefined && element('span', { class: 'file' }, file),
    samples.length > 1 &&
      element(
        'details',
        { key: 'beside', class: 'beside' },
        element('summary', { key: 'beside.summary' }, 'Side by side'),
        element(
          'ul',
          { class: 'choices' },
          samples.map((sample) => choice(sample, samples)),
        ),
      ),
  );
};

const choice = (sample: WhoamiState['samples'][number], all: WhoamiState['samples']): Content => {
  const box = element('input', { key: `show.${sample.id}` });
  box.type = 'checkbox';
  box.checked = sample.isShown;
  box.disabled = sample.isChosen;
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
      shown.rows.map((row, index) => card(row, index)),
    );
  }
  if (shown.file === undefined) {
    return welcome('No configuration is open.', [
      button(
        { key: 'new', class: 'main', click: () => send({ kind: 'newConfiguration' }) },
        'New Configuration',
      ),
    ]);
  }
  if (shown.samples.length === 0) {
    return welcome('There is no sample yet: a file of claims, such as jane.claims.json.', [
      button(
        { key: 'newSample', class: 'main', click: () => send({ kind: 'newSample' }) },
        'New Sample…',
      ),
      button({ key: 'paste', click: () => send({ kind: 'paste' }) }, 'Paste Token…'),
    ]);
  }
  return welcome(sentence(shown.problem ?? 'nothing to show yet'), []);
};

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;

const welcome = (text: string, actions: readonly Content[]): Content =>
  element('div', { class: 'welcome' }, element('p', {}, text), ...actions);

const verdictWords = {
  accepted: 'Authenticated',
  rejected: 'Refused',
  noOpinion: 'Not for any authenticator',
} as const;
const verdictSigns = { accepted: '✓', rejected: '✗', noOpinion: '○' } as const;

const card = (row: ShownRow, index: number): Content => {
  const heading = `card-${index}`;
  return element(
    'article',
    { class: `card ${row.verdict}`, 'aria-labelledby': heading },
    element(
      'h2',
      { id: heading },
      element('span', { class: 'verdict-sign', 'aria-hidden': 'true' }, verdictSigns[row.verdict]),
      ` ${row.sample}`,
      element('span', { class: 'verdict' }, ` ${verdictWords[row.verdict].toLowerCase()}`),
    ),
    row.user === undefined ? refusal(row, index) : identity(row.user, row, index),
    row.acting !== undefined && acting(row.acting),
    row.steps.length > 0 && steps(row, index),
    element(
      'p',
      { class: 'actions' },
      button({ key: `copy.${index}`, click: ask('copy', index) }, 'Copy as CLI Command'),
      button({ key: `yaml.${index}`, click: ask('yaml', index) }, 'Show as YAML'),
    ),
  );
};

const ask = (kind: 'copy' | 'yaml' | 'goToRefusal', row: number) => (): void => {
  if (state !== undefined) send({ kind, row, number: state.number });
};

const askAt =
  (kind: 'goToStep' | 'goToSource' | 'apply', row: number, index: number) => (): void => {
    if (state !== undefined) send({ kind, row, index, number: state.number });
  };

const identity = (user: UserRow, row: ShownRow, card: number): Content =>
  element(
    'dl',
    { class: 'user' },
    part('Username', [user.username], 'username', row, card),
    user.uid !== '' && part('UID', [user.uid], 'uid', row, card),
    part('Groups', user.groups, 'groups', row, card),
    user.extra.map(({ key, values }) => part(key, values, `extra.${key}`, row, card)),
  );

const part = (
  name: string,
  values: readonly string[],
  source: string,
  { sources }: ShownRow,
  card: number,
): Content => {
  const index = sources.findIndex((each) => each.part === source);
  const line = sources[index]?.line;
  const origin = line !== undefined && [
    ' ',
    button(
      {
        key: `source.${card}.${source}`,
        class: 'line',
        click: askAt('goToSource', card, index),
        'aria-label': `${name} comes from L${line}`,
      },
      `L${line}`,
    ),
  ];
  return [
    element('dt', {}, name, origin),
    values.length === 0
      ? element('dd', { class: 'nothing' }, 'none')
      : values.map((value) => element('dd', {}, value)),
  ];
};

const refusal = (row: ShownRow, card: number): Content =>
  element(
    'div',
    { class: 'refusal' },
    element(
      'p',
      {},
      row.code !== undefined && [element('code', {}, row.code), ' '],
      row.message ?? row.headline,
      row.line !== undefined && [
        ' ',
        button(
          {
            key: `refusal.${card}`,
            class: 'line',
            click: ask('goToRefusal', card),
            'aria-label': `Refused by L${row.line}`,
          },
          `L${row.line}`,
        ),
      ],
    ),
    row.whyNot.length > 0 && [
      element('h3', {}, 'Why not?'),
      element(
        'ul',
        { class: 'why-not' },
        row.whyNot.map((text, index) =>
          element(
            'li',
            {},
            `Accepted ${text}. `,
            button(
              {
                key: `apply.${card}.${index}`,
                click: askAt('apply', card, index),
                'aria-label': `Try It: ${text}, as a sample in memory`,
              },
              'Try It',
            ),
          ),
        ),
      ),
    ],
  );

const acting = ({ allowed, user, message, questions }: NonNullable<ShownRow['acting']>): Content =>
  element(
    'div',
    { class: allowed ? 'acting' : 'acting refusal' },
    element('h3', {}, allowed ? `Acts as ${user?.username ?? ''}` : 'May not act as this user'),
    user !== undefined && element('p', {}, `Groups: ${user.groups.join(', ') || 'none'}`),
    message !== undefined && element('p', {}, message),
    element(
      'ul',
      {},
      questions.map((question) =>
        element(
          'li',
          { class: question.allowed ? 'passed' : 'failed' },
          `${question.allowed ? '✓' : '✗'} ${question.text}`,
          question.reason !== '' && element('span', { class: 'detail' }, ` ${question.reason}`),
        ),
      ),
    ),
  );

const outcomeSigns = { passed: '✓', failed: '✗', skipped: '–', value: '=', note: '·' } as const;

const steps = (row: ShownRow, card: number): Content => [
  element('h3', {}, 'Why'),
  element(
    'ol',
    { class: 'steps' },
    row.steps.map((step, index) =>
      element(
        'li',
        {
          class: step.outcome,
          ...(index === row.stepAtCursor ? { 'aria-current': 'step' } : {}),
        },
        stepLine(step, card, index),
        step.value !== undefined && element('p', { class: 'value' }, `→ ${step.value}`),
        step.values.length > 0 &&
          element(
            'details',
            { key: `values.${card}.${index}` },
            element('summary', { key: `values.${card}.${index}.summary` }, 'Values seen'),
            element(
              'dl',
              { class: 'values' },
              step.values.map(({ expression, value }) => [
                element('dt', {}, expression),
                element('dd', {}, value),
              ]),
            ),
          ),
      ),
    ),
  ),
];

const stepLine = (step: ShownStep, card: number, index: number): Content => {
  const text = [
    element('span', { class: 'sign', 'aria-hidden': 'true' }, outcomeSigns[step.outcome]),
    ` ${step.what}`,
    step.outcome === 'failed' && element('span', { class: 'unseen' }, ', failed'),
    step.detail !== undefined && element('span', { class: 'detail' }, `: ${step.detail}`),
    step.line !== undefined && element('span', { class: 'line' }, ` L${step.line}`),
  ];
  return step.line === undefined
    ? element('p', { class: 'step' }, text)
    : button(
        { key: `step.${card}.${index}`, class: 'step', click: askAt('goToStep', card, index) },
        text,
      );
};

const impersonation = ({ as }: WhoamiState): Content => {
  const fields = { username: as.username, uid: as.uid, groups: as.groups, extra: as.extra };
  const field = (name: keyof typeof fields, label: string, hint: string): Content => {
    const input = element('input', { key: `as.${name}`, id: `as-${name}` });
    input.value = fields[name];
    input.placeholder = hint;
    input.spellcheck = false;
    input.addEventListener('change', () => {
      fields[name] = input.value;
      send({ kind: 'as', as: { ...fields } });
    });
    const caption = element('label', {}, label);
    caption.htmlFor = `as-${name}`;
    return [caption, input];
  };
  const made = element(
    'details',
    { key: 'as', class: 'as' },
    element('summary', { key: 'as.summary' }, 'Act as somebody else'),
    element(
      'div',
      { class: 'fields' },
      field('username', 'User', 'system:serviceaccount:ci:deployer'),
      field('groups', 'Groups', 'developers, operators'),
      field('uid', 'UID', ''),
      field('extra', 'Extra', 'example.com/tenant=acme'),
    ),
  );
  if (as.username !== '') made.open = true;
  return made;
};

send({ kind: 'ready' });
