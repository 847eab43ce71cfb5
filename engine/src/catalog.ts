/**
 * The catalog of all diagnostic codes. The CLI, the editor, the documentation pages and tests read
 * it.
 */
import * as proxyRejections from './authenticators/authenticating-proxy/rejections.ts';
import * as clientCertificateRejections from './authenticators/client-certificate/rejections.ts';
import * as jwtRejections from './authenticators/jwt/rejections.ts';
import * as sharedRejections from './authenticators/rejections.ts';
import * as webhookRejections from './authenticators/webhook-token/rejections.ts';
import * as certificateRejections from './certificates/rejections.ts';
import * as settingsFindings from './compile/settings-findings.ts';
import * as decodeFindings from './config/decode-findings.ts';
import * as audiencesRules from './config/rules/audiences.ts';
import * as authenticatorsRules from './config/rules/authenticators.ts';
import * as claimRules from './config/rules/claim-rules.ts';
import * as connectionRules from './config/rules/connection.ts';
import * as emailVerifiedRules from './config/rules/email-verified.ts';
import * as expressionsRules from './config/rules/expressions.ts';
import * as extraRules from './config/rules/extra.ts';
import * as mappingsRules from './config/rules/mappings.ts';
import * as urlsRules from './config/rules/urls.ts';
import * as reloadFindings from './diagnostics/reload-findings.ts';
import type { RuleDescription } from './diagnostics/rule.ts';
import * as documentFindings from './documents/yaml/findings.ts';
import { lints } from './lints/registry.ts';
import type { RejectionDescription } from './model/rejection.ts';
import * as runtimeRejections from './runtime/rejections.ts';
import * as projectSettingsFindings from './settings/findings.ts';
import * as accountRejections from './signed-token/account-rejections.ts';
import * as tokenRejections from './signed-token/token-rejections.ts';
import * as testFindings from './simulate/tests/findings.ts';

/** Selects the rule descriptions among the exports of a module; modules also export helpers. */
const descriptionsIn = (exported: Readonly<Record<string, unknown>>): readonly RuleDescription[] =>
  Object.values(exported).filter(isDescription);

const isDescription = (value: unknown): value is RuleDescription =>
  typeof value === 'object' && value !== null && 'code' in value && 'summary' in value;

const isRejection = (value: unknown): value is RejectionDescription =>
  typeof value === 'object' && value !== null && 'code' in value && 'meaning' in value;

/** The descriptions of rejections by code, because several kinds of rejections can share one. */
const rejections: ReadonlyMap<string, RuleDescription> = new Map(
  [
    accountRejections,
    certificateRejections,
    clientCertificateRejections,
    jwtRejections,
    proxyRejections,
    runtimeRejections,
    sharedRejections,
    tokenRejections,
    webhookRejections,
  ]
    .flatMap((exported): readonly unknown[] => Object.values(exported))
    .filter(isRejection)
    .map(({ code, name, meaning }) => [
      code,
      { code, name, severity: 'error', source: 'server', summary: meaning },
    ]),
);

/** All rule descriptions, ordered by code. */
export const catalog: readonly RuleDescription[] = [
  ...descriptionsIn(documentFindings),
  ...descriptionsIn(decodeFindings),
  ...descriptionsIn(audiencesRules),
  ...descriptionsIn(authenticatorsRules),
  ...descriptionsIn(claimRules),
  ...descriptionsIn(connectionRules),
  ...descriptionsIn(emailVerifiedRules),
  ...descriptionsIn(expressionsRules),
  ...descriptionsIn(extraRules),
  ...descriptionsIn(mappingsRules),
  ...descriptionsIn(urlsRules),
  ...descriptionsIn(settingsFindings),
  ...descriptionsIn(projectSettingsFindings),
  ...descriptionsIn(testFindings),
  ...descriptionsIn(reloadFindings),
  ...lints.map(({ description }) => description),
  ...rejections.values(),
]
  .map(({ code, name, severity, source, summary }) => ({ code, name, severity, source, summary }))
  .sort((a, b) => (a.code < b.code ? -1 : 1));

/** Finds a rule by its code (`AG1012`, in either case) or by its name (`duplicate-issuer-url`). */
export const findInCatalog = (codeOrName: string): RuleDescription | undefined =>
  catalog.find(
    ({ code, name }) => code === codeOrName.toUpperCase() || name === codeOrName.toLowerCase(),
  );
