/** The graph page: the picture, and the details of the hovered or focused node. */
import { debounce } from '../debounce.ts';
import {
  type CursorState,
  type GraphAction,
  type GraphState,
  isGraphMessage,
  type ShownPicture,
} from '../messages/graph.ts';
import { announce, button, type Content, element, redraw, returnFocus } from './element.ts';
import { connect } from './host.ts';
import { pngOf } from './png.ts';
import { safeSvg } from './safe-svg.ts';
import { sampleButton } from './sample-button.ts';

let state: GraphState | undefined;

/** Whether the picture is scaled to fit the view; otherwise it is readable and scrolls. */
let isWhole = false;

const send: (act: GraphAction) => void = connect((message) => {
  if (!isGraphMessage(message)) return;
  if (message.kind === 'state') {
    const isOtherSample = state === undefined || state.sample !== message.sample;
    state = message;
    draw(message);
    if (isOtherSample) showFailure();
  } else if (message.kind === 'cursor') markCursor(message);
  else void sendPng(message.picture);
});

const sendPng = async (picture: number): Promise<void> => {
  const drawn = pictureElement(picture)?.querySelector('svg');
  const bytes = drawn instanceof SVGSVGElement ? await pngOf(drawn) : undefined;
  if (bytes !== undefined) send({ kind: 'png', bytes });
};

const draw = (shown: GraphState): void => {
  const page = document.getElementById('page');
  if (page === null) return;
  const scrolled = [...document.querySelectorAll('.drawing')].map((each) => each.scrollLeft);
  redraw(page, [
    toolbar(shown),
    shown.problem !== undefined && element('p', { class: 'problem' }, shown.problem),
    shown.isStale && element('p', { class: 'detail' }, 'As of before your edit'),
    element(
      'div',
      { class: shown.isStale ? 'stale' : 'current' },
      shown.pictures.map((each, index) => picture(each, index)),
    ),
    element('aside', { id: 'details', 'aria-label': 'Details' }),
  ]);
  document.querySelectorAll('.drawing').forEach((each, index) => {
    each.scrollLeft = scrolled[index] ?? 0;
  });
  refreshDetails(shown);
  announce(shown.problem ?? shown.pictures.map(({ title }) => title).join(', '));
};

/** Whether the page scrolled to a rejecting node; it scrolls back when the sample is accepted. */
let isAtFailure = false;

/** Scrolls to the node that rejects the sample when the graph opens or the sample changes. */
const showFailure = (): void => {
  const isMotionReduced =
    document.body.classList.contains('vscode-reduce-motion') ||
    window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  const failed = document.querySelector('.picture [data-node].failed');
  const shown = failed ?? (isAtFailure ? document.querySelector('.picture .lit[data-node]') : null);
  isAtFailure = failed !== null;
  shown?.scrollIntoView({
    block: 'nearest',
    inline: 'nearest',
    behavior: isMotionReduced ? 'instant' : 'smooth',
  });
};

/** Scrolls again after the size of the view or of its font changed. */
const showFailureAgain = debounce(() => {
  const isWalking = document.activeElement?.hasAttribute('data-node') === true;
  if (isAtFailure && !isWalking) showFailure();
}, 150);

window.addEventListener('resize', () => showFailureAgain());

const toolbar = ({ sample, file }: GraphState): Content =>
  element(
    'header',
    { class: 'toolbar' },
    sampleButton(sample, () => send({ kind: 'select' })),
    button(
      {
        key: 'whole',
        'aria-pressed': String(isWhole),
        click: () => {
          isWhole = !isWhole;
          if (state !== undefined) draw(state);
        },
      },
      'Fit to View',
    ),
    button({ key: 'text', click: () => send({ kind: 'text' }) }, 'Show as Text'),
    button({ key: 'export', click: () => send({ kind: 'export' }) }, 'Export…'),
    button({ key: 'copy', click: () => send({ kind: 'copy' }) }, 'Copy as CLI Command'),
    file !== undefined && element('span', { class: 'file' }, file),
  );

/** Fraction of the picture's natural size at which it is still readable. */
const readableScale = 0.85;

const picture = (shown: ShownPicture, index: number): Content => {
  const drawn = safeSvg(shown.svg);
  if (drawn === undefined) return section(shown, element('pre', {}, shown.text));
  drawn.style.minWidth = isWhole ? '0' : `${drawn.width.baseVal.value * readableScale}px`;
  for (const node of drawn.querySelectorAll('[data-node]')) follow(node, shown, index);
  return section(shown, element('div', { class: 'drawing' }, drawn));
};

/**
 * Returns a section even if the picture cannot be drawn, because pictures are indexed by position.
 */
const section = ({ title }: ShownPicture, content: Content): Content =>
  element('section', { class: 'picture', 'aria-label': title }, element('h2', {}, title), content);

const follow = (drawn: Element, { nodes }: ShownPicture, picture: number): void => {
  const id = drawn.getAttribute('data-node') ?? '';
  const node = nodes.find((each) => each.id === id);
  if (node === undefined) return;
  // Pictures share node IDs, so the key includes the picture.
  drawn.setAttribute('data-key', `node.${picture}.${id}`);
  const showNode = (): void => {
    detailsNode = { picture, node: id };
    showDetails(node);
  };
  const go = (): void => {
    if (state !== undefined) send({ kind: 'goTo', number: state.number, picture, node: id });
  };
  drawn.addEventListener('mouseenter', showNode);
  drawn.addEventListener('focus', showNode);
  drawn.addEventListener('click', go);
  drawn.addEventListener('keydown', (event) => {
    if (!(event instanceof KeyboardEvent)) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      go();
    }
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      focusNeighbor(drawn, step);
    }
  });
};

const focusNeighbor = (from: Element, step: number): void => {
  const all: readonly Element[] = [...document.querySelectorAll('[data-node]')];
  const neighbor = all[all.indexOf(from) + step];
  if (neighbor instanceof SVGElement) neighbor.focus();
};

/** The node whose details are shown. */
let detailsNode: { readonly picture: number; readonly node: string } | undefined;

/** Updates the details after a redraw. */
const refreshDetails = ({ pictures }: GraphState): void => {
  if (detailsNode === undefined) return;
  const { picture, node } = detailsNode;
  const found = pictures[picture]?.nodes.find(({ id }) => id === node);
  if (found !== undefined) showDetails(found);
};

const showDetails = ({ label, details, line }: ShownPicture['nodes'][number]): void => {
  const place = document.getElementById('details');
  if (place === null) return;
  redraw(place, [
    element('h2', {}, label, line !== undefined && element('span', { class: 'line' }, ` L${line}`)),
    element(
      'ul',
      {},
      details.map((detail) => element('li', {}, detail)),
    ),
  ]);
};

const markCursor = ({ picture, node }: CursorState): void => {
  for (const marked of document.querySelectorAll('.at-cursor'))
    marked.classList.remove('at-cursor');
  if (picture !== undefined && node !== undefined) {
    nodeElement(picture, node)?.classList.add('at-cursor');
  }
};

const nodeElement = (picture: number, node: string): SVGElement | null | undefined =>
  pictureElement(picture)?.querySelector<SVGElement>(`[data-node="${CSS.escape(node)}"]`);

const pictureElement = (picture: number): Element | undefined =>
  document.querySelectorAll('.picture')[picture];

returnFocus();
send({ kind: 'ready' });
