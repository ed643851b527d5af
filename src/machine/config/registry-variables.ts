import { Type } from "typebox";
import { text } from "./variable-kinds.ts";

/** Settings of civil registries. */
export const registryVariables = {
  IDEM_REGISTRIES: text(
    "YAML file that names the civil registry of each country, for live and for test keys (docs/guides/integrate/civil-registries.md). Every process needs a copy. Absent: no registry is asked.",
    "a path",
  ),
  IDEM_REGISTRY_CHECK: Type.Enum(["off", "on"], {
    default: "off",
    description:
      "Whether a document validation asks the civil registry of the document's country (reason codes 123 and 544). Each question has a price and a legal basis of its own: docs/guides/integrate/civil-registries.md.",
  }),
};
