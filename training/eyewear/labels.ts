import { readFile } from "node:fs/promises";
import type { Label } from "./sample.ts";

const named: Record<Exclude<Label, "none"> | "skip", readonly string[]> = JSON.parse(
  await readFile(new URL("labels.json", import.meta.url), "utf8"),
);

/** What the portrait of this name wears, as looked at one by one; `skip` where that cannot be told. */
export const labelOf = (name: string): Label | "skip" => {
  for (const label of ["eye", "tinted", "sun", "skip"] as const) {
    if (named[label].includes(name)) return label;
  }
  return "none";
};
