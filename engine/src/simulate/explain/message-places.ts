/** Finds the place in a configuration that caused a message of kube-apiserver. */
import type { Compilation } from '../../compile/compile.ts';
import type {
  AuthenticationConfiguration,
  ClaimValidationRuleConfig,
  JwtAuthenticatorConfig,
  LocatedString,
} from '../../config/configuration.ts';
import type { Span } from '../../source/span.ts';
import type { MessageExplanation } from './explain-message.ts';

interface PlacedCompilation extends Pick<Compilation, 'origins'> {
  readonly configuration: AuthenticationConfiguration;
}

export interface MessagePlace {
  /** The path: `jwt[0].claimValidationRules[1]`. */
  readonly path: string;
  readonly span: Span;
}

/**
 * Returns the parts that can have caused the message, best first: several if the text does not say
 * which issuer it was, none if the configuration has no such part.
 */
export const placesOf = (
  explanation: MessageExplanation,
  compilation: PlacedCompilation,
): readonly MessagePlace[] => {
  const { subject, facts } = explanation;
  const { configuration } = compilation;
  if (subject === 'anonymous') return anonymousPlace(configuration);
  if (subject === 'field') return fieldPlace(facts.get('path') ?? '', compilation);
  const requestedUrl = subject === 'issuer' ? requestedUrlOf(facts) : undefined;
  const isRequested = ({ issuer }: JwtAuthenticatorConfig): boolean =>
    requestedUrl !== undefined &&
    [issuer.url, issuer.discoveryUrl].some(
      (url) => url !== undefined && isBelow(requestedUrl, url.value),
    );
  // Keys may be at any address, so an address that matches no issuer does not exclude an entry.
  const isIssuerKnown = configuration.jwt.some(isRequested);
  return configuration.jwt.flatMap((entry, index) =>
    isIssuerKnown && !isRequested(entry) ? [] : placesInEntry(explanation, entry, `jwt[${index}]`),
  );
};

/** Returns the address in `Get "https://…": EOF` if the message names no issuer. */
const requestedUrlOf = (facts: ReadonlyMap<string, string>): string | undefined =>
  facts.has('issuer')
    ? undefined
    : /\bGet "?(https:[^\s"]+?)"?:? /.exec(facts.get('cause') ?? '')?.[1];

const isBelow = (url: string, root: string): boolean =>
  root !== '' && (url === root || url.startsWith(root.endsWith('/') ? root : `${root}/`));

const placesInEntry = (
  { subject, facts, form }: MessageExplanation,
  entry: JwtAuthenticatorConfig,
  path: string,
): readonly MessagePlace[] => {
  const { claimMappings: mappings, issuer } = entry;
  const claim = facts.get('claim');
  const expression = facts.get('expression');
  switch (subject) {
    case 'issuer': {
      const named = facts.get('issuer');
      const url = issuer.url;
      if (named !== undefined && url !== undefined && url.value !== named) return [];
      return [place(`${path}.issuer.url`, url, issuer.span)];
    }
    case 'audiences': {
      const audiences = facts.get('audiences');
      if (audiences !== undefined && !sameAudiences(audiences, issuer.audiences)) return [];
      return [{ path: `${path}.issuer.audiences`, span: issuer.audiencesSpan }];
    }
    case 'username':
      return form === 'expression'
        ? expressionPlace(
            `${path}.claimMappings.username`,
            mappings.username.expression,
            expression,
          )
        : // A message without a claim's name is about email_verified.
          claimPlace(`${path}.claimMappings.username`, mappings.username.claim, claim ?? 'email');
    case 'groups':
      return form === 'expression'
        ? expressionPlace(`${path}.claimMappings.groups`, mappings.groups?.expression, expression)
        : claimPlace(`${path}.claimMappings.groups`, mappings.groups?.claim, claim);
    case 'uid':
      return form === 'expression'
        ? expressionPlace(`${path}.claimMappings.uid`, mappings.uid?.expression, expression)
        : claimPlace(`${path}.claimMappings.uid`, mappings.uid?.claim, claim);
    case 'extra':
      return mappings.extra.flatMap(({ valueExpression }, index) =>
        expressionPlace(`${path}.claimMappings.extra[${index}]`, valueExpression, expression),
      );
    case 'claim rule':
      return entry.claimValidationRules.flatMap((rule, index) => {
        const at = `${path}.claimValidationRules[${index}]`;
        if (claim !== undefined) return requiredClaimPlace(at, rule, claim, facts.get('want'));
        return rulePlace(at, rule.expression, rule.message, facts);
      });
    case 'user rule':
      return entry.userValidationRules.flatMap((rule, index) =>
        rulePlace(`${path}.userValidationRules[${index}]`, rule.expression, rule.message, facts),
      );
    default:
      return [];
  }
};

