/** The variables of GitHub Actions that name the repository. */
export interface RepositoryEnvironment {
  readonly GITHUB_SERVER_URL?: string | undefined;
  readonly GITHUB_REPOSITORY?: string | undefined;
}

/** Returns the address of the repository; `undefined` outside of GitHub Actions. */
export const repositoryAddress = ({
  GITHUB_SERVER_URL: server,
  GITHUB_REPOSITORY: name,
}: RepositoryEnvironment): string | undefined =>
  server === undefined || name === undefined ? undefined : `${server}/${name}`;
