/** The architectures of the image, as OCI, Debian and Node.js name them. */
export const architectures = ['amd64', 'arm64'] as const;

export type Architecture = (typeof architectures)[number];

export const isArchitecture = (name: string): name is Architecture =>
  architectures.some((one) => one === name);

/** The architecture in the names of Node.js, and so of npm packages. */
export const nodeArchitecture = { amd64: 'x64', arm64: 'arm64' } as const;

/** A folder that becomes a layer of the image. */
export interface Layer {
  readonly folder: string;
  /** What the layer is, for the history of the image. */
  readonly title: string;
}
