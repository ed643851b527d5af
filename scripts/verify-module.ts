import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const source = fileURLToPath(new URL("../src/record/events/verify-event.ts", import.meta.url));

const banner = `/*!
 * Verifies workflow events of an Idem deployment: \`import { verifyWebhook } from "./verify-event.js"\`. Runs in Node 20 or later
 * and wherever WebCrypto is, and imports nothing. Written by \`npm run golden\` from src/record/events/verify-event.ts (Apache-2.0).
 */`;

/** The verification for receivers as one file of plain JavaScript. */
export const writeVerifyModule = async (): Promise<string> => {
  const bundle = await rolldown({ input: source, logLevel: "warn" });
  const { output } = await bundle.generate({ format: "esm", banner, comments: false });
  await bundle.close();
  return output[0].code;
};
