import type { HeadLine } from "#record/transactions/evidence-file";

/** What an export wrote, as a sentence or as JSON. */
export const describeExport = (
  { since = 0, lastSeq, headHash }: HeadLine,
  file: string,
  isJson: boolean,
): string => {
  const entries = lastSeq - since;
  if (isJson) return JSON.stringify({ entries, lastSeq, headHash, file });
  const noun = entries === 1 ? "entry" : "entries";
  return `${entries} ${noun}, the last is ${lastSeq}, head ${headHash}, written to ${file}`;
};
