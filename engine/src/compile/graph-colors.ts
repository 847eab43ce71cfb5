/**
 * Colors of the picture: CSS variables with fallbacks, twice. A page that drops style sheets still
 * has the colors of its theme; a program that does not support variables inherits plain colors from
 * the surrounding group.
 */

/**
 * The theme's own variable of each color, and the values for light and dark pages without a theme.
 */
const colors = {
  background: ['--vscode-editor-background', '#ffffff', '#0d1117'],
  band: ['--vscode-editorWidget-background', '#f6f8fa', '#151b23'],
  node: ['--vscode-editor-background', '#ffffff', '#0d1117'],
  text: ['--vscode-editor-foreground', '#1f2328', '#f0f6fc'],
  muted: ['--vscode-descriptionForeground', '#59636e', '#9198a1'],
  lit: ['--vscode-charts-green', '#1a7f37', '#3fb950'],
  failed: ['--vscode-charts-red', '#cf222e', '#f85149'],
} as const;

export type Color = keyof typeof colors;

const variable = (name: Color): string => {
  const [theme, light] = colors[name];
  return `var(--authgraph-${name}, var(${theme}, ${light}))`;
};

/**
 * Returns the attribute with the plain color, for the group around an element with a themed color.
 */
export const plain = (attribute: 'fill' | 'stroke', name: Color): string =>
  `${attribute}="${colors[name][1]}"`;
/** Returns the attribute with the color as a CSS variable. */
export const themed = (attribute: 'fill' | 'stroke', name: Color): string =>
  `${attribute}="${variable(name)}"`;

const dark = Object.entries(colors)
  .map(([name, [theme, , value]]) => `--authgraph-${name}: var(${theme}, ${value});`)
  .join(' ');

/**
 * The style sheet in the picture: the dark colors for a file on a screen, and the focus style for pages that have
 * none. It is the same for all pictures, so that the content policy of a page can allow it.
 */
export const graphStyle = `@media screen and (prefers-color-scheme: dark) { .authgraph { ${dark} } } .authgraph .node:focus-visible > .box rect { stroke-width: 3; }`;
