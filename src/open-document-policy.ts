/** Composition of the document policy: the defaults, and what the operator's file says in their place. */
import { readFile } from "node:fs/promises";
import type { Config } from "./config.ts";
import { parseAttackFusion } from "./document/attacks/fusion-file.ts";
import { type DocumentPolicy, defaultDocumentPolicy } from "./document/policy.ts";
import { changeDocumentPolicy } from "./document/policy-file.ts";

/** Throws Error with the reason for a file that cannot be read or says what is no rule. */
export const readDocumentPolicy = async ({
  validation: { policyFile, attacksFile },
}: Pick<Config, "validation">): Promise<DocumentPolicy> => {
  const own = attacksFile === undefined ? defaultDocumentPolicy : await readAttackFusion(attacksFile);
  if (policyFile === undefined) return own;
  try {
    return changeDocumentPolicy(own, await readFile(policyFile, "utf8"));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`IDEM_DOCUMENT_POLICY names ${policyFile}: ${reason}`, { cause });
  }
};

const readAttackFusion = async (path: string): Promise<DocumentPolicy> => {
  const { attacks, version } = defaultDocumentPolicy;
  try {
    const fusion = parseAttackFusion(await readFile(path, "utf8"), attacks);
    return {
      ...defaultDocumentPolicy,
      version: `${version}+attacks-${fusion.name}`,
      attacks: { ...attacks, fusion },
    };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`IDEM_DOCUMENT_ATTACKS names ${path}: ${reason}`, { cause });
  }
};
