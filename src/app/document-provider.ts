/** Composition of the external provider that decides on documents in place of this service. */

import { makeVeriff } from "#judging/document/provider/veriff/veriff";
import type { MorphologyProvider } from "#judging/document/validation/provider/document-provider";
import type { Config } from "#machine/config/config";
import type { Egress } from "#machine/egress/egress";

/** The provider that the configuration names; undefined if this service decides. */
export const openDocumentProvider = (
  { morphology }: Pick<Config, "morphology">,
  egress: Egress,
): MorphologyProvider | undefined =>
  morphology.provider === "local" ? undefined : makeVeriff({ ...morphology.access, egress });
