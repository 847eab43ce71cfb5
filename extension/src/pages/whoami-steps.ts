/** The steps of a sample through the graph, with the evaluated values. */
import { outcomeSigns, type ShownRow, type ShownStep, stepText } from '../messages/whoami.ts';
import { button, type Content, element } from './element.ts';

interface StepsCard {
  readonly row: Pick<ShownRow, 'steps' | 'stepAtCursor'>;
  /** Index of the card on the page. */
  readonly index: number;
  act(action: { readonly kind: 'goToStep'; readonly index: number }): void;
}

/** Returns the steps, folded: the card starts with what they lead to. */
export const steps = (card: StepsCard): Content =>
  element(
    'details',
    { key: `steps.${card.index}` },
    element('summary', { key: `steps.${card.index}.summary` }, `Steps (${card.row.steps.length})`),
    element(
      'ol',
      { class: 'steps' },
      card.row.steps.map((step, index) => stepItem(step, card, index)),
    ),
  );

const stepItem = (step: ShownStep, card: StepsCard, index: number): Content =>
  element(
    'li',
    {
      class: step.outcome,
      ...(index === card.row.stepAtCursor ? { 'aria-current': 'step' } : {}),
    },
    stepLine(step, card, index),
    step.value !== undefined && element('p', { class: 'value' }, `→\u00a0${step.value}`),
    step.values.length > 0 &&
      element(
        'details',
        { key: `values.${card.index}.${index}` },
        element('summary', { key: `values.${card.index}.${index}.summary` }, 'Evaluated values'),
        element(
          'dl',
          { class: 'values' },
          step.values.map(({ expression, value }) => [
            element('dt', {}, expression),
            element('dd', {}, value),
          ]),
        ),
      ),
  );

const stepLine = (step: ShownStep, card: StepsCard, index: number): Content => {
  const { what, detail, line, outcome } = stepText(step);
  const text = [
    element('span', { class: 'sign', 'aria-hidden': 'true' }, `${outcomeSigns[step.outcome]} `),
    what,
    detail !== '' && element('span', { class: 'detail' }, detail),
    line !== '' && element('span', { class: 'line' }, line),
  ];
  return step.line === undefined
    ? element('p', { class: 'step' }, text, element('span', { class: 'unseen' }, outcome))
    : button(
        {
          key: `step.${card.index}.${index}`,
          class: 'step',
          click: () => card.act({ kind: 'goToStep', index }),
          'aria-label': `${what}${detail}${line}${outcome}`,
        },
        text,
      );
};
