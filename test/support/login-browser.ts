/** A browser without scripts that logs in at the pages of `oidc-provider`. */
import { sendHttps } from './https-request.ts';

export interface BrowserOptions {
  readonly authority: string;
  /** The user that logs in. */
  readonly login: string;
  /** Refuses instead. */
  readonly refuses?: boolean;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
}

const maxPages = 30;

/**
 * Visits a page, fills in its forms and follows redirects; returns the first page that has no form, or
 * the address outside of the provider to which it was sent.
 */
export const logInWithBrowser = async (
  start: string,
  { authority, login, refuses = false }: BrowserOptions,
): Promise<{ readonly url: string; readonly body: string }> => {
  const cookies = new Map<string, Cookie>();
  const provider = new URL(start).origin;
  let next: { readonly url: URL; readonly form?: URLSearchParams } = { url: new URL(start) };
  for (let page = 0; page < maxPages; page += 1) {
    const { url, form } = next;
    if (url.origin !== provider) {
      const response = await fetch(url, { redirect: 'manual' });
      return { url: url.href, body: await response.text() };
    }
    const { status, headers, body } = await sendHttps({
      host: url.hostname,
      port: Number(url.port),
      path: url.pathname + url.search,
      authority,
      headers: [
        ...['Cookie', cookiesFor(url.pathname, cookies)],
        ...(form === undefined ? [] : ['Content-Type', 'application/x-www-form-urlencoded']),
      ],
      ...(form === undefined ? {} : { body: form.toString() }),
    });
    for (const line of valuesOf(headers, 'set-cookie')) store(line, cookies);
    const [location] = valuesOf(headers, 'location');
    const found = location === undefined ? formOf(body, login) : undefined;
    if (status >= 300 && status < 400 && location !== undefined) {
      next = { url: new URL(location, url) };
    } else if (found !== undefined) {
      const aborts = refuses && found.fields.get('prompt') === 'login';
      const action = new URL(found.action, url);
      next = aborts
        ? { url: new URL(`${action.href}/abort`) }
        : { url: action, form: found.fields };
    } else return { url: url.href, body };
  }
  throw new Error(`more than ${maxPages} pages`);
};

const valuesOf = (headers: readonly string[], name: string): readonly string[] =>
  headers.filter((_, at) => at % 2 === 1 && headers[at - 1]?.toLowerCase() === name);

const store = (line: string, cookies: Map<string, Cookie>): void => {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  const path = /; *path=([^;]*)/i.exec(line)?.[1] ?? '/';
  cookies.set(`${name} ${path}`, { name, value, path });
};

const cookiesFor = (path: string, cookies: ReadonlyMap<string, Cookie>): string =>
  [...cookies.values()]
    .filter((cookie) => path.startsWith(cookie.path) && cookie.value !== '')
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ');

const formOf = (
  page: string,
  login: string,
): { readonly action: string; readonly fields: URLSearchParams } | undefined => {
  const action = /<form[^>]* action="([^"]*)"/.exec(page)?.[1];
  if (action === undefined) return undefined;
  const fields = new URLSearchParams();
  for (const [input] of page.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(input)?.[1] ?? '';
    fields.set(name, /value="([^"]*)"/.exec(input)?.[1] ?? '');
  }
  if (fields.get('prompt') === 'login') {
    fields.set('login', login);
    fields.set('password', 'any');
  }
  return { action, fields };
};
