import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

const notes = {
  idem: "The capture elements of Idem: <idem-face>, <idem-document>, <idem-flow>. docs/guides/integrate/capture.md",
  "capture-page": "The script of the hosted capture page.",
  "demo-page": "The script of the page of the demo.",
  worker: "The worker of the capture elements. It measures frames, without eval and without WebAssembly.",
} as const;

export type WidgetFile = keyof typeof notes;

const licencesOf = async (name: WidgetFile): Promise<string> => {
  if (name !== "idem") return "";
  const text = await readFile(at("node_modules/uqr/LICENSE"), "utf8");
  return ["", "uqr", ...text.trim().split("\n")]
    .map((line) => ` * ${line}`.trimEnd())
    .join("\n")
    .concat("\n");
};

/** A file of the capture elements as plain JavaScript for browsers, with the licences of what is in it. */
export const writeWidgetModule = async (name: WidgetFile): Promise<string> => {
  const bundle = await rolldown({ input: at(`widget/${name}.ts`), logLevel: "warn" });
  const banner = `/*!\n * ${notes[name]}\n * Written by \`npm run golden\` from widget/ (Apache-2.0).\n${await licencesOf(name)} */`;
  const { output } = await bundle.generate({ format: "esm", banner, comments: false, minify: true });
  await bundle.close();
  if (output.length !== 1) throw new Error(`widget/${name}.ts became ${output.length} files`);
  return output[0].code;
};
