/**
 * Generates docs/images/check.svg: what `authgraph check` prints on a terminal, with its colors. The picture follows
 * the color scheme of the reader.
 */
import { nodeIo } from '../../engine/src/cli/node-io.ts';
import { runCli } from '../../engine/src/cli/run.ts';
import { capturedIo } from '../../test/support/captured-io.ts';

const file = 'docs/examples/mistakes.yaml';
/** How many of the problems are shown. */
const shownProblems = 2;
/** Characters per line; longer lines are wrapped at a blank. */
const columns = 104;

const layout = { lineHeight: 19, charWidth: 7.83, margin: 18, top: 44 } as const;

/** Part of a line with the codes of its style. */
interface Run {
  readonly text: string;
  readonly codes: readonly string[];
}

/** Returns the picture as SVG. */
export const terminalPicture = async (): Promise<string> => {
  const lines = [
    [{ text: `$ authgraph check ${file}`, codes: ['1'] }],
    ...(await shownOutput()).flatMap((line) => wrapped(runsOf(line))),
  ];
  const width = Math.ceil(columns * layout.charWidth + 2 * layout.margin);
  const height = layout.top + lines.length * layout.lineHeight + layout.margin;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Output of authgraph check">`,
    style,
    `<rect class="window" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    ...[0, 1, 2].map(
      (index) => `<circle class="button" cx="${layout.margin + 4 + index * 18}" cy="20" r="5.5"/>`,
    ),
    ...lines.map(lineElement),
    '</svg>\n',
  ].join('\n');
};

const style = `<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328; white-space: pre }
.window { fill: #ffffff; stroke: #d1d9e0 } .button { fill: #d1d9e0 }
.c1 { font-weight: 700 } .c2 { fill: #59636e }
.c31 { fill: #b3131d } .c32 { fill: #0f6b2c } .c33 { fill: #7d4e00 } .c34 { fill: #0757b8 } .c35 { fill: #7439c4 } .c36 { fill: #0b6878 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.window { fill: #0d1117; stroke: #3d444d } .button { fill: #3d444d }
.c2 { fill: #9198a1 }
.c31 { fill: #ff7b72 } .c32 { fill: #56d364 } .c33 { fill: #e3b341 } .c34 { fill: #79c0ff } .c35 { fill: #d2a8ff } .c36 { fill: #56d4dd }
}
</style>`;

/** Returns the lines of the first problems, and the summary. */
const shownOutput = async (): Promise<readonly string[]> => {
  const node = nodeIo();
  const { io, out } = capturedIo({ terminal: { columns } });
  const code = await runCli(['check', '--color', 'always', file], {
    ...io,
    readText: (path, maxBytes) => node.readText(path, maxBytes),
    listFolder: (path) => node.listFolder(path),
  });
  if (code !== 1) throw new Error(`authgraph check failed: ${out.stderr}`);
  const problems = out.stdout.split('\n\n').slice(0, shownProblems);
  return [...problems.join('\n\n').split('\n'), '', '…', out.stderr.trimEnd()];
};

/** Splits a line at its escape sequences. */
const runsOf = (line: string): readonly Run[] => {
  let codes: readonly string[] = [];
  return line.split(/(\u001b\[[\d;]*m)/).flatMap((part): readonly Run[] => {
    if (!part.startsWith('\u001b')) return part === '' ? [] : [{ text: part, codes }];
    const set = part.slice(2, -1).split(';');
    codes = set.includes('0') ? [] : [...codes, ...set];
    return [];
  });
};

/** Breaks a line that is too long; the next lines are indented. */
const wrapped = (runs: readonly Run[]): readonly (readonly Run[])[] => {
  const lines: Run[][] = [[]];
  let used = 0;
  for (const { text, codes } of runs) {
    for (const word of text.split(/(?<= )/)) {
      if (used > 0 && used + word.trimEnd().length > columns) {
        lines.push([{ text: '    ', codes: [] }]);
        used = 4;
      }
      lines.at(-1)?.push({ text: word, codes });
      used += word.length;
    }
  }
  return lines;
};

const lineElement = (runs: readonly Run[], index: number): string => {
  const y = layout.top + (index + 1) * layout.lineHeight - 5;
  const spans = runs.map(({ text, codes }) => {
    const classes = codes.map((code) => `c${code}`).join(' ');
    return classes === ''
      ? escapeXml(text)
      : `<tspan class="${classes}">${escapeXml(text)}</tspan>`;
  });
  return `<text x="${layout.margin}" y="${y}" xml:space="preserve">${spans.join('')}</text>`;
};

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
