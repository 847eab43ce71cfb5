/** Rules about the connection to an issuer: its certificate authority and the egress selector. */
import { asChoice, type Fix } from '../../diagnostics/diagnostic.ts';
import { decodeGoBase64 } from '../../formats/base64.ts';
import { certificateBundleProblem } from '../../formats/x509/certificate.ts';
import type { LocatedString } from '../configuration.ts';
import { invalidError, invalidNamedError } from '../server-error.ts';
import { lineBreakOf, startOfLine, withoutFields } from './layout-fixes.ts';
import { defineServerRule, type RulePlace } from './server-rule.ts';
import type { IssuerSubject } from './urls.ts';

export const certificateAuthority = defineServerRule<IssuerSubject>({
  code: 'AG1026',
  name: 'certificate-authority',
  summary: 'The certificate authority is not a bundle of PEM certificates.',
  help: () => 'Paste the PEM certificates as a block scalar: `|`.',
  check({ place, path, issuer: { certificateAuthority: bundle } }, report) {
    if (bundle === undefined || bundle.value === '') return;
    const problem = certificateBundleProblem(bundle.value);
    if (problem !== undefined)
      report(bundle.span, invalidError(`${path}.certificateAuthority`, '<omitted>', problem), {
        fixes: pemFixes(place, bundle),
      });
  },
});

/**
 * Restores certificates that are present in another form: in base64, or with their lines joined.
 */
const pemFixes = (place: RulePlace, bundle: LocatedString): readonly Fix[] => {
  const { text } = place.source;
  const pem = decodedPem(bundle.value) ?? rejoinedPem(bundle.value);
  if (pem === undefined || certificateBundleProblem(pem) !== undefined) return [];
  const lineStart = startOfLine(text, bundle.span.start);
  const key = /^( *(?:- +)*)["']?certificateAuthority["']?:[ \t]*$/.exec(
    text.slice(lineStart, bundle.span.start),
  );
  const isBlock = place.format === 'yaml' && key !== null;
  const lineBreak = `${lineBreakOf(text)}${' '.repeat((key?.[1]?.length ?? 0) + 2)}`;
  const newText = isBlock
    ? `|${lineBreak}${pem.trimEnd().replaceAll('\n', lineBreak)}`
    : JSON.stringify(pem);
  return [{ title: 'Convert to PEM', edits: [{ span: bundle.span, newText }] }];
};

const decodedPem = (value: string): string | undefined => {
  const bytes = decodeGoBase64(value.replaceAll(/\s/g, ''), {
    alphabet: 'standard',
    padding: 'required',
  });
  if (bytes.kind === 'error') return undefined;
  const text = new TextDecoder().decode(bytes.bytes).replaceAll('\r\n', '\n');
  return text.startsWith('-----BEGIN CERTIFICATE-----') ? text : undefined;
};

/**
 * Restores line breaks: a folded or plain scalar has spaces in their place, a badly escaped one has
 * `
 * `.
 */
const rejoinedPem = (value: string): string | undefined => {
  const blocks = value
    .replaceAll('\\n', '\n')
    .matchAll(/-----BEGIN CERTIFICATE-----([\sA-Za-z0-9+/=]+)-----END CERTIFICATE-----/g);
  const written = Array.from(blocks, ([, body = '']) => {
    const lines = body.replaceAll(/\s/g, '').match(/.{1,64}/g) ?? [];
    return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
  });
  return written.length === 0 ? undefined : written.join('');
};

export const egressSelectorGate = defineServerRule<IssuerSubject & { readonly enabled: boolean }>({
  code: 'AG1027',
  name: 'egress-selector-gate',
  summary: 'An egress selector is set, but its feature gate is off.',
  help: () => 'Remove the field: AuthGraph connects to issuers directly.',
  check({ path, issuer: { egressSelectorType: type }, enabled }, report) {
    if (type === undefined || type.value === '' || enabled) return;
    const detail =
      'egress selector is not supported when StructuredAuthenticationConfigurationEgressSelector feature gate is disabled';
    report(type.span, invalidNamedError(`${path}.egressSelectorType`, type.value, detail));
  },
});

export const egressSelectorType = defineServerRule<IssuerSubject>({
  code: 'AG1028',
  name: 'egress-selector-type',
  summary: 'The egress selector type is neither controlplane nor cluster.',
  help: () => 'Remove the field: AuthGraph connects to issuers directly.',
  check({ place, path, issuer: { egressSelectorType: type } }, report) {
    if (type === undefined || type.value === '' || isEgressSelectorType(type.value)) return;
    const detail = 'egress selector must be either controlplane or cluster';
    // A valid type would be rejected as well, because there is no egress configuration.
    report(type.span, invalidNamedError(`${path}.egressSelectorType`, type.value, detail), {
      fixes: withoutFields(place, [['egressSelectorType', type.span]]).map(asChoice),
    });
  },
});

/** Returns true if kube-apiserver knows the egress selector type. */
export const isEgressSelectorType = (type: string): boolean =>
  type === 'controlplane' || type === 'cluster';
