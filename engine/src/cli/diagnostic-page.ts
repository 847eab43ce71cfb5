/** Reads the documentation page of a diagnostic, if the documentation is installed. */
import type { Paint } from './color.ts';
import { readPackageFile } from './package-file.ts';

/** Returns the page for a terminal; `undefined` if the documentation is not installed. */
export const diagnosticPage = async (name: string, paint: Paint): Promise<string | undefined> => {
  const markdown = await diagnosticMarkdown(name);
  return markdown === undefined ? undefined : pageText(markdown, paint);
};

/** Returns the Markdown source of the page. */
export const diagnosticMarkdown = async (name: string): Promise<string | undefined> =>
  (await readPackageFile(`docs/diagnostics/${name}.md`))?.text;

/** Formats the page: bold headings, indented code, no title. */
const pageText = (markdown: string, paint: Paint): string => {
  let inCode = false;
  const lines = markdown.split('\n').flatMap((line) => {
    if (line.startsWith('```')) {
      inCode = !inCode;
      return [];
    }
    if (inCode) return [`    ${line}`];
    if (line.startsWith('# ')) return [];
    // A terminal cannot follow the link to another page.
    const text = line.replaceAll(/\[([^\][]*)\]\([\w./#-]*\)/g, '$1');
    return [text.startsWith('## ') ? paint('bold', text.slice(3)) : text];
  });
  return `${lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
};
