/** What the demo says on a terminal, and to a machine. Pure: facts in, text out. */
import { demoFilePaths } from './demo-files.ts';
import { type DemoPerson, demoIssuerHost, demoIssuerNames } from './people.ts';

export interface DemoFacts {
  /** `https://127.0.0.1:8443` */
  readonly url: string;
  readonly apiDomain: string;
  /** Path of the file to edit, as short as it can be said. */
  readonly configuration: string;
  readonly folder: string;
  readonly people: readonly DemoPerson[];
}

/** What the graph that serves makes of a person's token. */
export type DemoAnswer =
  | { readonly status: 201; readonly username: string; readonly groups: readonly string[] }
  | { readonly status: 401; readonly because: string };

/** By the names of the people. */
export type DemoAnswers = ReadonlyMap<string, DemoAnswer>;

export interface ScreenOptions {
  readonly color: boolean;
}

/** The commands for one person. */
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

/** The welcome, whole; lines are at most as wide as the longest command. */
export const renderWelcome = (
  facts: DemoFacts,
  answers: DemoAnswers,
  options: ScreenOptions,
): string => {
  const paint = painter(options);
  const lines = [
    '',
    `  ${paint.strong('AuthGraph')} answers at ${paint.link(facts.url)}`,
    '',
    ...columns([
      ['  edit', paint.strong(facts.configuration), 'saving it reloads the server'],
      ['  trust', demoIssuerNames.map(demoIssuerHost).join(', '), 'issuers inside this demo'],
      ['  files', facts.folder, 'tokens for an hour, renewed while it runs'],
    ]).map((line) => paint.labeled(line)),
    '',
    ...answerTable(facts, answers, paint),
    '',
    `  Paste one into another terminal; it asks ${paint.strong('who am I')}:`,
    ...facts.people.flatMap((person) => commandLines(facts, person, answers, paint)),
    '',
    `  ${paint.faint('Without a token only /livez, /readyz and /healthz answer. Ctrl-C ends the demo.')}`,
    '',
  ];
  return `${lines.join('\n')}\n`;
};

/** What a reload changed for the people; one line where it changed nothing. */
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
  if (rows.length === 0)
    return `    ${people.map(({ name }) => name).join(', ')}: answered as before\n`;
  return `${columns(rows).join('\n')}\n`;
};

/** The same facts for a program: one line of JSON. */
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
    /** The first word of a line steps back behind the rest. */
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
  // Every authenticated user has this one; it tells nothing.
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

/** Pads each column to its widest cell; colour codes take no room. */
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

/** For a shell of the POSIX kind; a temporary folder may have a space in its name. */
const quoted = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
