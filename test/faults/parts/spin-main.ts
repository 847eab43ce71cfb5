/** Uses all the processor time that it can get. */
process.on('disconnect', () => process.exit());
const spin = (): void => {
  const end = performance.now() + 200;
  while (performance.now() < end);
  setImmediate(spin);
};
spin();
