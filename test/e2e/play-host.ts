/** Runs all lists on one extension host: one VS Code, one browser, and a window per list. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Host, startCodeServer } from './code-server.ts';
import type { StepList } from './lists/registry.ts';
import { type Play, StepFailed, type StepResult, windowSize } from './stage.ts';
import type { Tools } from './tools.ts';
import { patience } from './until.ts';

export interface HostRun {
  readonly tools: Tools;
  readonly host: Host;
  /** The .vsix files to install. */
  readonly packages: readonly string[];
  readonly pictures: string;
  readonly lists: readonly StepList[];
  /**
   * Plays a list that failed once more. On a busy machine VS Code may hide a notification before a
   * step looks at it.
   */
  readonly repeatsFailed: boolean;
  readonly recordsTrees: boolean;
}

export interface Played {
  readonly steps: readonly StepResult[];
  readonly notes: readonly string[];
}

export const playHost = async (run: HostRun): Promise<Played> => {
  const { tools, host } = run;
  const results: StepResult[] = [];
  const notes: string[] = [];
  const note = (text: string): void => {
    notes.push(text);
    console.log(`-- ${host}: ${text}`);
  };
  /** The results of the list that is played. */
  let current: StepResult[] = [];
  const record = (result: StepResult): void => {
    current.push(result);
    const mark = result.failure === undefined ? 'ok' : 'FAILED';
    console.log(`${mark} ${host} ${result.list}: ${result.name} (${result.milliseconds} ms)`);
    if (result.failure !== undefined) console.log(result.failure.replace(/^/gm, '    '));
  };
  const server = await startCodeServer({ tools, host, packages: run.packages });
  const manifests = server.extensions.map(manifestIn);
  const titles = new Map(manifests.flatMap((manifest) => [...titlesOf(manifest)]));
  const compared = manifests
    .filter(({ name }) => !name.startsWith('authgraph'))
    .map(({ displayName, name }) => displayName ?? name);
  try {
    const context = await tools.chromium.launchPersistentContext(join(server.home, 'browser'), {
      executablePath: tools.chromiumPath,
      viewport: windowSize,
      args: browserArguments,
    });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], {
      origin: server.address,
    });
    context.setDefaultTimeout(patience);
    const requested = new Set<string>();
    context.on('request', (request) => requested.add(request.url()));
    const play: Play = {
      host,
      server,
      context,
      pictures: run.pictures,
      titles,
      compared,
      recordsTrees: run.recordsTrees,
      requested,
      record,
      note,
    };
    const playList = async ({ name, play: list }: StepList): Promise<readonly StepResult[]> => {
      current = [];
      try {
        await list(play);
      } catch (cause) {
        if (!(cause instanceof StepFailed)) {
          record({ list: name, name: 'opens', milliseconds: 0, picture: '', failure: `${cause}` });
        }
      }
      for (const page of context.pages().slice(1)) await page.close();
      return current;
    };
    try {
      for (const list of run.lists) {
        let steps = await playList(list);
        const failed = steps.filter(({ failure }) => failure !== undefined);
        if (run.repeatsFailed && failed.length > 0) {
          note(`repeats the list ${list.name}, which failed: ${failed.map(({ name }) => name)}`);
          steps = await playList(list);
        }
        results.push(...steps);
      }
    } finally {
      await context.close();
    }
    return { steps: results, notes };
  } finally {
    await server.stop();
    if (process.env.AUTHGRAPH_E2E_KEEP === undefined) server.remove();
    else console.log(`retained: ${server.home}`);
  }
};

/** Keeps the browser from contacting any other machine. */
const browserArguments = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--hide-scrollbars=false',
];

interface Manifest {
  readonly name: string;
  readonly displayName?: string;
  readonly contributes: {
    readonly commands: readonly {
      readonly command: string;
      readonly title: string;
      readonly category?: string;
    }[];
  };
}

/** Reads the installed manifest. */
const manifestIn = (extension: string): Manifest =>
  JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8'));

/** Returns the titles that the palette shows, by command ID. */
const titlesOf = (manifest: Manifest): ReadonlyMap<string, string> =>
  new Map(
    manifest.contributes.commands.map(({ command, title, category }) => [
      command,
      category === undefined ? title : `${category}: ${title}`,
    ]),
  );
