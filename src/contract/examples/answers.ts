import { readFileSync } from "node:fs";
import type { Json } from "../json.ts";

const file = new URL("./answers.generated.json", import.meta.url);

/**
 * What a fresh service answered to each example call, by its name. Written by `node scripts/example-answers.ts`; a test
 * compares it with the answers of a service.
 */
export const exampleAnswers: Readonly<Record<string, Json>> = JSON.parse(readFileSync(file, "utf8"));
