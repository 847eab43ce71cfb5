/** Finds nodes of the pictures by their text. */
import { announce, type Content, element } from './element.ts';
import { allNodes } from './graph-nodes.ts';

/** What is looked for. It remains when the page is redrawn. */
let query = '';

export const findBox = (): Content => {
  const input = element('input', {
    key: 'find',
    class: 'find',
    title: 'Find (/)',
    'aria-label': 'Find Authenticator or Step',
  });
  input.type = 'search';
  input.placeholder = 'Find';
  input.spellcheck = false;
  input.value = query;
  input.addEventListener('input', () => {
    query = input.value;
    markFound();
    announceFound();
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      query = '';
      input.value = '';
      markFound();
      allNodes()
        .find((node) => node.getAttribute('tabindex') === '0')
        ?.focus();
    }
    if (event.key !== 'Enter') return;
    event.preventDefault();
    showNext(event.shiftKey ? -1 : 1);
  });
  return input;
};

export const focusFind = (): void => {
  const input = document.querySelector<HTMLInputElement>('input.find');
  input?.focus();
  input?.select();
};

/** Returns whether keys are text. */
export const isTyping = (): boolean => document.activeElement instanceof HTMLInputElement;

/** Marks the nodes whose text contains what is looked for. */
export const markFound = (): void => {
  const wanted = query.trim().toLowerCase();
  for (const node of allNodes()) {
    const text = node.getAttribute('aria-label')?.toLowerCase() ?? '';
    node.classList.toggle('found', wanted !== '' && text.includes(wanted));
    node.classList.remove('found-now');
  }
};

const matchingNodes = (): readonly SVGElement[] =>
  allNodes().filter((node) => node.classList.contains('found'));

const announceFound = (): void => {
  if (query.trim() !== '') announce(`${matchingNodes().length} found`);
};

/** Scrolls to the next found node; the focus stays, so that Enter goes on. */
const showNext = (step: 1 | -1): void => {
  const all = matchingNodes();
  if (all.length === 0) {
    announceFound();
    return;
  }
  const at = all.findIndex((node) => node.classList.contains('found-now'));
  const start = step === 1 ? -1 : 0;
  const next = ((at < 0 ? start : at) + step + all.length) % all.length;
  all[at]?.classList.remove('found-now');
  const node = all[next];
  node?.classList.add('found-now');
  node?.scrollIntoView({ block: 'center', inline: 'center' });
  node?.dispatchEvent(new MouseEvent('mouseenter'));
  announce(`${next + 1} of ${all.length}: ${node?.getAttribute('aria-label') ?? ''}`);
};
