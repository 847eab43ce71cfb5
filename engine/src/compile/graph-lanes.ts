/**
 * A graph laid out from left to right: one lane for each path that a request can follow, and in
 * each lane the steps in the order in which a token reaches them.
 */
import { explainAnonymous } from '../authenticators/anonymous/explain.ts';
import { type ExplainedPart, joinList } from '../authenticators/explained-part.ts';
import { explainJwt } from '../authenticators/jwt/explain.ts';
import type {
  ClaimRuleNode,
  JwtNode,
  MappingNode,
  PrefixedMappingNode,
} from '../authenticators/jwt/node.ts';
import { explainFlagModules } from './explain-flag-modules.ts';
import type { AuthenticatorGraph } from './graph.ts';

/** How far the claims of a sample got. */
export interface GraphPath {
  /** Name of the sample. */
  readonly name: string;
  /** The result in one line: `jane → oidc:jane · 3 groups`. */
  readonly headline: string;
  /** Id of the lane that the sample followed. */
  readonly lane: string;
  /** Results by the id of a step; steps without a mark were not reached. */
  readonly marks: ReadonlyMap<string, StepMark>;
}

/** The result of a sample at one step of the picture. */
export interface StepMark {
  readonly state: 'lit' | 'failed' | 'idle';
  /** The value that was seen, or the reason for the failure. */
  readonly note?: string;
}

export interface LaneStep {
  /** Path in the configuration, if it has one: `jwt[0].claimMappings.username`. */
  readonly id: string;
  readonly label: string;
  /** The second line: what the step checks or produces. */
  readonly text: string;
  /** Sentences about the step. */
  readonly details: readonly string[];
}

export const columnNames = [
  'issuer',
  'audience',
  'mappings',
  'claim rules',
  'user rules',
  'outcome',
] as const;

export interface Lane {
  /** `jwt[0]` or `anonymous`, for example. */
  readonly id: string;
  /** One list for each of `columnNames`; empty where the lane has no such step. */
  readonly columns: readonly (readonly LaneStep[])[];
}

/**
 * The maximum number of lanes in which columns with several steps are not folded. Larger pictures
 * would be unreadable.
 */
export const maxUnfoldedLanes = 12;

/** Returns the lanes of a graph. The lane of `path` is never folded. */
export const graphLanes = (graph: AuthenticatorGraph, path?: GraphPath): readonly Lane[] => {
  const isMany = graph.nodes.length > maxUnfoldedLanes;
  return [
    ...explainFlagModules(graph).map(flagModuleLane),
    ...graph.nodes.map((node) => {
      const lane = jwtLane(node);
      return isMany && path?.lane !== node.id ? foldLane(lane) : lane;
    }),
    {
      id: 'otherwise',
      columns: inColumns(
        [
          {
            id: 'otherwise',
            label: 'any other token',
            text: 'no authenticator accepts it',
            details: ['A token from another issuer is rejected.'],
          },
        ],
        {
          id: 'rejected',
          label: '401 Unauthorized',
          text: '',
          details: ['The request is rejected.'],
        },
      ),
    },
    anonymousLane(graph),
  ];
};

const inColumns = (first: readonly LaneStep[], outcome: LaneStep): Lane['columns'] => [
  first,
  [],
  [],
  [],
  [],
  [outcome],
];

const flagModuleLane = ({ path, sentence }: ExplainedPart): Lane => ({
  id: path,
  columns: inColumns(
    [{ id: path, label: path, text: sentence, details: [sentence] }],
    userStep(path, []),
  ),
});

const anonymousLane = ({ anonymous }: AuthenticatorGraph): Lane => {
  const { sentence } = explainAnonymous(anonymous);
  const { enabled, paths } = anonymous;
  const where = paths === undefined ? 'on every path' : `on ${joinList(paths, 'or')}`;
  return {
    id: 'anonymous',
    columns: inColumns(
      [
        {
          id: 'anonymous',
          label: 'no token',
          text: enabled ? where : 'not allowed',
          details: [sentence],
        },
      ],
      {
        id: 'anonymous.user',
        label: enabled ? 'system:anonymous' : '401 Unauthorized',
        text: enabled && paths !== undefined ? '401 elsewhere' : '',
        details: [sentence],
      },
    ),
  };
};

const userStep = (id: string, details: readonly string[]): LaneStep => ({
  id: `${id}.user`,
  label: 'user',
  text: 'and system:authenticated',
  details: [
    'The request is authenticated; the user is a member of system:authenticated.',
    ...details,
  ],
});

const jwtLane = (node: JwtNode): Lane => {
  const { id } = node;
  const { sentence, parts } = explainJwt(node);
  const sentences = new Map(parts.map((part) => [part.path, part.sentence]));
  const step = (field: string, label: string, text: string): LaneStep => {
    const sentence = sentences.get(`${id}.${field}`);
    return { id: `${id}.${field}`, label, text, details: sentence === undefined ? [] : [sentence] };
  };
  const issuer = step('issuer', bareUrl(node.issuerUrl), id);
  return {
    id,
    columns: [
      [{ ...issuer, details: [sentence, ...issuer.details] }],
      [step('issuer.audiences', 'audience', joinList(node.audiences, 'or'))],
      [
        step('claimMappings.username', 'username', prefixedText(node.username)),
        ...(node.groups === undefined
          ? []
          : [step('claimMappings.groups', 'groups', prefixedText(node.groups))]),
        ...(node.uid === undefined
          ? []
          : [step('claimMappings.uid', 'UID', mappingText(node.uid))]),
        ...node.extra.map(({ key, expression }, index) =>
          step(`claimMappings.extra[${index}]`, `extra ${key}`, oneLine(expression.text)),
        ),
      ],
      node.claimValidationRules.map((rule, index) => {
        const { label, text } = claimRuleText(rule);
        return step(`claimValidationRules[${index}]`, label, text);
      }),
      node.userValidationRules.map(({ expression, message }, index) =>
        step(`userValidationRules[${index}]`, message || 'user rule', oneLine(expression.text)),
      ),
      [userStep(id, [])],
    ],
  };
};

/** Replaces several steps of a column by one. */
const foldLane = ({ id, columns }: Lane): Lane => {
  const names = ['', '', 'claimMappings', 'claimValidationRules', 'userValidationRules', ''];
  return {
    id,
    columns: columns.map((steps, column) => {
      const name = names[column] ?? '';
      if (name === '' || steps.length < 2) return steps;
      const noun = columnNames[column] ?? '';
      return [
        {
          id: `${id}.${name}`,
          label: `${steps.length} ${noun}`,
          text: steps.map(({ label }) => label).join(', '),
          details: steps.flatMap(({ details }) => details),
        },
      ];
    }),
  };
};

const bareUrl = (url: string): string => url.replace(/^https:\/\//, '');

const prefixedText = (mapping: PrefixedMappingNode): string => {
  if (mapping.kind === 'expression') return oneLine(mapping.expression.text);
  return `${JSON.stringify(mapping.prefix)} + claim ${mapping.claim}`.replace(/^"" \+ /, '');
};

const mappingText = (mapping: MappingNode): string =>
  mapping.kind === 'expression' ? oneLine(mapping.expression.text) : `claim ${mapping.claim}`;

const claimRuleText = (rule: ClaimRuleNode): Pick<LaneStep, 'label' | 'text'> =>
  rule.kind === 'claim'
    ? { label: rule.claim, text: `is ${JSON.stringify(rule.requiredValue)}` }
    : { label: rule.message || 'claim rule', text: oneLine(rule.expression.text) };

const oneLine = (expression: string): string => expression.replaceAll(/\s+/g, ' ').trim();
