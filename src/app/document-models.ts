/** Composition of the document models: the models that ship, and the operator's own. */

import {
  catalogue,
  type DocumentModels,
  findShippedModels,
  generated,
} from "#judging/document/decision/models/catalogue";
import type { OwnModels } from "#judging/document/decision/models/read-models";
import type { Config } from "#machine/config/config";

/** Throws Error with the reason for an unreadable folder, or for a model in it that is invalid. */
export const openDocumentModels = async ({
  validation: { modelsFolder },
}: Pick<Config, "validation">): Promise<DocumentModels & { readonly own?: OwnModels }> => {
  const shipped = modelsFolder === undefined ? findShippedModels(catalogue, generated) : undefined;
  if (shipped !== undefined) return shipped;
  // The reader of YAML, and the checks of a model.
  const { readDocumentModels, readModelsWith } = await import(
    "#judging/document/decision/models/read-models"
  );
  if (modelsFolder === undefined) return readDocumentModels();
  try {
    return readModelsWith(modelsFolder);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`IDEM_DOCUMENT_MODELS names ${modelsFolder}: ${reason}`, { cause });
  }
};
