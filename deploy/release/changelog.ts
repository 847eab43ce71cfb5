/** The changes of one version, from CHANGELOG.md. */

export interface ChangelogExcerpt {
  readonly text: string;
  /** Whether changes are listed under "Unreleased", which are no part of the excerpt. */
  readonly hasUnreleased: boolean;
}

/** Returns the section of the version; throws if there is none, or if it is empty. */
export const changelogExcerpt = (changelog: string, version: string): ChangelogExcerpt => {
  const sections = new Map(
    changelog
      .split(/^## /m)
      .slice(1)
      .map((section) => {
        const [heading = '', ...lines] = section.split('\n');
        // A heading may have the date: `0.2.0 - 2027-01-31`, `[0.2.0] - 2027-01-31`.
        const [name = ''] = heading.replaceAll(/[[\]]/g, '').split(' - ');
        return [name.trim(), lines.join('\n').trim()];
      }),
  );
  const text = sections.get(version);
  if (text === undefined)
    throw new Error(
      `CHANGELOG.md has no heading "## ${version}". Move the entries of this release below it.`,
    );
  if (text === '') throw new Error(`CHANGELOG.md has no entries below "## ${version}".`);
  return {
    text: `# AuthGraph ${version}\n\n${text}\n`,
    hasUnreleased: !!sections.get('Unreleased'),
  };
};
