import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

const note = `/*!
 * Seals pictures to an Idem deployment: \`import { sealToken } from "./sealing.js"\`. Runs in browsers (secure context) and in
 * Node 20 or later, and imports nothing. Written by \`npm run golden\` from src/trust/tokens/seal.ts (Apache-2.0) and two packages:
 *
`;

const licenceOf = async (name: string): Promise<string> => {
  const text = await readFile(at(`node_modules/${name}/LICENSE`), "utf8");
  return [name, ...text.trim().split("\n")].map((line) => ` * ${line}`.trimEnd()).join("\n");
};

/** The sealing module as one file of plain JavaScript, with its dependencies and their licences. */
export const writeSealingModule = async (): Promise<string> => {
  const bundle = await rolldown({ input: at("src/trust/tokens/seal.ts"), logLevel: "warn" });
  const licences = await Promise.all(["@hpke/core", "@hpke/common"].map(licenceOf));
  const banner = `${note}${licences.join("\n *\n")}\n */`;
  const { output } = await bundle.generate({ format: "esm", banner, comments: false });
  await bundle.close();
  return output[0].code;
};
