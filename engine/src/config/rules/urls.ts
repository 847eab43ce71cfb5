/** Rules about the URLs of an issuer: what kube-apiserver's URL parser and its policy reject. */
import { asAccessChanging, asChoice, type Fix } from '../../diagnostics/diagnostic.ts';
import { parseGoUrl } from '../../formats/go-url.ts';
import { toFileSpan } from '../../source/position-map.ts';
import { span } from '../../source/span.ts';
import type { IssuerConfig, LocatedString } from '../configuration.ts';
import { invalidError, requiredError } from '../server-error.ts';
import { firstLineOf, withoutFields } from './layout-fixes.ts';
import { defineServerRule, type RulePlace } from './server-rule.ts';

export interface IssuerSubject {
  readonly place: RulePlace;
  /** Path of the issuer, for example `jwt[0].issuer`. */
  readonly path: string;
  readonly issuer: IssuerConfig;
}

export interface UrlSubject {
  readonly place: RulePlace;
  /** Field path, for example `jwt[0].issuer.url`. */
  readonly field: string;
  readonly url: LocatedString;
  /** Issuers that may not be used here. */
  readonly disallowed: readonly string[];
  readonly parsed: ReturnType<typeof parseGoUrl>;
}

export const urlSubject = (
  place: RulePlace,
  field: string,
  { url, disallowed }: { readonly url: LocatedString; readonly disallowed: readonly string[] },
): UrlSubject => ({ place, field, url, disallowed, parsed: parseGoUrl(url.value) });

export const missingIssuerUrl = defineServerRule<IssuerSubject>({
  code: 'AG1014',
  name: 'missing-issuer-url',
  summary: 'The issuer has no URL.',
  help: () => 'Add `url:` with the https URL in the iss claim of its tokens.',
  check({ place, path, issuer }, report) {
    if ((issuer.url?.value ?? '') === '')
      report(issuer.url?.span ?? firstLineOf(place, issuer.span), requiredError(`${path}.url`));
  },
});

export const disallowedIssuer = defineServerRule<UrlSubject>({
  code: 'AG1015',
  name: 'disallowed-issuer',
  summary: 'The issuer is already used for service account tokens.',
  help: () => 'Remove this entry; the service account authenticator validates these tokens.',
  check({ field, url, disallowed }, report) {
    if (!disallowed.includes(url.value)) return;
    const list = [...new Set(disallowed)].sort().join(' ');
    const detail = `URL must not overlap with disallowed issuers: [${list}]`;
    report(url.span, invalidError(field, url.value, detail));
  },
});

export const malformedUrl = defineServerRule<UrlSubject>({
  code: 'AG1016',
  name: 'malformed-url',
  summary: 'The URL cannot be parsed.',
  help: () => 'Write an absolute URL such as https://issuer.example/path.',
  check({ place, field, url, parsed }, report) {
    if (parsed.kind !== 'error') return;
    const trimmed = url.value.trim();
    const fixes =
      trimmed !== url.value && isHttps(trimmed)
        ? rewrite(place, url, { part: url.value, newText: trimmed, title: 'Remove the spaces' })
        : [];
    report(url.span, invalidError(field, url.value, parsed.message), { fixes });
  },
});

export const urlScheme = defineServerRule<UrlSubject>({
  code: 'AG1017',
  name: 'url-scheme',
  summary: 'The URL does not use the https scheme.',
  help: () => 'Start the URL with https://.',
  check({ place, field, url, parsed }, report) {
    if (parsed.kind === 'error' || parsed.scheme === 'https') return;
    const error = invalidError(field, url.value, 'URL scheme must be https');
    report(url.span, error, { fixes: httpsFix(place, url) });
  },
});

/**
 * Fixes the scheme. A different URL is a different issuer whose tokens are then accepted: a bare
 * host gets the scheme, which changes access; another scheme may be intended, so its fix is only a
 * choice.
 */
const httpsFix = (place: RulePlace, url: LocatedString): readonly Fix[] => {
  const title = 'Use https';
  const { value } = url;
  const scheme = /^http(?=:\/\/)/i.exec(value)?.[0];
  if (scheme !== undefined && isHttps(`https${value.slice(scheme.length)}`))
    return rewrite(place, url, { part: scheme, newText: 'https', title }).map(asChoice);
  const isBare = /^[a-z0-9.-]+(?:[/:]|$)/i.test(value) && !value.includes('://');
  return isBare && isHttps(`https://${value}`)
    ? rewrite(place, url, { part: '', newText: 'https://', title }).map(asAccessChanging)
    : [];
};

