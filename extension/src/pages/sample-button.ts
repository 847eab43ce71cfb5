/** A button that shows the current sample and opens the picker. */
import { button, type Content, element } from './element.ts';

/** `name` is undefined if there is no current sample. */
export const sampleButton = (name: string | undefined, click: () => void): Content =>
  button(
    { key: 'select', class: 'sample', click, title: 'Select Sample' },
    `◉ ${name ?? 'no sample'}`,
    element('span', { 'aria-hidden': 'true' }, ' ▾'),
  );
