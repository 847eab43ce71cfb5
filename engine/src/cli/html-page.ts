/** One HTML file without scripts, links and requests, whose content policy allows only its own style sheet. */
import { hash } from 'node:crypto';
import { xmlText } from '../compile/svg-text.ts';

export interface HtmlPage {
  readonly title: string;
  readonly style: string;
  /** The content of the page, in which all untrusted text is escaped. */
  readonly body: string;
}

export const htmlPage = ({ title, style, body }: HtmlPage): string => {
  const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${xmlText(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
};
