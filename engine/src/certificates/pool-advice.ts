/** Authorities that are there and stand behind nobody: what an operator should know of a bundle. */
import { attributeTypes, type Certificate, commonNameOf, subjectValues } from './certificate.ts';
import { isForClients } from './purpose.ts';

/** `now` in milliseconds since 1970; one sentence a certificate that is of no use as it is meant. */
export const poolAdvice = (authorities: readonly Certificate[], now: number): readonly string[] =>
  authorities.flatMap((certificate) => {
    const problem = uselessness(certificate, now);
    return problem === undefined ? [] : [`certificate ${nameOf(certificate)} ${problem}`];
  });

const uselessness = (certificate: Certificate, now: number): string | undefined => {
  const { basicConstraints, keyUsage, hasUnhandledCritical } = certificate.extensions;
  if (now > certificate.notAfter)
    return `ended at ${instant(certificate.notAfter)}: no certificate is good by it`;
  if (now < certificate.notBefore)
    return `begins at ${instant(certificate.notBefore)}: until then no certificate is good by it`;
  if (hasUnhandledCritical)
    return 'has a critical extension that is not known: no certificate is good by it';
  if (!isForClients(certificate)) return 'is not for clients: no certificate is good by it';
  if (basicConstraints === undefined ? certificate.version === 3 : !basicConstraints.isAuthority)
    return 'is no authority: only whoever has its own key is known by it';
  return keyUsage !== 0 && (keyUsage & mayCertify) === 0
    ? 'may not sign certificates: only whoever has its own key is known by it'
    : undefined;
};

/** The sixth bit of the key usage: keyCertSign. */
const mayCertify = 1 << 5;

const nameOf = (certificate: Certificate): string => {
  const [organization] = subjectValues(certificate, attributeTypes.organization);
  const name = commonNameOf(certificate) || organization;
  const number = `SN=${certificate.serialNumber}`;
  return name === undefined ? number : `${JSON.stringify(name)} (${number})`;
};

const instant = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, 'Z');
