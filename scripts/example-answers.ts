/**
 * Sends every example of the specification to a fresh service and writes its answers to
 * src/contract/examples/answers.generated.json. An answer that differs only in ids, times and small
 * differences of measurements is not written anew. A PDF of an answer is shortened to its first line; an API
 * key and a template are replaced. Run `npm run golden` afterwards.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startService } from "#cli/kit/service/service-process";
import { looksLikeApiKey } from "#contract/api-key";
import { exampleTemplate, firstLineOfPdf } from "#contract/examples/answers";
import { exampleCalls, exampleSettings } from "#contract/examples/calls";
import { exampleKey } from "#contract/key.routes";
import { differencesOf } from "./examples/answer-differences.ts";
import { runCalls } from "./examples/run-calls.ts";
import { endWithHelp } from "./help.ts";

endWithHelp(import.meta.filename);

const file = new URL("../src/contract/examples/answers.generated.json", import.meta.url);
const former: Readonly<Record<string, unknown>> = JSON.parse(await readFile(file, "utf8"));

/**
 * Magic, version and kind of a template token (docs/decisions/0003-token-envelope.md): these characters hold
 * 42 bits.
 */
const templateStart = exampleTemplate.slice(0, 7);

const shortenText = (text: string): string => {
  if (text.startsWith(firstLineOfPdf)) return firstLineOfPdf;
  if (looksLikeApiKey(text)) return exampleKey;
  return text.startsWith(templateStart) ? exampleTemplate : text;
};

const shorten = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (_, value: unknown) =>
    typeof value === "string" ? shortenText(value) : value,
  );

const directory = await mkdtemp(join(tmpdir(), "idem-examples-"));
const service = await startService(directory, {
  IDEM_LOG_LEVEL: "error",
  IDEM_PUBLIC_URL: "https://idem.example.com",
  ...exampleSettings,
});
try {
  const answers = await runCalls(service, exampleCalls);
  const written = [...answers].map(([name, { status, body }]) => {
    if (status !== 200) throw new Error(`${name} answers ${status}: ${JSON.stringify(body)}`);
    const shown = shorten(body);
    const differences = differencesOf(former[name], shown);
    for (const difference of differences) console.log(`${name} ${difference}`);
    return [name, differences.length === 0 ? former[name] : shown] as const;
  });
  await writeFile(file, `${JSON.stringify(Object.fromEntries(written), null, 2)}\n`);
} finally {
  await service.stop();
  await rm(directory, { recursive: true, force: true });
}
