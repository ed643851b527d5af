import { describe, expect, it } from "vitest";
import { EgressError } from "./egress.ts";
import { makeEgress, makeJudgeUrl } from "./make-egress.ts";
import { closedPorts } from "./ports.ts";

const judge = makeJudgeUrl({ allow: ["10.0.0.0/8"] });
const egress = makeEgress({ allow: ["127.0.0.1"] });

/** Written out once more: a number that falls out of the list is noticed. */
const infrastructure = [
  1433, 1521, 3306, 5432, 27_017, 5984, 9042, 9200, 9300, 6379, 26_379, 11_211, 2375, 2376, 2377, 2379, 2380,
  6443, 10_250, 10_255, 8500, 2181, 5672, 9092,
];

describe("the port of a data store, a cache or the control of containers", () => {
  it.each(infrastructure)("%i: no URL with it is stored, public or allowed", (port) => {
    for (const host of ["hooks.example.com", "10.1.2.3", "[2600::1]"]) {
      expect(judge(`https://${host}:${port}/`)).toContain(`Port ${port}`);
    }
  });

  it.each(infrastructure)("%i: no call goes there", async (port) => {
    const failure = await egress(`http://127.0.0.1:${port}/`, { bytesMax: 1 }).catch(
      (error: unknown) => error,
    );
    expect(failure instanceof EgressError && failure.reason).toBe("url_refused");
  });

  it("the ports beside them, and those of web servers, are open", () => {
    const beside = infrastructure
      .flatMap((port) => [port - 1, port + 1])
      .filter((port) => !closedPorts.has(port));
    expect(beside.length).toBeGreaterThan(infrastructure.length / 2);
    for (const port of [...beside, 443, 3000, 3001, 4443, 5000, 8000, 8080, 8443, 8888, 9000, 9443, 10_443]) {
      expect(judge(`https://hooks.example.com:${port}/`), String(port)).toBeUndefined();
    }
  });

  it("no port that a system gives to a client is closed", () => {
    expect(Math.max(...closedPorts)).toBeLessThan(32_768);
  });
});
