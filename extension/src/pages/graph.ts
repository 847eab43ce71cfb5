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
import { findBox, markFound } from './graph-find.ts';
import { followNode, isWalking, nodeElement, refreshDetails, setTabStop } from './graph-nodes.ts';
import { followPointer, zoomButtons, zoomKeys } from './graph-zoom.ts';
import { connect } from './host.ts';
import { pngOf } from './png.ts';
import { safeSvg } from './safe-svg.ts';
import { sampleButton } from './sample-button.ts';

let state: GraphState | undefined;

const send: (act: GraphAction) => void = connect((message) => {
  if (!isGraphMessage(message)) return;
  if (message.kind === 'state') {
    state = message;
    draw(message);
    showPathOnce(message);
  } else if (message.kind === 'cursor') markCursor(message);
  else void sendPng(message.picture);
});

const sendPng = async (picture: number): Promise<void> => {
  const drawn = document.querySelectorAll('.picture')[picture]?.querySelector('svg');
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
  setTabStop();
  markFound();
  refreshDetails(shown);
  announce(shown.problem ?? shown.pictures.map(({ title }) => title).join(', '));
};

/** What the page has scrolled to: a sample in a file, drawn in a direction. */
let shownPath: string | undefined;

/** Scrolls to the path when the graph opens and when it is that of another sample. */
const showPathOnce = ({ file, sample }: GraphState): void => {
  const first = document.querySelector('.picture svg');
  if (first === null) return;
  const path = JSON.stringify([file, sample, isDown(first)]);
  if (path !== shownPath) showPath();
  shownPath = path;
};

/** Returns whether the picture is drawn from top to bottom. */
const isDown = (drawn: Element): boolean => drawn.classList.contains('down');

/** Scrolls to the start of the path, and on to the node that rejects the sample. */
const showPath = (): void => {
  const { offsetHeight = 0 } = document.querySelector<HTMLElement>('.toolbar') ?? {};
  document.documentElement.style.scrollPaddingTop = `${offsetHeight + margin}px`;
  const start = document.querySelector('.picture [data-node="request"].lit');
  const drawn = start?.closest('svg') ?? undefined;
  if (drawn !== undefined) {
    start?.scrollIntoView({ block: isDown(drawn) ? 'start' : 'center', inline: 'nearest' });
  }
  document
    .querySelector('.picture [data-node].failed')
    ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
};

/** Pixels between the toolbar and what is below it. */
const margin = 8;

/** Draws for the new width, and scrolls again if the view or its font changed its size. */
const resized = debounce(() => {
  sendWidth();
  if (document.querySelector('.picture .failed') !== null && !isWalking()) showPath();
}, 150);

window.addEventListener('resize', () => resized());

/** The width is rounded, so that a small change requests no other picture. */
const sendWidth = (): void => {
  const width = document.getElementById('page')?.clientWidth ?? 0;
  if (width > 0) send({ kind: 'width', width: Math.floor(width / widthStep) * widthStep });
};

const widthStep = 10;

const toolbar = ({ sample, file }: GraphState): Content =>
  element(
    'header',
    { class: 'toolbar' },
    sampleButton(sample, () => send({ kind: 'select' })),
    zoomButtons(),
    findBox(),
    moreMenu(),
    file !== undefined && element('span', { class: 'file' }, file),
  );

const moreMenu = (): Content => {
  const item = (kind: 'text' | 'export' | 'copy', text: string): Content =>
    button(
      {
        key: kind,
        click: () => {
          menu.open = false;
          send({ kind });
        },
      },
      text,
    );
  const menu = element(
    'details',
    { key: 'more', class: 'more' },
    element('summary', { key: 'more.summary' }, 'More'),
    element(
      'div',
      { class: 'menu' },
      item('text', 'Show as Text'),
      item('export', 'Export…'),
      item('copy', 'Copy as CLI Command'),
    ),
  );
  return menu;
};

const picture = (shown: ShownPicture, index: number): Content => {
  const drawn = safeSvg(shown.svg);
  if (drawn === undefined) return section(shown, element('pre', {}, shown.text));
  // A picture of a few boxes is not enlarged to the width of the page.
  drawn.style.setProperty('--width', `${drawn.width.baseVal.value}px`);
  for (const node of drawn.querySelectorAll('[data-node]')) {
    followNode(node, shown, {
      picture: index,
      go: (id) => {
        if (state !== undefined)
          send({ kind: 'goTo', number: state.number, picture: index, node: id });
      },
    });
  }
  const drawing = element('div', { class: 'drawing' }, drawn);
  followPointer(drawing);
  return section(shown, drawing);
};

/**
 * Returns a section even if the picture cannot be drawn, because pictures are indexed by position.
 */
const section = ({ title }: ShownPicture, content: Content): Content =>
  element('section', { class: 'picture', 'aria-label': title }, element('h2', {}, title), content);

const markCursor = ({ picture: index, node }: CursorState): void => {
  for (const marked of document.querySelectorAll('.at-cursor'))
    marked.classList.remove('at-cursor');
  if (index !== undefined && node !== undefined) {
    nodeElement(index, node)?.classList.add('at-cursor');
  }
};

returnFocus();
zoomKeys();
sendWidth();
send({ kind: 'ready' });
