/**
 * Events on their whole way: from a call over the store and a delivery to the mailbox, its commands and a
 * receiver.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { triggeredEvents } from "#contract/mailbox.routes";
import { verifyEvent, verifyWebhook } from "#record/events/verify-event";
import { runIdem } from "./harness/run-idem.ts";
import { environmentOf, program } from "./harness/service.ts";
import { findFirstTenant, type Tenant } from "./harness/tenant.ts";

/** The commands take the key of the first start, which stands in the data directory. */
let service: Tenant;
beforeAll(async () => {
  service = await findFirstTenant();
});

/** The words of a command that calls the service, and its variables. */
const called = (args: readonly string[]) => ({
  words: [...args, "--url", service.url],
  variables: { IDEM_DATA: service.directory },
});

/** A command in a process of its own, its lines as they come. */
const run = (...args: readonly string[]) => {
  const { words, variables } = called(args);
  const child = spawn(process.execPath, [program, ...words], { env: environmentOf(variables) });
  const lines: string[] = [];
  const said: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  createInterface({ input: child.stderr }).on("line", (line) => said.push(line));
  return { child, lines, said, ended: once(child, "exit") };
};

/** Runs a command to its end and returns its last line. */
const result = async (...args: readonly string[]): Promise<string> => {
  const { words, variables } = called(args);
  const { code, stdout, stderr } = await runIdem(words, variables);
  expect(code, stderr).toBe(0);
  return stdout.trim().split("\n").at(-1) ?? "";
};

/** Starts a command that follows the mailbox, and waits until it does. */
const follow = async (...args: readonly string[]) => {
  const command = run(...args);
  onTestFinished(async () => {
    command.child.kill("SIGTERM");
    await command.ended;
  });
  await expect.poll(() => command.said.join("\n"), { timeout: 60_000 }).toMatch(/Ctrl-C ends/u);
  return command;
};

it("prints every event of an operation as it arrives, verified", async () => {
  const tail = await follow("events", "tail", "--from-start", "--operation", "case-1");
  for (const name of triggeredEvents) {
    expect(await result("events", "trigger", name, "--operation", "case-1")).toBe("case-1");
  }
  await result("events", "trigger", "operation_started", "--operation", "another");
  await expect.poll(() => tail.lines.length, { timeout: 30_000 }).toBe(triggeredEvents.length);
  const shown = tail.lines
    .map((line) => line.split(/\s+/u).slice(1))
    .toSorted((a, b) => Number(a[1]) - Number(b[1]));
  expect(shown).toEqual(
    triggeredEvents.map((name, index) => [name, String(index + 1), "case-1", "verified"]),
  );
});

it("relays events to a receiver on this machine, which verifies them with the secret that was shown", async () => {
  const received: (readonly [body: string, headers: Record<string, string | string[] | undefined>])[] = [];
  const receiver = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      received.push([body, request.headers]);
      response.writeHead(204).end();
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void receiver.close());
  await once(receiver, "listening");
  const address = receiver.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const { destinations } = await ask("GET", "/operator/destinations");
  const { secret } = await ask(
    "POST",
    `/operator/destinations/${destinations[0].destinationId}/rotate-secret`,
    {},
  );
  const listen = await follow("listen", "--forward", `http://127.0.0.1:${port}/webhook`);
  const operation = await result("events", "trigger", "operation_finished");
  await expect.poll(() => listen.lines.length, { timeout: 30_000 }).toBe(2);
  expect(listen.lines.every((line) => line.endsWith("verified  → 204"))).toBe(true);
  for (const [body, headers] of received) {
    const event = await verifyWebhook({ body, headers, secrets: [secret] });
    expect(await verifyEvent(body, [secret])).toEqual(event);
    expect(event["source"]).toBe(`/operations/${operation}`);
  }
});

it("refuses a receiver on another machine, an unknown event and a wrong key, each with the next step", async () => {
  const refused = async (...args: readonly string[]) => {
    const { words, variables } = called(args);
    const { code, stderr } = await runIdem(words, variables);
    return [code, stderr];
  };
  const [forward, name] = await Promise.all([
    refused("listen", "--forward", "https://example.org/hook"),
    refused("events", "trigger", "id_capture"),
  ]);
  expect(forward).toEqual([2, expect.stringContaining("Use an http address on this machine")]);
  expect(name).toEqual([2, expect.stringContaining("Did you mean id_captured?")]);
  const live = await fetch(`${service.url}/operator/mailbox`, {
    headers: { "x-api-key": "idem_test_wrong" },
  });
  expect(live.status).toBe(401);
});

/** A call with the key of the tenant. */
const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await fetch(service.url + path, {
    method,
    headers: { "x-api-key": service.apiKey, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(answer.status).toBe(200);
  return await answer.json();
};
