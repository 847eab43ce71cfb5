/** Returns a function that calls `call` shortly after the last of several invocations. */
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
