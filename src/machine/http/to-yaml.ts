import { stringify } from "yaml";
import type { Json } from "./plain-schema.ts";

/**
 * The YAML form of a specification, the same bytes for the same document. Quotes every text that a YAML 1.1
 * reader would parse as a time or a boolean: many readers still do, and would show `2026-11-21
 * 09:30:00+00:00`.
 */
export const toYaml = (document: Json): string =>
  stringify(document, { aliasDuplicateObjects: false, lineWidth: 110, compat: "yaml-1.1" });
