// Fails early, with the fix, when scripts run on a Node older than the packages support.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `authgraph requires Node.js 22.19 or newer; found ${process.versions.node}.\n` +
      'Run through npm scripts after `npm ci` (the repository brings its own Node as an optional\n' +
      'platform package), or install a newer Node.',
  );
  process.exit(1);
}
