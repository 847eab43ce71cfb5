/** The page of a diagnostic, where the documentation is at hand. */
import { readFile } from 'node:fs/promises';
import type { Paint } from './color.ts';

/** For a terminal; `undefined` for a package that was installed without its documentation. */
export const diagnosticPage = async (name: string, paint: Paint): Promise<string | undefined> => {
  const markdown = await diagnosticMarkdown(name);
  return markdown === undefined ? undefined : pageText(markdown, paint);
};

/** As it is written. */
export const diagnosticMarkdown = async (name: string): Promise<string | undefined> => {
  for (const folder of ['../../../docs', '../docs']) {
    const page = new URL(`${folder}/diagnostics/${name}.md`, import.meta.url);
    const text = await readIfPresent(page);
    if (text !== undefined) return text;
  }
  return undefined;
};

/** `undefined` where there is no such file: the repository has it in one place, the package in the other. */
const readIfPresent = async (page: URL): Promise<string | undefined> => {
  try {
    return await readFile(page, 'utf8');
  } catch {
    return undefined;
  }
};

/** Headings painted, code indented, the title left out. */
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
