/** Calls once, shortly after the last of several changes. */
export const debounce = (
  call: () => unknown,
  milliseconds: number,
): { (): void; dispose(): void } => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return Object.assign(
    () => {
      clearTimeout(timer);
      timer = setTimeout(call, milliseconds);
    },
    { dispose: () => clearTimeout(timer) },
  );
};
