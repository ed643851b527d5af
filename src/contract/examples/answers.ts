import { readFileSync } from "node:fs";
import { exampleToken } from "../example.ts";
import type { Json } from "../json.ts";

const file = new URL("./answers.generated.json", import.meta.url);

/**
 * What a fresh service answered to each example call, by its name. Written by
 * `node scripts/example-answers.ts`; a test compares it with the answers of a service.
 */
export const exampleAnswers: Readonly<Record<string, Json>> = JSON.parse(readFileSync(file, "utf8"));

/**
 * Replaces a PDF in Base64 in a recorded answer: the first line of the file. A signed page has a hundred
 * kilobytes, which no reader of the specification reads.
 */
export const firstLineOfPdf = Buffer.from("%PDF-1.7\n").toString("base64");

/** Replaces a registered template in a recorded answer. A template has some 6 kB. */
export const exampleTemplate = exampleToken("template");
