import type { Config } from "#machine/config/config";
import { makeEgress } from "#machine/egress/make-egress";
import { openSigner } from "#trust/signers/open-signer";
import { type Finding, finding, orRed } from "../kit/finding.ts";

const dayMs = 86_400_000;

const authoritiesOf = ({ timestamps }: Config): string =>
  timestamps === undefined
    ? "the embedded time-stamp authority"
    : `time-stamps of ${timestamps.authorities.map(({ url }) => new URL(url).host).join(", ")}`;

/** The signer: opens it as a start does. The keys of the development authority are not made here. */
export const checkSigner = async (config: Config): Promise<Finding> =>
  await orRed("signer", "it cannot be used: the service does not start", async () => {
    const { signer: wanted, level } = config.signing;
    if (wanted.kind === "none") return finding("signer", "none: no document is signed");
    const rest = `level ${level}, ${authoritiesOf(config)}`;
    if (wanted.kind === "development") return finding("signer", `the development authority, ${rest}`);
    const now = Date.now();
    const { subject, validTo, judge } = await openSigner(wanted, { egress: makeEgress(config.egress) });
    const days = Math.floor((validTo - now) / dayMs);
    const fault = judge(now);
    const advice = fault && `Name another certificate: ${fault.words}. See idem signer check.`;
    return finding("signer", `${subject} (${wanted.kind}), ${days} days left, ${rest}`, advice);
  });
