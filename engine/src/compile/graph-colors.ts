/**
 * Colours of the picture: CSS variables with fall-backs, twice over. A page that drops style sheets still
 * gets those of its theme, a program that knows no variables still gets plain ones, inherited from the
 * group around.
 */

/** Variable, the theme's own variable, and what a page without a theme gets: light, dark. */
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

/** Around what has a colour by variable: the plain one, for who knows no variables. */
export const plain = (attribute: 'fill' | 'stroke', name: Color): string =>
  `${attribute}="${colors[name][1]}"`;
/** By variable. */
export const themed = (attribute: 'fill' | 'stroke', name: Color): string =>
  `${attribute}="${variable(name)}"`;

/** The dark ones for a file, and the focus where the page has no style of its own for it. */
export const styleSheet = (): string => {
  const dark = Object.entries(colors)
    .map(([name, [theme, , value]]) => `--authgraph-${name}: var(${theme}, ${value});`)
    .join(' ');
  return `<style>@media (prefers-color-scheme: dark) { .authgraph { ${dark} } } .authgraph .node:focus-visible > .box rect { stroke-width: 3; }</style>`;
};
