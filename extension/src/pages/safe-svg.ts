/** Builds an SVG element from text, copying only shapes and text. */

const elements: ReadonlySet<string> = new Set([
  'circle',
  'defs',
  'desc',
  'ellipse',
  'g',
  'line',
  'marker',
  'path',
  'polygon',
  'polyline',
  'rect',
  'svg',
  'text',
  'title',
  'tspan',
]);

/** Allowed attributes; `href`, `style` and event handlers are not among them. */
const attributes =
  /^(?:aria-[a-z]+|class|cx|cy|d|data-node|dominant-baseline|dx|dy|fill|fill-opacity|font-family|font-size|font-style|font-weight|height|id|marker-(?:end|mid|start)|markerHeight|markerUnits|markerWidth|opacity|orient|points|preserveAspectRatio|r|refX|refY|role|rx|ry|stroke|stroke-[a-z]+|tabindex|text-anchor|transform|viewBox|width|x|x1|x2|y|y1|y2)$/;

/** Returns whether a value contains no URL other than references within the picture. */
const isHarmless = (value: string): boolean => !/url\s*\((?!\s*["']?#)/i.test(value);

export const safeSvg = (text: string): SVGSVGElement | undefined => {
  // Removed up front; otherwise the browser reports a policy violation.
  const plain = text.replace(/<style>[^<]*<\/style>/g, '');
  const read = new DOMParser().parseFromString(plain, 'image/svg+xml').documentElement;
  if (!(read instanceof SVGSVGElement)) return undefined;
  const copy = copyOf(read);
  return copy instanceof SVGSVGElement ? copy : undefined;
};

const copyOf = (from: Element): Element | undefined => {
  if (!elements.has(from.localName) || from.namespaceURI !== svgNamespace) return undefined;
  const copy = document.createElementNS(svgNamespace, from.localName);
  for (const { name, value } of from.attributes) {
    if (attributes.test(name) && isHarmless(value)) copy.setAttribute(name, value);
  }
  for (const child of from.childNodes) {
    if (child instanceof Text) copy.append(child.data);
    if (child instanceof Element) copy.append(copyOf(child) ?? '');
  }
  return copy;
};

const svgNamespace = 'http://www.w3.org/2000/svg';