const place = (path: string, text: LocatedString | undefined, otherwise: Span): MessagePlace => ({
  path,
  span: text?.span ?? otherwise,
});

/** Returns the mapped claim if the message names it, or any mapped claim if it names none. */
const claimPlace = (
  path: string,
  text: LocatedString | undefined,
  claim: string | undefined,
): readonly MessagePlace[] =>
  text === undefined || (claim !== undefined && text.value !== claim)
    ? []
    : [{ path, span: text.span }];

const expressionPlace = (
  path: string,
  text: LocatedString | undefined,
  expression: string | undefined,
): readonly MessagePlace[] => {
  if (text === undefined || text.value === '') return [];
  return expression === undefined || text.value === expression ? [{ path, span: text.span }] : [];
};

const requiredClaimPlace = (
  path: string,
  rule: ClaimValidationRuleConfig,
  claim: string,
  want: string | undefined,
): readonly MessagePlace[] => {
  if (rule.claim?.value !== claim) return [];
  if (want !== undefined && (rule.requiredValue?.value ?? '') !== want) return [];
  return [{ path, span: rule.claim.span }];
};

/**
 * Finds the rule of a rejection, which names expression and message together, so it is unambiguous.
 */
const rulePlace = (
  path: string,
  expression: LocatedString | undefined,
  message: LocatedString | undefined,
  facts: ReadonlyMap<string, string>,
): readonly MessagePlace[] => {
  if (expression === undefined) return [];
  const refusal = facts.get('refusal');
  const fits =
    refusal === undefined
      ? facts.get('expression') === undefined || facts.get('expression') === expression.value
      : refusal === `validation expression '${expression.value}' failed: ${message?.value ?? ''}`;
  return fits ? [{ path, span: expression.span }] : [];
};

const anonymousPlace = ({ anonymous }: AuthenticationConfiguration): readonly MessagePlace[] =>
  anonymous === undefined ? [] : [{ path: 'anonymous', span: anonymous.span }];

/** Finds the deepest part of the configuration on the path of a validation error. */
const fieldPlace = (path: string, { configuration, origins }: PlacedCompilation) => {
  if (path.startsWith('anonymous')) return anonymousPlace(configuration);
  for (let at = fieldPart.exec(path)?.[0] ?? ''; at !== ''; at = at.replace(lastStep, '')) {
    const span = origins.get(at);
    if (span !== undefined) return [{ path, span }];
  }
  return [];
};

/** The part of a path whose position is shown: an issuer's field, but a whole mapping or rule. */
const fieldPart =
  /^jwt\[\d+\](?:\.issuer(?:\.\w+(?:\[\d+\])?)?|\.claimMappings(?:\.(?:username|groups|uid)|\.extra\[\d+\])?|\.(?:claim|user)ValidationRules\[\d+\])?/;

const lastStep = /(?:\.\w+|\[\d+\]|^jwt)$/;

/** Compares `"a"` or `["a" "b"]` (sorted) with the list of the file. */
const sameAudiences = (printed: string, audiences: readonly LocatedString[]): boolean => {
  const listed = [...printed.matchAll(/"((?:[^"\\]|\\.)*)"?/g)].map((match) => match[1] ?? '');
  const own = [...new Set(audiences.map(({ value }) => value))].sort();
  return listed.length === own.length && listed.every((text, at) => text === own[at]);
};