const isHttps = (text: string): boolean => {
  const parsed = parseGoUrl(text);
  return parsed.kind !== 'error' && parsed.scheme === 'https';
};

/** Replaces a part of the URL if the file contains it verbatim. */
const rewrite = (
  { source: { text } }: RulePlace,
  url: LocatedString,
  change: { readonly part: string; readonly newText: string; readonly title: string },
): readonly Fix[] => {
  const { part, newText, title } = change;
  const at = url.value.indexOf(part);
  const where = toFileSpan(url.map, span(at, at + part.length));
  if (text.slice(where.start, where.end) !== part) return [];
  return [{ title, edits: [{ span: where, newText }] }];
};

export const urlUserInfo = defineServerRule<UrlSubject>({
  code: 'AG1018',
  name: 'url-user-info',
  summary: 'The URL of an issuer contains a username or a password.',
  help: () => 'Remove the user info before the @.',
  check({ place, field, url, parsed }, report) {
    if (parsed.kind !== 'url' || !parsed.hasUserInfo) return;
    const part = /^[a-z]+:\/\/([^/?#]*@)/i.exec(url.value)?.[1];
    const title = 'Remove username and password';
    report(
      url.span,
      invalidError(field, url.value, 'URL must not contain a username or password'),
      {
        fixes:
          part === undefined
            ? []
            : rewrite(place, url, { part, newText: '', title }).map(asAccessChanging),
      },
    );
  },
});

export const urlQuery = defineServerRule<UrlSubject>({
  code: 'AG1019',
  name: 'url-query',
  summary: 'The URL of an issuer contains a query.',
  help: () => 'Remove the question mark and everything after it.',
  check({ place, field, url, parsed }, report) {
    if (parsed.kind !== 'url' || parsed.query === '') return;
    const part = /\?[^#]*/.exec(url.value)?.[0] ?? '';
    // Some issuers respond differently without the query.
    const fixes = rewrite(place, url, { part, newText: '', title: 'Remove the query' });
    report(url.span, invalidError(field, url.value, 'URL must not contain a query'), {
      fixes: fixes.map(asChoice),
    });
  },
});

export const urlFragment = defineServerRule<UrlSubject>({
  code: 'AG1020',
  name: 'url-fragment',
  summary: 'The URL of an issuer contains a fragment.',
  help: () => 'Remove the # and everything after it.',
  check({ place, field, url, parsed }, report) {
    if (parsed.kind !== 'url' || parsed.fragment === '') return;
    const part = /#.*$/s.exec(url.value)?.[0] ?? '';
    report(url.span, invalidError(field, url.value, 'URL must not contain a fragment'), {
      fixes: rewrite(place, url, { part, newText: '', title: 'Remove the fragment' }).map(
        asAccessChanging,
      ),
    });
  },
});

/** The rules in kube-apiserver's order. */
export const urlRules = [
  disallowedIssuer,
  malformedUrl,
  urlScheme,
  urlUserInfo,
  urlQuery,
  urlFragment,
] as const;

export const sameDiscoveryUrl = defineServerRule<IssuerSubject>({
  code: 'AG1021',
  name: 'same-discovery-url',
  summary: 'The discovery URL equals the issuer URL.',
  help: () => 'Remove discoveryURL, or enter the complete URL of the discovery document.',
  check({ place, path, issuer: { url, discoveryUrl } }, report) {
    if (discoveryUrl === undefined || (url?.value ?? '') === '') return;
    if (withoutSlashes(url?.value ?? '') !== withoutSlashes(discoveryUrl.value)) return;
    report(
      discoveryUrl.span,
      invalidError(
        `${path}.discoveryURL`,
        discoveryUrl.value,
        'discoveryURL must be different from URL',
      ),
      {
        related: url === undefined ? [] : [{ span: url.span, message: "the issuer's URL" }],
        // Without the field, the server fetches the same document.
        fixes: withoutFields(place, [['discoveryURL', discoveryUrl.span]]),
      },
    );
  },
});

const withoutSlashes = (text: string): string => {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
};
