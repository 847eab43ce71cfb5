/** The output of the demo for a terminal and as JSON, as pure functions. */
import { demoFilePaths } from './demo-files.ts';
import { type DemoPerson, demoIssuerHost, demoIssuerNames } from './people.ts';

export interface DemoFacts {
  /** Example: `https://127.0.0.1:8443`. */
  readonly url: string;
  readonly apiDomain: string;
  /** The shortest path of the file to edit. */
  readonly configuration: string;
  readonly folder: string;
  readonly people: readonly DemoPerson[];
}

/** The decision of the graph in service about a person's token. */
export type DemoAnswer =
  | { readonly status: 201; readonly username: string; readonly groups: readonly string[] }
  | { readonly status: 401; readonly because: string };

/** Decisions by the name of the person. */
export type DemoAnswers = ReadonlyMap<string, DemoAnswer>;

export interface ScreenOptions {
  readonly color: boolean;
}

/** Returns the commands for one person. */
export const commandsOf = (facts: DemoFacts, person: DemoPerson) => {
  const paths = demoFilePaths(facts.folder);
  const review = `${facts.url}/apis/authentication.${facts.apiDomain}/v1/selfsubjectreviews`;
  return {
    curl: [
      `curl -sS --cacert ${quoted(paths.certificateAuthority)}`,
      `-H ${quoted(`@${paths.authorization(person.name)}`)}`,
      `-H 'Content-Type: application/json' -d @${quoted(paths.review)}`,
      review,
    ],
    kubectl: `kubectl --kubeconfig ${quoted(paths.kubeconfig)} --user ${person.name} auth whoami`,
  };
};

/** Renders the welcome screen; no line is wider than the longest command. */
export const renderWelcome = (
  facts: DemoFacts,
  answers: DemoAnswers,
  options: ScreenOptions,
): string => {
  const paint = painter(options);
  const lines = [
    '',
    `  ${paint.strong('AuthGraph')} listens on ${paint.link(facts.url)}`,
    '',
    ...columns([
      ['  edit', paint.strong(facts.configuration), 'saving it reloads the server'],
      ['  trust', demoIssuerNames.map(demoIssuerHost).join(', '), 'issuers inside this demo'],
      ['  files', facts.folder, 'tokens valid for an hour, renewed automatically'],
    ]).map((line) => paint.labeled(line)),
    '',
    ...answerTable(facts, answers, paint),
    '',
    `  Paste a command into another terminal to see ${paint.strong('who am I')}:`,
    ...facts.people.flatMap((person) => commandLines(facts, person, answers, paint)),
    '',
    `  ${paint.faint('Without a token, only /livez, /readyz and /healthz are available. Ctrl-C stops the demo.')}`,
    '',
  ];
  return `${lines.join('\n')}\n`;
};

/** Renders the decisions that a reload changed, or one line if it changed none. */
export const renderChanges = (
  people: readonly DemoPerson[],
  before: DemoAnswers,
  after: DemoAnswers,
  options: ScreenOptions,
): string => {
  const paint = painter(options);
  const rows = people.flatMap(({ name }) => {
    const [was, is] = [before.get(name), after.get(name)];
    if (was === undefined || is === undefined || answerText(was) === answerText(is)) return [];
    const paintChange = is.status === 201 ? paint.good : paint.bad;
    return [
      [`    ${paint.strong(name)}`, paint.faint(answerText(was)), '→', paintChange(answerText(is))],
    ];
  });
  if (rows.length === 0) return `    ${people.map(({ name }) => name).join(', ')}: unchanged\n`;
  return `${columns(rows).join('\n')}\n`;
};

/** Renders the welcome as one line of JSON. */
export const welcomeJson = (facts: DemoFacts, answers: DemoAnswers): string =>
  `${JSON.stringify({
    kind: 'ready',
    url: facts.url,
    configuration: facts.configuration,
    folder: facts.folder,
    certificateAuthority: demoFilePaths(facts.folder).certificateAuthority,
    kubeconfig: demoFilePaths(facts.folder).kubeconfig,
    people: facts.people.map((person) => ({
      name: person.name,
      role: person.role,
      tokenFile: demoFilePaths(facts.folder).token(person.name),
      answer: answers.get(person.name),
      curl: commandsOf(facts, person).curl.join(' '),
      kubectl: commandsOf(facts, person).kubectl,
    })),
  })}\n`;

type Painter = ReturnType<typeof painter>;

const painter = ({ color }: ScreenOptions) => {
  const sgr = (code: number, text: string) => (color ? `\u001b[${code}m${text}\u001b[0m` : text);
  return {
    strong: (text: string) => sgr(1, text),
    faint: (text: string) => sgr(2, text),
    link: (text: string) => sgr(36, text),
    good: (text: string) => sgr(32, text),
    bad: (text: string) => sgr(31, text),
    /** Dims the first word of a line. */
    labeled: (line: string) => line.replace(/^( *)(\S+)/, (_, space, word) => space + sgr(2, word)),
  };
};

const answerTable = (facts: DemoFacts, answers: DemoAnswers, paint: Painter): readonly string[] => {
  const rows = facts.people.map(({ name, role }) => {
    const answer = answers.get(name);
    const status =
      answer?.status === 201 ? paint.good('201 Created') : paint.bad('401 Unauthorized');
    return [
      `  ${paint.strong(name)}`,
      role,
      status,
      answer === undefined ? '' : answerText(answer),
    ];
  });
  const [head = '', ...rest] = columns([['  WHO', 'ROLE', 'ANSWER', ''], ...rows]);
  return [paint.faint(head), ...rest];
};

const answerText = (answer: DemoAnswer): string => {
  if (answer.status === 401) return answer.because;
  // Every authenticated user has this group.
  const groups = answer.groups.filter((group) => group !== 'system:authenticated');
  return groups.length === 0 ? answer.username : `${answer.username}, in ${groups.join(' and ')}`;
};

const commandLines = (
  facts: DemoFacts,
  person: DemoPerson,
  answers: DemoAnswers,
  paint: Painter,
): readonly string[] => {
  const { curl, kubectl } = commandsOf(facts, person);
  const answer = answers.get(person.name);
  const outcome = answer?.status === 201 ? `201, ${answer.username}` : '401 Unauthorized';
  return [
    '',
    `  ${paint.faint(`# ${person.name}: ${outcome}`)}`,
    ...curl.map((part, at) => {
      const indent = at === 0 ? '  ' : '    ';
      return `${indent}${part}${at === curl.length - 1 ? '' : ' \\'}`;
    }),
    `  ${kubectl}`,
  ];
};

/** Pads each column to its widest cell; color codes have no width. */
const columns = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, at) => {
      widths[at] = Math.max(widths[at] ?? 0, widthOf(cell));
    });
  }
  return rows.map((row) =>
    row
      .map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd(),
  );
};

const widthOf = (cell: string): number => cell.replaceAll(/\u001b\[\d+m/g, '').length;

/** Quotes a path for a POSIX shell; the temporary directory may contain a space. */
const quoted = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
