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
import { counted } from '../formats/counted.ts';
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

export interface StepsLane {
  readonly kind: 'steps';
  /** `jwt[0]` or `anonymous`, for example. */
  readonly id: string;
  /** One list for each of `columnNames`; empty where the lane has no such step. */
  readonly columns: readonly (readonly LaneStep[])[];
}

/** An authenticator that is folded into one row. The id of its only step is that of the lane. */
export interface RowLane {
  readonly kind: 'row';
  readonly id: string;
  readonly step: LaneStep;
  /** Whether the entry has errors, so that it has no node in the graph. */
  readonly isInvalid: boolean;
}

export type Lane = StepsLane | RowLane;

/** An entry that has no node in the graph because of its errors. */
export interface InvalidEntry {
  /** Index in `jwt`. */
  readonly index: number;
  /** Empty if it is not known. */
  readonly issuerUrl: string;
  /** The messages of its errors. */
  readonly errors: readonly string[];
}

export interface LaneOptions {
  readonly path?: GraphPath | undefined;
  /** Whether authenticators that the path does not reach are folded, however few there are. */
  readonly foldsOthers: boolean;
  readonly invalid?: readonly InvalidEntry[] | undefined;
}

/**
 * The maximum number of authenticators that are not folded into a row each. Larger pictures would
 * be unreadable.
 */
export const maxUnfoldedLanes = 12;

/** Returns the lanes of a graph. The lane of `path` is never folded. */
export const graphLanes = (
  graph: AuthenticatorGraph,
  { path, foldsOthers, invalid = [] }: LaneOptions,
): readonly Lane[] => {
  const isFolded = graph.nodes.length > maxUnfoldedLanes || (foldsOthers && path !== undefined);
  const entries = graph.nodes.map((node): Lane => {
    const lane = jwtLane(node);
    return isFolded && path?.lane !== node.id ? foldLane(lane, node) : lane;
  });
  return [
    ...explainFlagModules(graph).map(flagModuleLane),
    ...inFileOrder(entries, invalid),
    {
      kind: 'steps',
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

/** Returns the lanes of all entries in the order of the file. */
const inFileOrder = (lanes: readonly Lane[], invalid: readonly InvalidEntry[]): readonly Lane[] => {
  const invalidByIndex = new Map(invalid.map((entry) => [entry.index, entry]));
  const valid = lanes.values();
  return Array.from({ length: lanes.length + invalid.length }, (_, index) => {
    const entry = invalidByIndex.get(index);
    return entry === undefined ? valid.next().value : invalidLane(entry);
  }).filter((lane) => lane !== undefined);
};

const inColumns = (first: readonly LaneStep[], outcome: LaneStep): StepsLane['columns'] => [
  first,
  [],
  [],
  [],
  [],
  [outcome],
];

const flagModuleLane = ({ path, sentence }: ExplainedPart): StepsLane => ({
  kind: 'steps',
  id: path,
  columns: inColumns(
    [{ id: path, label: path, text: sentence, details: [sentence] }],
    userStep(path, []),
  ),
});

const anonymousLane = ({ anonymous }: AuthenticatorGraph): StepsLane => {
  const { sentence } = explainAnonymous(anonymous);
  const { enabled, paths } = anonymous;
  const where = paths === undefined ? 'on every path' : `on ${joinList(paths, 'or')}`;
  return {
    kind: 'steps',
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

const jwtLane = (node: JwtNode): StepsLane => {
  const { id } = node;
  const { sentence, parts } = explainJwt(node);
  const sentences = new Map(parts.map((part) => [part.path, part.sentence]));
  const step = (field: string, label: string, text: string): LaneStep => {
    const sentence = sentences.get(`${id}.${field}`);
    return { id: `${id}.${field}`, label, text, details: sentence === undefined ? [] : [sentence] };
  };
  const issuer = step('issuer', bareUrl(node.issuerUrl), id);
  return {
    kind: 'steps',
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

/** Folds an authenticator into one row, which has the details of all its steps. */
const foldLane = ({ id, columns }: StepsLane, node: JwtNode): RowLane => ({
  kind: 'row',
  id,
  isInvalid: false,
  step: {
    id,
    label: bareUrl(node.issuerUrl),
    text: [
      `audience ${joinList(node.audiences, 'or')}`,
      `username ${prefixedText(node.username)}`,
      ...columns.flatMap((steps, column) =>
        column < firstRuleColumn || column === columns.length - 1 || steps.length === 0
          ? []
          : [`${columnNames[column]}: ${steps.map(({ label }) => label).join(', ')}`],
      ),
    ].join(' · '),
    details: columns.slice(0, -1).flatMap((steps) => steps.flatMap(({ details }) => details)),
  },
});

const firstRuleColumn = columnNames.indexOf('claim rules');

const invalidLane = ({ index, issuerUrl, errors }: InvalidEntry): RowLane => {
  const id = `jwt[${index}]`;
  const count = counted(errors.length, 'error');
  return {
    kind: 'row',
    id,
    isInvalid: true,
    step: {
      id,
      label: `${count}: ${bareUrl(issuerUrl) || id}`,
      text: errors[0] ?? '',
      details: [`The entry has ${count}, so kube-apiserver does not load the file.`, ...errors],
    },
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
