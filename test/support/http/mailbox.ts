import { readFile } from "node:fs/promises";
import { mailboxModule, openMailbox } from "#app/mailbox";
import { startServer } from "./harness.ts";

const samples = new URL("../../../examples/events/", import.meta.url);
const tenant = { tenantId: "tenant-1", environment: "test" } as const;

const headersIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]),
  );

/**
 * The server with the mailbox, as the service composes it, and a delivery of each sample that a test names.
 */
export const openMailboxServer = () => {
  let now = new Date();
  const opened = openMailbox(() => now);
  const { endpoints = [], mailbox } = mailboxModule(opened, async () => undefined);
  const harness = startServer({ endpoints, ...(mailbox && { mailbox }) });
  const deliver = async (name: string, change = (body: string) => body) => {
    const [secret, text, body] = await Promise.all(
      ["secret.txt", `${name}.headers`, `${name}.json`].map((file) =>
        readFile(new URL(file, samples), "utf8"),
      ),
    );
    const headers = headersIn(text ?? "");
    now = new Date(Number(headers["webhook-timestamp"]) * 1_000);
    const secrets = [(secret ?? "").trim()];
    return await opened.receive(tenant, { destinationId: "d-1", headers, body: change(body ?? ""), secrets });
  };
  return { ...harness, deliver };
};
