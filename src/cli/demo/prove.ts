import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import { CommandError } from "../command.ts";
import type { Client } from "../kit/service/client.ts";

/** What the verification of a bundle printed, without anything of the service at hand. */
export type Proven = { readonly isValid: boolean; readonly bytes: number; readonly lines: readonly string[] };

const exported = makeCheck(Type.Object({ bundle: Type.String(), bytes: Type.Integer() }));

const program = fileURLToPath(new URL("../idem.ts", import.meta.url));

/**
 * Exports the evidence bundle of an operation and verifies it as a receiver does: in a process without
 * settings, data or keys of the service, with the bundle and the root certificates alone.
 */
export const prove = async (client: Client, directory: string, operationId: string): Promise<Proven> => {
  const { status, body } = await client.get(`/operator/operations/${operationId}/evidence`);
  if (status !== 200 || !exported.Check(body)) {
    throw new CommandError(
      `The evidence of ${operationId} answered ${status}: ${JSON.stringify(body).slice(0, 400)}`,
    );
  }
  const receiver = await mkdtemp(join(tmpdir(), "idem-receiver-"));
  try {
    const [bundle, roots] = [join(receiver, "bundle.pdf"), join(receiver, "roots.pem")];
    await writeFile(bundle, Buffer.from(body.bundle, "base64"));
    const written = await run(["evidence", "roots", "--out", roots], directory);
    if (written.code !== 0) throw new CommandError(written.text);
    const { code, text } = await run(
      ["evidence", "verify", bundle, "--roots", roots],
      join(receiver, "none"),
    );
    return { isValid: code === 0, bytes: body.bytes, lines: text.trimEnd().split("\n") };
  } finally {
    await rm(receiver, { recursive: true, force: true });
  }
};

/** Runs `idem` with a data directory and no other setting. */
const run = (args: readonly string[], directory: string): Promise<{ code: number; text: string }> =>
  new Promise((resolve) => {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("IDEM_"));
    const env = { ...Object.fromEntries(inherited), IDEM_DATA: directory };
    execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, text: stdout === "" ? stderr : stdout });
    });
  });
