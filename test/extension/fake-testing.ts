/** A fake of VS Code's Testing API: items are stored, and runs record what was reported. */
import type { URI } from 'vscode-uri';

export class FakeTestItem {
  readonly children: FakeTestItems;
  parent: FakeTestItem | undefined;
  error: string | undefined;
  range: unknown;
  busy = false;
  canResolveChildren = false;
  readonly id: string;
  readonly label: string;
  readonly uri: URI | undefined;
  constructor(id: string, label: string, uri: URI | undefined) {
    this.id = id;
    this.label = label;
    this.uri = uri;
    this.children = new FakeTestItems(this);
  }
}

export class FakeTestItems {
  readonly #items = new Map<string, FakeTestItem>();
  readonly owner: FakeTestItem | undefined;
  constructor(owner?: FakeTestItem) {
    this.owner = owner;
  }
  get size(): number {
    return this.#items.size;
  }
  get = (id: string): FakeTestItem | undefined => this.#items.get(id);
  add(item: FakeTestItem): void {
    item.parent = this.owner;
    this.#items.set(item.id, item);
  }
  delete = (id: string): boolean => this.#items.delete(id);
  [Symbol.iterator] = (): Iterator<[string, FakeTestItem]> => this.#items[Symbol.iterator]();
}

export class TestMessage {
  expectedOutput: string | undefined;
  actualOutput: string | undefined;
  location: { readonly uri: URI; readonly range: unknown } | undefined;
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
  static diff(message: string, expected: string, actual: string): TestMessage {
    return Object.assign(new TestMessage(message), {
      expectedOutput: expected,
      actualOutput: actual,
    });
  }
}

/** Records the reports of a run as `passed: <label>`. */
export class FakeRun {
  readonly reports: string[] = [];
  readonly messages: TestMessage[] = [];
  readonly coverage: FileCoverage[] = [];
  printed = '';
  isEnded = false;
  readonly token: unknown;
  constructor(token: unknown) {
    this.token = token;
  }
  started(): void {}
  passed = ({ label }: FakeTestItem): unknown => this.reports.push(`passed: ${label}`);
  skipped = ({ label }: FakeTestItem): unknown => this.reports.push(`skipped: ${label}`);
  failed({ label }: FakeTestItem, messages: readonly TestMessage[]): void {
    this.reports.push(`failed: ${label}`);
    this.messages.push(...messages);
  }
  errored({ label }: FakeTestItem, message: TestMessage): void {
    this.reports.push(`errored: ${label}`);
    this.messages.push(message);
  }
  appendOutput(text: string): void {
    this.printed += text;
  }
  addCoverage = (coverage: FileCoverage): unknown => this.coverage.push(coverage);
  end(): void {
    this.isEnded = true;
  }
}

/** `token` is that of the runs. */
export const fakeController = (token: unknown) => {
  const runs: FakeRun[] = [];
  return {
    runs,
    items: new FakeTestItems(),
    createTestItem: (id: string, label: string, uri: URI) => new FakeTestItem(id, label, uri),
    createTestRun: () => {
      const run = new FakeRun(token);
      runs.push(run);
      return run;
    },
  };
};

type Run = (request: object, token: object) => Promise<void>;

/** What was created last: the controller, and what its first profile runs. */
export const created: { controller?: ReturnType<typeof fakeController>; run?: Run } = {};

export const tests = {
  createTestController: () => {
    const controller = {
      ...fakeController({ isCancellationRequested: false }),
      createRunProfile: (_label: string, _kind: number, run: Run) => {
        created.run ??= run;
        return { dispose: () => undefined };
      },
      dispose: () => undefined,
    };
    Object.assign(created, { controller, run: undefined });
    return controller;
  },
};

export const TestRunProfileKind = { Run: 1, Debug: 2, Coverage: 3 };

export class Location {
  readonly uri: URI;
  readonly range: unknown;
  constructor(uri: URI, range: unknown) {
    this.uri = uri;
    this.range = range;
  }
}

export class Position {
  readonly line: number;
  readonly character: number;
  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(line: number, character: number, endLine: number, endCharacter: number) {
    this.start = new Position(line, character);
    this.end = new Position(endLine, endCharacter);
  }
}

export class BranchCoverage {
  readonly executed: number;
  readonly location: Range;
  readonly label: string;
  constructor(executed: number, location: Range, label: string) {
    this.executed = executed;
    this.location = location;
    this.label = label;
  }
}

export class StatementCoverage {
  readonly executed: number;
  readonly location: Range;
  readonly branches: readonly BranchCoverage[];
  constructor(executed: number, location: Range, branches: readonly BranchCoverage[]) {
    this.executed = executed;
    this.location = location;
    this.branches = branches;
  }
}

export class FileCoverage {
  readonly uri: URI;
  readonly details: readonly StatementCoverage[];
  constructor(uri: URI, details: readonly StatementCoverage[]) {
    this.uri = uri;
    this.details = details;
  }
  static fromDetails = (uri: URI, details: readonly StatementCoverage[]): FileCoverage =>
    new FileCoverage(uri, details);
}
