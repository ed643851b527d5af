/** Lets a waiter sleep until the next `wake`. What it waits for is judged anew each time. */
export type Wake = { readonly wake: () => void; readonly next: () => Promise<void> };

export const makeWake = (): Wake => {
  let waiting = Promise.withResolvers<void>();
  return {
    wake: () => {
      waiting.resolve();
      waiting = Promise.withResolvers<void>();
    },
    next: () => waiting.promise,
  };
};
