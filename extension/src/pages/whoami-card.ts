/** A card of the whoami page: the user of a sample, or the reason for a rejection. */
import type { UserRow } from '@authgraph/language-server/protocol';
import type { ShownRow } from '../messages/whoami.ts';
import { button, type Content, element } from './element.ts';
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
  | { readonly kind: 'goToRefusal' | 'copy' | 'yaml' };

export const verdictWords = {
  accepted: 'Authenticated',
  rejected: 'Rejected',
  noOpinion: 'No matching authenticator',
} as const;

export const card = (shown: Card): Content => {
  const { row, index } = shown;
  const heading = `card-${index}`;
  return element(
    'article',
    { class: `card ${row.verdict}`, 'aria-labelledby': heading },
    element(
      'h2',
      { id: heading },
      element('span', { class: 'verdict-sign', 'aria-hidden': 'true' }, verdictSigns[row.verdict]),
      ` ${row.sample}`,
      row.configuration !== undefined && ` · ${row.configuration}`,
      element('span', { class: 'verdict' }, ` ${verdictText(row)}`),
    ),
    row.warning !== undefined && element('p', { class: 'problem' }, row.warning),
    row.verdict !== 'accepted' && refusal(shown),
    row.warning !== undefined && row.user !== undefined && element('h3', {}, 'Claims only'),
    row.user !== undefined && identity(row.user, shown),
    row.acting !== undefined && acting(row.acting),
    row.steps.length > 0 && steps(shown),
    element(
      'p',
      { class: 'actions' },
      button(
        { key: `copy.${index}`, click: () => shown.act({ kind: 'copy' }) },
        'Copy as CLI Command',
      ),
      button({ key: `yaml.${index}`, click: () => shown.act({ kind: 'yaml' }) }, 'Show as YAML'),
    ),
  );
};

/** Returns the verdict; for a rejection by a rule, including the rule's message. */
const verdictText = ({ verdict, headline, sample }: ShownRow): string =>
  verdict === 'rejected' && headline.startsWith(`${sample} `)
    ? headline.slice(sample.length + 1)
    : verdictWords[verdict].toLowerCase();

const verdictSigns = { accepted: '✓', rejected: '✗', noOpinion: '○' } as const;

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
    button(
      {
        key: `source.${card}.${source}`,
        class: 'line',
        click: () => act({ kind: 'goToSource', index }),
        'aria-label': `${name} comes from L${line}`,
      },
      `L${line}`,
    ),
  ];
  return [
    element('dt', {}, name, origin),
    values.length === 0
      ? element('dd', { class: 'nothing' }, 'none')
      : values.map((value) => element('dd', values.length > 1 ? { class: 'several' } : {}, value)),
  ];
};

const refusal = ({ row, index: card, act }: Card): Content =>
  element(
    'div',
    { class: 'refusal' },
    element(
      'p',
      {},
      row.message ?? row.headline,
      row.code !== undefined && [' ', element('code', {}, row.code)],
      row.line !== undefined && [
        ' ',
        button(
          {
            key: `refusal.${card}`,
            class: 'line',
            click: () => act({ kind: 'goToRefusal' }),
            'aria-label': `Rejected by L${row.line}`,
          },
          `L${row.line}`,
        ),
      ],
    ),
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
