/** A card of the whoami page: the user of a sample, or the reason for a rejection. */
import { type UserRow, type Verdict, verdictSigns } from '@authgraph/language-server/protocol';
import type { ShownRow } from '../messages/whoami.ts';
import { button, type Content, element, lineButton } from './element.ts';
import { identifier } from './identifier.ts';
import { acting } from './whoami-acting.ts';
import { steps } from './whoami-steps.ts';

export interface Card {
  readonly row: ShownRow;
  /** Index of the card on the page. */
  readonly index: number;
  act(action: CardAct): void;
}

/** The action of a click; the page adds the index of the card. */
export type CardAct =
  | { readonly kind: 'goToStep' | 'goToSource' | 'apply'; readonly index: number }
  | { readonly kind: 'goToRefusal' | 'copy' | 'yaml' | 'revert' };

export const verdictWords = {
  accepted: 'Authenticated',
  acceptedWithNote: 'Accepted with a note',
  rejected: 'Rejected',
  noOpinion: 'No matching authenticator',
  undecided: 'Undecided',
} as const satisfies Record<Verdict, string>;

export const card = (shown: Card): Content => {
  const { row, index } = shown;
  const heading = `card-${index}`;
  return element(
    'article',
    { class: `card ${row.verdict}`, 'aria-labelledby': heading },
    title(row, { id: heading }),
    ...result(shown),
    row.stale !== undefined && stale(row.stale),
    row.verdict !== 'undecided' && actions(shown),
  );
};

const title = (
  { verdict, sample, configuration }: ShownRow,
  attributes: { readonly id?: string },
): Content =>
  element(
    'h2',
    attributes,
    element('span', { class: 'verdict-sign', 'aria-hidden': 'true' }, `${verdictSigns[verdict]} `),
    sample,
    configuration !== undefined && ` · ${configuration}`,
    element('span', { class: 'verdict' }, ` ${verdictWords[verdict].toLowerCase()}`),
  );

/**
 * Returns the result: the reason and what would be accepted, the user, and folded, how it came
 * about.
 */
const result = (shown: Card): readonly Content[] => {
  const { row } = shown;
  const isToken = row.warning !== undefined;
  return [
    isToken && element('p', { class: 'problem' }, row.warning, reasonLine(shown)),
    row.caution !== undefined && element('p', { class: 'caution' }, row.caution, reasonLine(shown)),
    row.asIf !== undefined &&
      row.verdict !== 'undecided' &&
      element('p', { class: 'detail' }, `${row.asIf.charAt(0).toUpperCase()}${row.asIf.slice(1)}`),
    row.reason !== undefined && refusal(shown),
    isToken &&
      element(
        'h3',
        {},
        row.user === undefined
          ? 'Its claims alone would be rejected, too'
          : 'Its claims alone would be',
      ),
    row.user !== undefined && identity(row.user, shown),
    row.acting !== undefined && acting(row.acting),
    row.steps.length > 0 && steps(shown),
    serverLog(shown),
  ];
};

/** Returns the last answer before an edit, which no action refers to. */
const stale = ({ title: heading, row }: NonNullable<ShownRow['stale']>): Content =>
  element(
    'section',
    { class: 'stale', 'aria-label': heading },
    element('h3', {}, heading),
    title(row, {}),
    ...result({ row, index: -1, act: () => undefined }),
  );

const actions = ({ index, act }: Card): Content =>
  element(
    'p',
    { class: 'actions' },
    button({ key: `copy.${index}`, click: () => act({ kind: 'copy' }) }, 'Copy as CLI Command'),
    button({ key: `yaml.${index}`, click: () => act({ kind: 'yaml' }) }, 'Show as YAML'),
  );

const identity = (user: UserRow, card: Card): Content =>
  element(
    'dl',
    { class: 'user' },
    part('Username', [user.username], 'username', card),
    user.uid !== '' && part('UID', [user.uid], 'uid', card),
    part('Groups', user.groups, 'groups', card),
    user.extra.map(({ key, values }) => part(key, values, `extra.${key}`, card)),
  );

const part = (
  name: string,
  values: readonly string[],
  source: string,
  { row: { sources }, index: card, act }: Card,
): Content => {
  const index = sources.findIndex((each) => each.part === source);
  const line = sources[index]?.line;
  const origin = line !== undefined && [
    ' ',
    lineButton({
      key: `source.${card}.${source}`,
      line,
      label: `${name} comes from L${line}`,
      click: () => act({ kind: 'goToSource', index }),
    }),
  ];
  return element(
    'div',
    { class: values.length > 1 ? 'part several' : 'part' },
    element('dt', {}, name, origin),
    values.length === 0
      ? element('dd', { class: 'nothing' }, 'none')
      : values.map((value) => element('dd', {}, identifier(value))),
  );
};

/** Returns the reason in a few words, and what would be accepted. */
const refusal = (shown: Card): Content => {
  const { row, index: card, act } = shown;
  return element(
    'div',
    { class: 'refusal' },
    // The reason of a token is in its warning.
    row.warning === undefined && element('p', { class: 'reason' }, row.reason, reasonLine(shown)),
    row.acceptedWhenSaved &&
      element(
        'p',
        { class: 'revert' },
        'The saved file accepts this sample, your unsaved edits reject it. ',
        button({ key: `revert.${card}`, click: () => act({ kind: 'revert' }) }, 'Revert File'),
      ),
    row.closest !== undefined && [
      element('h3', {}, 'Closest accepted sample'),
      element('p', { class: 'closest' }, `${row.closest}.`),
    ],
    row.whyNot.length > 0 && [
      element('h3', {}, 'What would be accepted'),
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
                click: () => act({ kind: 'apply', index }),
                'aria-label': `Try It: ${text}, as a sample in memory`,
              },
              'Try It',
            ),
          ),
        ),
      ),
    ],
  );
};

/** Returns kube-apiserver's own message about a rejection, folded. */
const serverLog = ({ row: { message, code }, index }: Card): Content =>
  message !== undefined &&
  element(
    'details',
    { key: `log.${index}`, class: 'log' },
    element('summary', { key: `log.${index}.summary` }, 'Server log'),
    element('p', {}, message, ' ', element('code', {}, code)),
  );

/** Returns a button that goes to the place of the reason. */
const reasonLine = ({ row, index, act }: Card): Content =>
  row.line !== undefined && [
    ' ',
    lineButton({
      key: `refusal.${index}`,
      line: row.line,
      label: `${verdictWords[row.verdict]} because of L${row.line}`,
      click: () => act({ kind: 'goToRefusal' }),
    }),
  ];
