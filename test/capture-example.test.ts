/**
 * The refusals of examples/capture-server.mjs; the capture itself is in e2e/capture-example.browser.test.ts.
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const program = fileURLToPath(new URL("../examples/capture-server.mjs", import.meta.url));

const run = (env: Readonly<Record<string, string>>): Promise<readonly [unknown, string]> =>
  new Promise((resolve) => {
    execFile(process.execPath, [program], { env }, (error, _, stderr) => resolve([error?.code, stderr]));
  });

it("the server of the example does not start without a key", async () => {
  expect(await run({})).toEqual([1, "Set KEY to an API key of Idem with the scope capture.\n"]);
});

it("the server of the example names a port that is taken", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const address = other.address();
  const PORT = String(typeof address === "object" ? address?.port : "");
  expect(await run({ KEY: "x", PORT })).toEqual([
    1,
    `Port ${PORT} cannot be opened (EADDRINUSE). Set PORT to another one.\n`,
  ]);
  other.close();
});
