/** Creates DOM elements. All text is set as text, never as markup. */

export type Content = Node | string | undefined | false | readonly Content[];

export interface Attributes {
  readonly class?: string;
  /** Identifies the element across redraws, so that the focus can be restored. */
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

/** Returns a button that goes to a line, such as `L16`. */
export const lineButton = ({
  key,
  line,
  label,
  click,
}: {
  readonly key: string;
  readonly line: number;
  readonly label: string;
  readonly click: () => void;
}): HTMLButtonElement => button({ key, class: 'line', click, 'aria-label': label }, `L${line}`);

/** Redraws a page, preserving focus, caret, scroll position and expanded details. */
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
  const element = page.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (element instanceof HTMLElement || element instanceof SVGElement) {
    element.focus({ preventScroll: true });
  }
  return element;
};

/** Key of the last focused element, which regains the focus when it is drawn again. */
let lastFocusedKey: string | null = null;

/**
 * Restores the focus inside the page: when a picker closes, VS Code returns the focus to the page
 * as a whole. A pointer press sets the focus itself.
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

/** Announces text to screen readers; repeated text is not announced again. */
export const announce = (text: string): void => {
  const place = document.getElementById('announcement');
  if (place !== null && place.textContent !== text) place.textContent = text;
};
