/** Composition of the provider that judges documents in place of this service, where the operator has one. */
import type { Config } from "./config.ts";
import type { MorphologyProvider } from "./document/outside/morphology-provider.ts";
import { makeVeriff } from "./document/outside/veriff/veriff.ts";
import { makeEgress } from "./egress/make-egress.ts";

/** Undefined where this service judges documents itself. */
export const openMorphology = ({
  morphology,
  egress,
}: Pick<Config, "morphology" | "egress">): MorphologyProvider | undefined =>
  morphology.provider === "local"
    ? undefined
    : makeVeriff({ ...morphology.access, egress: makeEgress(egress) });
