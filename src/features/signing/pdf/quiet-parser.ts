/**
 * Silences `console.warn` in this thread or program. The parser's library writes a warning with its stack for each text of a file that
 * it cannot decrypt: as many as a caller wants, and beside the log. What is wrong with a file stands in the failure.
 */
export const quietParser = (): void => {
  // oxlint-disable-next-line no-console
  console.warn = (): void => undefined;
};
