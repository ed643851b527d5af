/**
 * Opens and signs mutated PDFs, the same for the same seed: `node lab/scripts/mutate-pdfs.ts [COUNT] [SEED]`.
 * Ends with 1 where one of them gives an error that is no declared failure.
 */

import { endWithHelp } from "../../scripts/help.ts";
import { survive } from "../../test/support/signing/pdf/survive.ts";

endWithHelp(import.meta.filename);

const [count = "10000", seed = "1"] = process.argv.slice(2);
const result = await survive(Number(count), Number(seed));
console.log(JSON.stringify(result, undefined, 2));
process.exitCode = result.errors.length === 0 ? 0 : 1;
