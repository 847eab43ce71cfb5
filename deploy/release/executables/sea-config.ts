/** The configuration with which Node.js writes an executable. */

export interface SeaFiles {
  /** The program of Node.js for the platform. */
  readonly node: string;
  readonly executable: string;
  /** Paths by the name under which the program reads them. */
  readonly assets: Readonly<Record<string, string>>;
}

/** The bundled program, in the folder in which Node.js runs. */
export const programFile = 'program.cjs';

/** Returns the JSON text. The path in `main` and the names of the assets become parts of the executable. */
export const seaConfig = ({ node, executable, assets }: SeaFiles): string =>
  JSON.stringify({
    // The executable contains this path, so it must not name a folder of this run.
    main: programFile,
    mainFormat: 'commonjs',
    executable: node,
    output: executable,
    disableExperimentalSEAWarning: true,
    // Both depend on the machine that runs Node.js.
    useSnapshot: false,
    useCodeCache: false,
    execArgv: ['--disable-sigusr1'],
    assets,
  });
