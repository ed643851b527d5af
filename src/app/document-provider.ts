/** Composition of the external provider that decides on documents in place of this service. */
import type { Config } from "#config/config";
import type { MorphologyProvider } from "#document/validation/provider/document-provider";
import type { Egress } from "#egress/egress";
import { makeVeriff } from "#provider/veriff/veriff";

/** The provider that the configuration names; undefined if this service decides. */
export const openDocumentProvider = (
  { morphology }: Pick<Config, "morphology">,
  egress: Egress,
): MorphologyProvider | undefined =>
  morphology.provider === "local" ? undefined : makeVeriff({ ...morphology.access, egress });
