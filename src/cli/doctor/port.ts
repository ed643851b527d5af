import type { Config } from "#machine/config/config";
import { type Finding, finding } from "../kit/finding.ts";
import type { Listener } from "../kit/service/listener.ts";

/** `isOurs`: whether the service there uses the configured store; undefined where the store cannot answer. */
export const checkPort = (config: Config, listener: Listener, isOurs: boolean | undefined): Finding => {
  const { host, port } = config.http;
  const taken = (by: string): Finding =>
    finding("port", `${port} is taken by ${by}`, "Stop it, or set IDEM_PORT to another port.");
  if (listener.kind === "none") {
    return finding("port", `${port} on ${host} is free`);
  }
  if (listener.kind === "closed") {
    return finding("port", `${port} on ${host} cannot be opened`, listener.why);
  }
  if (listener.kind === "program") {
    return taken("another program");
  }
  if (isOurs === undefined) {
    return taken("Idem; the store does not answer whether it is this deployment");
  }
  return isOurs
    ? finding("port", `${port} is served by this deployment`)
    : taken("another deployment of Idem");
};
