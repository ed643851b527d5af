/** Composition of the external provider that decides on documents in place of this service. */
import type { Config } from "#config/config";
import type { MorphologyProvider } from "#document/validation/provider/document-provider";
import { makeEgress } from "#egress/make-egress";
import { makeVeriff } from "#provider/veriff/veriff";

/** The provider that the configuration names; undefined if this service decides. */
export const openDocumentProvider = ({
  morphology,
  egress,
}: Pick<Config, "morphology" | "egress">): MorphologyProvider | undefined =>
  morphology.provider === "local"
    ? undefined
    : makeVeriff({ ...morphology.access, egress: makeEgress(egress) });
