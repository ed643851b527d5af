/** Composition of the document policy: the defaults, and what the operator's file says in their place. */
import { readFile } from "node:fs/promises";
import type { Config } from "./config.ts";
import { type DocumentPolicy, defaultDocumentPolicy } from "./document/policy.ts";
import { changeDocumentPolicy } from "./document/policy-file.ts";

/** Throws Error with the reason for a file that cannot be read or says what is no rule. */
export const readDocumentPolicy = async ({
  validation: { policyFile },
}: Pick<Config, "validation">): Promise<DocumentPolicy> => {
  if (policyFile === undefined) return defaultDocumentPolicy;
  try {
    return changeDocumentPolicy(defaultDocumentPolicy, await readFile(policyFile, "utf8"));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`IDEM_DOCUMENT_POLICY names ${policyFile}: ${reason}`, { cause });
  }
};
