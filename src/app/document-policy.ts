/** Composition of the document policy: the defaults, changed by the operator's files. */
import { readFile } from "node:fs/promises";
import { parseDocumentFusion } from "#judging/document/decision/attacks/fusion-file";
import { type DocumentPolicy, defaultDocumentPolicy } from "#judging/document/decision/policy";
import { changeDocumentPolicy } from "#judging/document/decision/policy-file";
import type { Config } from "#machine/config/config";

/** The document policy in force. Throws Error with the reason for an unreadable file or an invalid rule. */
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
    const fusion = parseDocumentFusion(await readFile(path, "utf8"), attacks);
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
