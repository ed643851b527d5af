import { readFile } from "node:fs/promises";
import type { Label } from "./sample.ts";

const named: Record<Exclude<Label, "none"> | "skip", readonly string[]> = JSON.parse(
  await readFile(new URL("labels.json", import.meta.url), "utf8"),
);

/** The eyewear in the portrait of this name, labelled by eye; `skip` where it is not visible. */
export const labelOf = (name: string): Label | "skip" => {
  for (const label of ["eye", "tinted", "sun", "skip"] as const) {
    if (named[label].includes(name)) return label;
  }
  return "none";
};
