/** Positions of the parts of a configuration. */
import type { AuthenticationConfiguration, LocatedString } from '../config/configuration.ts';
import { maxAuthenticators } from '../config/rules/authenticators.ts';
import type { Span } from '../source/span.ts';
import type { Origins } from './graph.ts';

/** Returns the position of every section, list entry and value under the path that messages use. */
export const originsOf = (configuration: AuthenticationConfiguration | undefined): Origins => {
  const origins = new Map<string, Span>();
  if (configuration === undefined) return origins;
  const text = (path: string, value: LocatedString | undefined): void => {
    if (value !== undefined) origins.set(path, value.span);
  };
  configuration.jwt.slice(0, maxAuthenticators).forEach((entry, index) => {
    const at = `jwt[${index}]`;
    origins.set(at, entry.span);
    const { issuer, claimMappings: mappings } = entry;
    origins.set(`${at}.issuer`, issuer.span);
    text(`${at}.issuer.url`, issuer.url);
    text(`${at}.issuer.discoveryURL`, issuer.discoveryUrl);
    text(`${at}.issuer.certificateAuthority`, issuer.certificateAuthority);
    origins.set(`${at}.issuer.audiences`, issuer.audiencesSpan);
    issuer.audiences.forEach((audience, item) => {
      text(`${at}.issuer.audiences[${item}]`, audience);
    });
    text(`${at}.issuer.audienceMatchPolicy`, issuer.audienceMatchPolicy);
    text(`${at}.issuer.egressSelectorType`, issuer.egressSelectorType);
    entry.claimValidationRules.forEach((rule, item) => {
      const path = `${at}.claimValidationRules[${item}]`;
      origins.set(path, rule.span);
      text(`${path}.claim`, rule.claim);
      text(`${path}.requiredValue`, rule.requiredValue);
      text(`${path}.expression`, rule.expression);
      text(`${path}.message`, rule.message);
    });
    origins.set(`${at}.claimMappings`, mappings.span);
    for (const [name, mapping] of [
      ['username', mappings.username],
      ['groups', mappings.groups],
      ['uid', mappings.uid],
    ] as const) {
      if (mapping === undefined) continue;
      const path = `${at}.claimMappings.${name}`;
      origins.set(path, mapping.span);
      text(`${path}.claim`, mapping.claim);
      text(`${path}.expression`, mapping.expression);
      if ('prefix' in mapping) text(`${path}.prefix`, mapping.prefix);
    }
    mappings.extra.forEach((extra, item) => {
      const path = `${at}.claimMappings.extra[${item}]`;
      origins.set(path, extra.span);
      text(`${path}.key`, extra.key);
      text(`${path}.valueExpression`, extra.valueExpression);
    });
    entry.userValidationRules.forEach((rule, item) => {
      const path = `${at}.userValidationRules[${item}]`;
      origins.set(path, rule.span);
      text(`${path}.expression`, rule.expression);
      text(`${path}.message`, rule.message);
    });
  });
  const { anonymous } = configuration;
  if (anonymous === undefined) return origins;
  origins.set('anonymous', anonymous.span);
  anonymous.conditions.forEach((condition, item) => {
    origins.set(`anonymous.conditions[${item}]`, condition.span);
    text(`anonymous.conditions[${item}].path`, condition.path);
  });
  return origins;
};
