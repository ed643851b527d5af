import { UsageError } from "../command.ts";
import { optionLines, type Words } from "../kit/action.ts";
import { serviceOptions } from "../kit/service/service-options.ts";

const localHosts = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Events hold personal data: they leave this machine only by a destination, which the operator's rules cover.
 */
const targetOf = (given: string): URL => {
  const target = URL.parse(given);
  if (target !== null && (target.username !== "" || target.password !== ""))
    throw new UsageError("--forward holds a user name or a password, which cannot be sent. Leave them out");
  if (target === null || target.protocol !== "http:" || !localHosts.includes(target.hostname)) {
    throw new UsageError(
      `--forward is ${JSON.stringify(given)}. Use an http address on this machine: ${localHosts.join(", ")}. Other receivers are destinations (idem webhooks).`,
    );
  }
  return target;
};

const options = {
  forward: {
    type: "string",
    needed: "Name the receiver: idem listen --forward http://127.0.0.1:3000/webhook",
    read: targetOf,
    says: "http address on this machine, such as http://127.0.0.1:3000/webhook",
  },
  ...serviceOptions("of the test environment and the scope webhook"),
} as const;

export const listen = {
  help: `Usage: idem listen --forward URL [--url URL] [--key-from NAME]

Sends each event of the test environment that arrives at the mailbox to the URL, with its own headers and bytes, so that a
receiver on this machine can verify it. Ends with Ctrl-C. Makes a destination for the mailbox where there is none. The secret
that signs is that of this destination: POST /operator/destinations/{destinationId}/rotate-secret answers a new one, and idem
webhooks rotate-secret prints one while no embedded service runs.

${optionLines(options)}`,
  options,
} as const satisfies Words;
