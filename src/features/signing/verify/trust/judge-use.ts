import type { Certificate } from "#trust/asn1/certificate";
import { oids } from "#trust/asn1/oids";

/** The purpose that the authorities above a time-stamp must allow. */
export const stampPurposes: ReadonlySet<string> = new Set([oids.timeStamping]);

/** Whether a key is for time-stamps: the extension is critical and names this one purpose (RFC 3161, 2.3). */
export const isForStamps = ({
  extensions,
  purposes,
}: Pick<Certificate, "extensions" | "purposes">): boolean =>
  extensions.get(oids.extendedKeyUsage)?.isCritical === true &&
  purposes?.length === 1 &&
  purposes[0] === oids.timeStamping;
