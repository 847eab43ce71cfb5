/** The nodes of the pictures: keyboard, focus, and the details of the hovered or focused one. */
import type { GraphState, ShownPicture } from '../messages/graph.ts';
import { element, redraw } from './element.ts';

type ShownNode = ShownPicture['nodes'][number];

/** Makes a node of a picture usable. `go` is called to go to its line. */
export const followNode = (
  drawn: Element,
  { nodes }: ShownPicture,
  { picture, go }: { readonly picture: number; readonly go: (node: string) => void },
): void => {
  const id = drawn.getAttribute('data-node') ?? '';
  const node = nodes.find((each) => each.id === id);
  if (node === undefined) return;
  // Pictures share node IDs, so the key includes the picture.
  drawn.setAttribute('data-key', `node.${picture}.${id}`);
  const showNode = (): void => {
    detailsNode = { picture, node: id };
    showDetails(node);
  };
  drawn.addEventListener('mouseenter', showNode);
  drawn.addEventListener('focus', () => {
    setTabStop(drawn);
    showNode();
  });
  drawn.addEventListener('click', () => go(id));
  drawn.addEventListener('keydown', (event) => {
    if (!(event instanceof KeyboardEvent)) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      go(id);
    }
    const target = drawn instanceof SVGElement ? targetOf(event.key, drawn) : undefined;
    if (target === undefined) return;
    event.preventDefault();
    target.focus();
  });
};

/** Returns the node that a key moves to. */
const targetOf = (key: string, from: SVGElement): SVGElement | undefined => {
  const all = allNodes();
  const at = all.indexOf(from);
  switch (key) {
    case 'ArrowDown':
    case 'ArrowRight':
      return all[at + 1];
    case 'ArrowUp':
    case 'ArrowLeft':
      return all[at - 1];
    case 'Home':
      return all[0];
    case 'End':
      return all.at(-1);
    default:
      return undefined;
  }
};

export const allNodes = (): readonly SVGElement[] => [
  ...document.querySelectorAll<SVGElement>('.picture [data-node]'),
];

/** Returns whether the focus is on a node. */
export const isWalking = (): boolean => document.activeElement?.hasAttribute('data-node') === true;

/**
 * Makes one node reachable with Tab, and the others from it with the arrow keys: by default the
 * focused one, or the start of the path.
 */
export const setTabStop = (node?: Element): void => {
  const all = allNodes();
  const stop = node ?? (isWalking() ? document.activeElement : all[0]);
  for (const each of all) each.setAttribute('tabindex', each === stop ? '0' : '-1');
};

/** The node whose details are shown. */
let detailsNode: { readonly picture: number; readonly node: string } | undefined;

/** Updates the details after a redraw. */
export const refreshDetails = ({ pictures }: GraphState): void => {
  if (detailsNode === undefined) return;
  const { picture, node } = detailsNode;
  const shownNode = pictures[picture]?.nodes.find(({ id }) => id === node);
  if (shownNode !== undefined) showDetails(shownNode);
};

const showDetails = ({ label, details, line }: ShownNode): void => {
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

export const nodeElement = (picture: number, node: string): SVGElement | null | undefined =>
  document
    .querySelectorAll('.picture')
    [picture]?.querySelector<SVGElement>(`[data-node="${CSS.escape(node)}"]`);
