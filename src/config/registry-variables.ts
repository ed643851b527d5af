import { text } from "./variable-kinds.ts";

/** Settings of civil registries. */
export const registryVariables = {
  IDEM_REGISTRIES: text(
    "YAML file that names the civil registry of each country, for live and for test keys (docs/guides/registry-gateway.md). Every process needs a copy. Absent: no registry is asked.",
    "a path",
  ),
};
