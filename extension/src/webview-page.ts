/**
 * The HTML of a webview: one script and one style sheet; a content security policy forbids
 * everything else.
 */
import { Uri, type Webview, type WebviewOptions } from 'vscode';

export interface WebviewPage {
  /** Base name of the script, `media/<name>.js`. */
  readonly name: string;
  readonly title: string;
}

export const webviewOptions = (extension: Uri): WebviewOptions => ({
  enableScripts: true,
  localResourceRoots: [Uri.joinPath(extension, 'media')],
});

export const pageHtml = (
  webview: Webview,
  extension: Uri,
  { name, title }: WebviewPage,
): string => {
  const media = (file: string): string =>
    webview.asWebviewUri(Uri.joinPath(extension, 'media', file)).toString();
  const nonce = newNonce();
  const policy = [
    "default-src 'none'",
    `style-src ${webview.cspSource}`,
    `script-src 'nonce-${nonce}'`,
    'img-src blob:',
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${media('page.css')}">
<title>${title}</title>
</head>
<body class="${name}">
<p id="announcement" class="unseen" role="status" aria-live="polite"></p>
<main>
<h1 class="unseen">${title}</h1>
<div id="page"></div>
</main>
<script nonce="${nonce}" src="${media(`${name}.js`)}"></script>
</body>
</html>
`;
};

const newNonce = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
