import type { Certificate } from "#asn1/certificate";
import { oids } from "#asn1/oids";

/** Whether a key is for time-stamps: the extension is critical and names this one purpose (RFC 3161, 2.3). */
export const isForStamps = ({
  extensions,
  purposes,
}: Pick<Certificate, "extensions" | "purposes">): boolean =>
  extensions.get(oids.extendedKeyUsage)?.isCritical === true &&
  purposes?.length === 1 &&
  purposes[0] === oids.timeStamping;
