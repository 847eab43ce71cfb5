/** Renders a picture as a PNG at twice its size, with the page's colors. */

const scale = 2;
const maxPixels = 16_000_000;

export const pngOf = async (drawn: SVGSVGElement): Promise<Uint8Array | undefined> => {
  const { width, height } = drawn.getBoundingClientRect();
  const factor = Math.min(scale, Math.sqrt(maxPixels / (width * height)));
  const url = URL.createObjectURL(
    new Blob([new XMLSerializer().serializeToString(withColors(drawn, width, height))], {
      type: 'image/svg+xml',
    }),
  );
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.ceil(width * factor);
    canvas.height = Math.ceil(height * factor);
    const context = canvas.getContext('2d');
    if (context === null) return undefined;
    context.fillStyle = getComputedStyle(document.body).backgroundColor;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    return blob === null ? undefined : new Uint8Array(await blob.arrayBuffer());
  } finally {
    URL.revokeObjectURL(url);
  }
};

const copiedProperties = [
  'fill',
  'fill-opacity',
  'font-family',
  'font-size',
  'font-weight',
  'opacity',
  'stroke',
  'stroke-dasharray',
  'stroke-width',
];

/**
 * Copies computed styles into attributes, because the page's style sheet does not apply to the
 * image.
 */
const withColors = (drawn: SVGSVGElement, width: number, height: number): Node => {
  const copy = drawn.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) return copy;
  const originals = [drawn, ...drawn.querySelectorAll('*')];
  [copy, ...copy.querySelectorAll('*')].forEach((element, index) => {
    const original = originals[index];
    if (original === undefined) return;
    const style = getComputedStyle(original);
    for (const name of copiedProperties) element.setAttribute(name, style.getPropertyValue(name));
  });
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  return copy;
};
