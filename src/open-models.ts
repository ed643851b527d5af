/** Composition root of the models that operators add: where they lie, how they come, what keeps them out. */
import { join } from "node:path";
import type { Config } from "./config.ts";
import { makeEgress } from "./egress/make-egress.ts";
import { readOnnxFacts } from "./inference/onnx-facts.ts";
import { tryNetwork } from "./inference/trial.ts";
import { makeAcquire } from "./models/acquire.ts";
import { readBlocked, readCatalogue } from "./models/catalogue.ts";
import { choose, empty, findInCatalogue, remove } from "./models/choose.ts";
import { makeExamine } from "./models/examine.ts";
import type { Manifest } from "./models/manifest.ts";
import { findUnserved, slotNamed } from "./models/serve-slot.ts";
import { openShelf } from "./models/shelf.ts";

/** The models of a data directory and all that the command line does with them. Nothing is made until something is taken. */
export const openModels = ({ dataDirectory, egress }: Pick<Config, "dataDirectory" | "egress">) => {
  const shelf = openShelf(join(dataDirectory, "models"));
  const [catalogue, blocked] = [readCatalogue(), readBlocked()];
  const examine = makeExamine({ blocked, readFacts: readOnnxFacts, tryNetwork });
  return {
    catalogue,
    shelf,
    examine,
    egress: makeEgress(egress),
    ...makeAcquire({ catalogue, blocked, shelf, examine, clock: () => new Date() }),
  };
};

export type Models = ReturnType<typeof openModels>;

/** Whether this release can put a model of this manifest to work. */
export const isUsable = (manifest: Manifest): boolean => findUnserved(manifest) === undefined;

export {
  choose as chooseModels,
  empty as emptySlot,
  findInCatalogue as findCatalogued,
  remove as removeModels,
  slotNamed,
};
