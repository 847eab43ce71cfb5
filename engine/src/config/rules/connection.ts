/** Rules about how the issuer's servers are reached: their certificates and the way to them. */
import { certificateBundleProblem } from '../../formats/certificate.ts';
import { invalidError, invalidNamedError } from '../server-error.ts';
import { defineServerRule } from './server-rule.ts';
import type { IssuerSubject } from './urls.ts';

export const certificateAuthority = defineServerRule<IssuerSubject>({
  code: 'AG1026',
  name: 'certificate-authority',
  summary: 'The certificate authority is no bundle of PEM certificates.',
  help: () => 'give the certificates themselves in PEM form, as a block scalar: `|`',
  check({ path, issuer: { certificateAuthority: bundle } }, report) {
    if (bundle === undefined || bundle.value === '') return;
    const problem = certificateBundleProblem(bundle.value);
    if (problem !== undefined)
      report(bundle.span, invalidError(`${path}.certificateAuthority`, '<omitted>', problem));
  },
});

export const egressSelectorGate = defineServerRule<IssuerSubject & { readonly enabled: boolean }>({
  code: 'AG1027',
  name: 'egress-selector-gate',
  summary: 'An egress selector needs its feature gate.',
  help: () => 'switch the gate StructuredAuthenticationConfigurationEgressSelector on',
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
  summary: 'An egress selector is controlplane or cluster.',
  help: () => 'write controlplane or cluster',
  check({ path, issuer: { egressSelectorType: type } }, report) {
    if (type === undefined || ['', 'controlplane', 'cluster'].includes(type.value)) return;
    const detail = 'egress selector must be either controlplane or cluster';
    report(type.span, invalidNamedError(`${path}.egressSelectorType`, type.value, detail));
  },
});
