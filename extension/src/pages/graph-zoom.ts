/** Zoom and pan of the pictures. At 100 % a picture has the width of the page. */
import { announce, button, type Content, element } from './element.ts';
import { focusFind, isTyping } from './graph-find.ts';

let zoom = 1;
const steps = { smallest: 0.25, largest: 4, factor: 1.25 } as const;

export const zoomButtons = (): Content =>
  element(
    'span',
    { class: 'zoom', role: 'group', 'aria-label': 'Zoom' },
    button(
      { key: 'zoom.out', 'aria-label': 'Zoom Out', title: 'Zoom Out (-)', click: zoomOut },
      '−',
    ),
    button({ key: 'zoom.fit', title: 'Fit to Width (0)', click: fit }, percent()),
    button({ key: 'zoom.in', 'aria-label': 'Zoom In', title: 'Zoom In (+)', click: zoomIn }, '+'),
  );

const percent = (): string => `${Math.round(zoom * 100)} %`;

const zoomIn = (): void => setZoom(zoom * steps.factor);
const zoomOut = (): void => setZoom(zoom / steps.factor);
const fit = (): void => setZoom(1);

/** Changes the zoom around a place in the window; without one, around the middle of the window. */
const setZoom = (
  to: number,
  { x, y } = { x: window.innerWidth / 2, y: window.innerHeight / 2 },
): void => {
  zoom = Math.min(steps.largest, Math.max(steps.smallest, Math.abs(to - 1) < 0.01 ? 1 : to));
  const drawings = [...document.querySelectorAll('.drawing')];
  // The picture at the place, or else the last one above it.
  const drawing = drawings.findLast((each) => each.getBoundingClientRect().top <= y) ?? drawings[0];
  const drawn = drawing?.querySelector('svg');
  const before = drawn?.getBoundingClientRect();
  document.documentElement.style.setProperty('--zoom', String(zoom));
  const shown = document.querySelector('[data-key="zoom.fit"]');
  if (shown !== null) shown.textContent = percent();
  announce(`Zoom ${percent()}`);
  const after = drawn?.getBoundingClientRect();
  if (drawing === undefined || before === undefined || after === undefined) return;
  drawing.scrollLeft += ((x - before.left) / before.width) * after.width + after.left - x;
  const down = ((y - before.top) / before.height) * after.height + after.top - y;
  document.scrollingElement?.scrollBy(0, down);
};

/** Zooms and finds with keys, unless the user is typing. */
export const zoomKeys = (): void => {
  document.addEventListener('keydown', (event) => {
    const isCommand = event.ctrlKey || event.metaKey;
    const isFind = isCommand ? event.key === 'f' : event.key === '/';
    if (isTyping() && !(isCommand && isFind)) return;
    const run = isFind ? focusFind : isCommand || event.altKey ? undefined : runs.get(event.key);
    if (run === undefined) return;
    event.preventDefault();
    run();
  });
};

const runs: ReadonlyMap<string, () => void> = new Map([
  ['+', zoomIn],
  ['=', zoomIn],
  ['-', zoomOut],
  ['0', fit],
]);

/** Zooms with Ctrl and the wheel, and pans by dragging. */
export const followPointer = (drawing: HTMLElement): void => {
  drawing.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const factor = event.deltaY < 0 ? steps.factor : 1 / steps.factor;
      setZoom(zoom * factor, { x: event.clientX, y: event.clientY });
    },
    { passive: false },
  );
  drawing.addEventListener('pointerdown', (down) => {
    // Touch pans by itself.
    if (down.pointerType === 'mouse' && down.button === 0) pan(drawing, down);
  });
};

/** Moves the picture with the pointer until its button is released. */
const pan = (drawing: HTMLElement, { pointerId, clientX, clientY }: PointerEvent): void => {
  let last = { x: clientX, y: clientY };
  let isPanning = false;
  const move = (event: PointerEvent): void => {
    if (event.buttons === 0) {
      // The button was released outside the page.
      end();
      return;
    }
    const distance = Math.hypot(event.clientX - clientX, event.clientY - clientY);
    if (!isPanning && distance < minPanDistance) return;
    isPanning = true;
    drawing.setPointerCapture(pointerId);
    drawing.classList.add('panning');
    drawing.scrollLeft -= event.clientX - last.x;
    document.scrollingElement?.scrollBy(0, last.y - event.clientY);
    last = { x: event.clientX, y: event.clientY };
  };
  const end = (): void => {
    for (const name of ['pointerup', 'pointercancel'] as const)
      drawing.removeEventListener(name, end);
    drawing.removeEventListener('pointermove', move);
    drawing.classList.remove('panning');
    if (!isPanning) return;
    // The click that ends a pan does not go to a line.
    const swallow = (event: Event): void => event.stopPropagation();
    drawing.addEventListener('click', swallow, { capture: true, once: true });
    setTimeout(() => drawing.removeEventListener('click', swallow, { capture: true }));
  };
  drawing.addEventListener('pointermove', move);
  drawing.addEventListener('pointerup', end);
  drawing.addEventListener('pointercancel', end);
};

/** Pixels; a shorter movement is a click. */
const minPanDistance = 4;
