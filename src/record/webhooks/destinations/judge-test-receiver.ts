import type { Caller } from "#contract/endpoint";

/**
 * The reason why a key of an environment may not reach a URL; undefined for an acceptable one. Without an
 * environment the rules for both are judged.
 */
export type JudgeReceiver = (url: string, environment?: Caller["environment"]) => string | undefined;

/** As one host is written in a list and in a URL: `Hooks.example.com.`, `[::1]`. */
const bareHost = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");

/** Test keys reach the listed hosts alone. Absent list: every receiver that outgoing calls may reach. */
export const makeJudgeTestReceiver = (hosts: readonly string[] | undefined): JudgeReceiver => {
  if (hosts === undefined) return () => undefined;
  const listed: ReadonlySet<string> = new Set(hosts.map(bareHost));
  return (url, environment) => {
    if (environment !== "test") return undefined;
    const host = bareHost(URL.parse(url)?.hostname ?? "");
    return listed.has(host)
      ? undefined
      : `IDEM_TEST_RECEIVERS does not name ${host}, so no test key reaches it`;
  };
};
