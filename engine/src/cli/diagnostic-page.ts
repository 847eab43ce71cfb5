/** Reads the documentation page of a diagnostic, if the documentation is installed. */
import { readFile } from 'node:fs/promises';
import type { Paint } from './color.ts';

/** Returns the page for a terminal; `undefined` if the documentation is not installed. */
export const diagnosticPage = async (name: string, paint: Paint): Promise<string | undefined> => {
  const markdown = await diagnosticMarkdown(name);
  return markdown === undefined ? undefined : pageText(markdown, paint);
};

/** Returns the Markdown source of the page. */
export const diagnosticMarkdown = async (name: string): Promise<string | undefined> => {
  for (const folder of ['../../../docs', '../docs']) {
    const page = new URL(`${folder}/diagnostics/${name}.md`, import.meta.url);
    const text = await readIfPresent(page);
    if (text !== undefined) return text;
  }
  return undefined;
};

/**
 * Returns the content; `undefined` if the file does not exist. The repository and the package have
 * different paths.
 */
const readIfPresent = async (page: URL): Promise<string | undefined> => {
  try {
    return await readFile(page, 'utf8');
  } catch {
    return undefined;
  }
};

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
    return [line.startsWith('## ') ? paint('bold', line.slice(3)) : line];
  });
  return `${lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
};
