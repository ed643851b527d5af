/** Composition of the document models: the models that ship, and the operator's own. */

import {
  type DocumentModels,
  type OwnModels,
  readDocumentModels,
  readModelsWith,
} from "#judging/document/decision/models/read-models";
import type { Config } from "#machine/config/config";

/** Throws Error with the reason for an unreadable folder, or for a model in it that is invalid. */
export const openDocumentModels = ({
  validation: { modelsFolder },
}: Pick<Config, "validation">): DocumentModels & { readonly own?: OwnModels } => {
  if (modelsFolder === undefined) return readDocumentModels();
  try {
    return readModelsWith(modelsFolder);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`IDEM_DOCUMENT_MODELS names ${modelsFolder}: ${reason}`, { cause });
  }
};
