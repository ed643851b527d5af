// Measures the cost of the HTTP layer: CPU time of this process per call with a Base64 body; the handler only
// decodes it. The caller is another process. Usage: node lab/scripts/measure-http.ts [KB] [calls]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Type } from "typebox";
import { endWithHelp } from "../../scripts/help.ts";
import { hashApiKey, makeApiKey } from "../../src/contract/api-key.ts";
import { decodeBase64 } from "../../src/contract/base64.ts";
import { implement, route } from "../../src/contract/endpoint.ts";
import { makeCallLog } from "../../src/machine/http/log.ts";
import { makeMetrics } from "../../src/machine/http/metrics.ts";
import { buildServer } from "../../src/machine/http/server.ts";

endWithHelp(import.meta.filename);

const kilobytes = Number(process.argv[2] ?? 300);
const calls = Number(process.argv[3] ?? 2_000);
const warmUpCalls = 200;

const measured = route({
  name: "measured",
  method: "POST",
  path: "/measured",
  scope: "face",
  tag: "Measure",
  summary: "Decodes its body",
  request: Type.Object({ image: Type.String() }),
  response: Type.Object({ bytes: Type.Integer() }),
  failures: [],
});
const endpoint = implement(measured, ({ request }) =>
  Promise.resolve({ bytes: decodeBase64("image", request.image, { bytesMax: 1e8 }).length }),
);

const key = makeApiKey("test");
const hash = hashApiKey(key);
const server = buildServer({
  endpoints: [endpoint],
  keys: {
    find: () => Promise.resolve({ id: "k", tenantId: "t", hash, environment: "test", scopes: ["face"] }),
    touch: () => Promise.resolve(),
  },
  metrics: makeMetrics(),
  log: makeCallLog(
    () => undefined,
    () => new Date(),
  ),
  findUnmet: () => Promise.resolve([]),
  readPublicKeys: () => Promise.resolve({}),
  version: "0",
});
const address = await server.listen({ host: "127.0.0.1", port: 0 });

const caller = `
  const [address, key, kilobytes, calls] = process.argv.slice(1);
  const body = JSON.stringify({ image: "A".repeat(Math.floor(kilobytes * 256) * 4) });
  const headers = { "x-api-key": key, "content-type": "application/json" };
  for (let i = 0; i < calls; i++) {
    const answer = await fetch(address + "/measured", { method: "POST", headers, body });
    if (answer.status !== 200) throw new Error(await answer.text());
    await answer.text();
  }`;

const send = async (count: number): Promise<void> => {
  const child = spawn(
    process.execPath,
    ["--input-type=module", "-e", caller, address, key, String(kilobytes), String(count)],
    { stdio: "inherit" },
  );
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error("The caller failed");
};

await send(warmUpCalls);
const before = process.cpuUsage();
await send(calls);
const { user, system } = process.cpuUsage(before);
const perCall = (microseconds: number): number => Math.round(microseconds / calls) / 1000;
console.log(
  JSON.stringify({
    kilobytes,
    calls,
    cpuMsPerCall: perCall(user + system),
    user: perCall(user),
    system: perCall(system),
  }),
);
await server.drain();
