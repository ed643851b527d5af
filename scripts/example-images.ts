/**
 * Draws the images of the specification's examples and writes them to
 * src/contract/examples/images.generated.json. Run `node scripts/example-answers.ts` and `npm run golden`
 * afterwards.
 */
import { writeFile } from "node:fs/promises";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { drawExamples } from "#sandbox/specimen/example-images";
import { endWithHelp } from "./help.ts";

endWithHelp(import.meta.filename);

const drawn = await drawExamples(makeImaging({ limits: defaultImagingLimits }));
const texts = Object.entries(drawn).map(([name, bytes]: readonly [string, Uint8Array]) => {
  console.log(`${name}: ${bytes.length} bytes`);
  return [name, Buffer.from(bytes).toString("base64")] as const;
});
const file = new URL("../src/contract/examples/images.generated.json", import.meta.url);
await writeFile(file, `${JSON.stringify(Object.fromEntries(texts), null, 2)}\n`);
