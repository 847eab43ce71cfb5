/**
 * One HTML file without scripts, links and requests. Its content policy allows only its style sheets, by their hashes,
 * so that markup that was not escaped has no effect.
 */
import { hash } from 'node:crypto';
import { pageStyle } from './page-style.ts';
import { text } from './untrusted-text.ts';

export interface HtmlPage {
  readonly title: string;
  /** The content of the page, in which all untrusted text is escaped. */
  readonly body: string;
  /** The content of further style elements in the body, such as that of a picture. */
  readonly innerStyles?: readonly string[];
}

export const htmlPage = ({ title, body, innerStyles = [] }: HtmlPage): string => {
  const hashes = [pageStyle, ...innerStyles].map(
    (style) => `'sha256-${hash('sha256', style, 'base64')}'`,
  );
  const policy = `default-src 'none'; style-src ${hashes.join(' ')}; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${text(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
};
