import type { Manifest } from "./manifest.ts";

/** The label of a model in texts and decisions. */
export const labelOf = ({ name, version }: Pick<Manifest, "name" | "version">): string =>
  `${name}@${version}`;
