/** Says whose claims a page shows, and lets its reader choose. */
import { button, type Content, element } from './element.ts';

/** `undefined`: there is no current sample. */
export const sampleButton = (name: string | undefined, click: () => void): Content =>
  button(
    { key: 'select', class: 'sample', click, title: 'Select Sample' },
    `◉ ${name ?? 'no sample'}`,
    element('span', { 'aria-hidden': 'true' }, ' ▾'),
  );
