/** Elements made of data. Every text is set as text, never as markup. */

export type Content = Node | string | undefined | false | readonly Content[];

export interface Attributes {
  readonly class?: string;
  /** Stays the same from one drawing to the next, so that the focus can. */
  readonly key?: string;
  readonly click?: () => void;
  readonly [attribute: `aria-${string}`]: string;
  readonly role?: string;
  readonly title?: string;
  readonly id?: string;
}

export const element = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes,
  ...content: readonly Content[]
): HTMLElementTagNameMap[Tag] => {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value !== 'string') continue;
    created.setAttribute(name === 'key' ? 'data-key' : name, value);
  }
  if (attributes.click !== undefined) created.addEventListener('click', attributes.click);
  append(created, content);
  return created;
};

const append = (parent: Element, content: Content): void => {
  if (content === undefined || content === false) return;
  if (typeof content === 'string' || content instanceof Node) parent.append(content);
  else for (const each of content) append(parent, each);
};

export const button = (
  attributes: Attributes & { readonly key: string },
  ...content: readonly Content[]
): HTMLButtonElement => {
  const created = element('button', attributes, ...content);
  created.type = 'button';
  return created;
};

/** Draws a page anew; focus, selection in a field and what was unfolded stay. */
export const redraw = (page: Element, content: readonly Content[]): void => {
  const focused = document.activeElement;
  const isLost = focused === document.body && document.hasFocus();
  const key = isLost ? lastFocusedKey : focused?.getAttribute('data-key');
  const caret = focused instanceof HTMLInputElement ? focused.selectionStart : undefined;
  const unfolded = [...page.querySelectorAll('details[open]')].map((each) =>
    each.getAttribute('data-key'),
  );
  const scrolled = document.scrollingElement?.scrollTop ?? 0;
  page.replaceChildren();
  append(page, content);
  for (const each of page.querySelectorAll('details')) {
    if (unfolded.includes(each.getAttribute('data-key'))) each.open = true;
  }
  if (document.scrollingElement !== null) document.scrollingElement.scrollTop = scrolled;
  if (key === null || key === undefined) return;
  const again = focusOn(page, key);
  if (again instanceof HTMLInputElement && typeof caret === 'number') {
    again.setSelectionRange(caret, caret);
  }
};

const focusOn = (page: ParentNode, key: string): Element | null => {
  const found = page.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (found instanceof HTMLElement || found instanceof SVGElement) {
    found.focus({ preventScroll: true });
  }
  return found;
};

/** What had the focus last; an element that goes away and comes again has it again. */
let lastFocusedKey: string | null = null;

/**
 * VS Code takes the focus from what has it when a picker opens, and gives it back to the page alone:
 * then it goes on to what had it, unless the pointer says where to go.
 */
export const returnFocus = (): void => {
  document.addEventListener('focusin', ({ target }) => {
    lastFocusedKey = target instanceof Element ? target.getAttribute('data-key') : null;
  });
  document.addEventListener('pointerdown', () => {
    lastFocusedKey = null;
  });
  window.addEventListener('focus', () => {
    if (lastFocusedKey !== null && document.activeElement === document.body)
      focusOn(document, lastFocusedKey);
  });
};

/** Tells people who listen; the same words again are not said twice. */
export const announce = (text: string): void => {
  const place = document.getElementById('said');
  if (place !== null && place.textContent !== text) place.textContent = text;
};
