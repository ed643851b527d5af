/** Composition of the models of documents: those that ship, and an operator's own. */
import type { Config } from "./config.ts";
import {
  type DocumentModels,
  type OwnModels,
  readDocumentModels,
  readModelsWith,
} from "./document/models/read-models.ts";

/** Throws Error with the reason for a folder that cannot be read, or that holds a model which cannot be used. */
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
