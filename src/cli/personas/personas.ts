import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { routes } from "#contract/routes";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { personas as catalogue } from "#sandbox/personas/catalogue/catalogue";
import { countJudged } from "#sandbox/personas/coverage";
import { type DrawImage, makeDrawImage } from "#sandbox/personas/image-cache";
import { judgedBy, type Persona } from "#sandbox/personas/persona";
import { makeDrawPersona } from "#sandbox/specimen/persona-images";
import { parseOptions, print, type Run, say, suggestion, UsageError, wrongAction } from "../command.ts";
import { makeDirectory } from "../kit/make-directory.ts";

export const runPersonas: Run = async ([verb, ...args]) => {
  if (verb === "list") return list(args);
  if (verb === "download") return await download(args);
  throw wrongAction("personas", verb, ["list", "download"]);
};

const list = (args: readonly string[]): number => {
  const { values } = parseOptions(args, { json: { type: "boolean", default: false } });
  for (const persona of catalogue) print(values.json ? inJson(persona) : inLine(persona));
  const { engines, steered } = countJudged(catalogue);
  say(`${catalogue.length} personas: the engines judge ${engines}, marks and ids steer ${steered}.`);
  return 0;
};

const inJson = (persona: Persona): string => {
  const { name, story, produces, images, calls } = persona;
  return JSON.stringify({
    name,
    story,
    judgedBy: judgedBy(persona),
    produces,
    images: Object.keys(images),
    routes: calls.map(({ route }) => route),
  });
};

const inLine = (persona: Persona): string => {
  const produced = persona.produces.map(({ table, value }) => `${table}=${value}`).join(" ");
  return `${persona.name.padEnd(34)}  ${judgedBy(persona).padEnd(7)}  ${produced}`;
};

const download = async (args: readonly string[]): Promise<number> => {
  const { values, positionals } = parseOptions(args, { out: { type: "string" } }, true);
  if (values.out === undefined) throw new UsageError("Name a folder: idem personas download --out DIR");
  const wanted = positionals.length === 0 ? catalogue : positionals.map(findPersona);
  const drawImage = makeDrawImage(makeDrawPersona(makeImaging({ limits: defaultImagingLimits })));
  for (const [at, persona] of wanted.entries()) {
    say(`${at + 1} of ${wanted.length}: ${persona.name}`);
    await write(values.out, persona, drawImage);
  }
  return 0;
};

const findPersona = (name: string): Persona => {
  const persona = catalogue.find((one) => one.name === name);
  if (persona !== undefined) return persona;
  const names = catalogue.map((one) => one.name);
  throw new UsageError(
    `There is no persona "${name}".${suggestion(name, names)} List them: idem personas list`,
  );
};

const jpegStart = 0xff;

const write = async (directory: string, persona: Persona, drawImage: DrawImage): Promise<void> => {
  const folder = join(directory, persona.name);
  await makeDirectory(folder);
  for (const [name, { drawing }] of Object.entries(persona.images)) {
    const bytes = await drawImage({ drawing, persona: persona.name }, name);
    const file = join(folder, `${name}.${bytes[0] === jpegStart ? "jpg" : "png"}`);
    await writeFile(file, bytes);
    print(file);
  }
  const file = join(folder, "calls.json");
  await writeFile(file, `${JSON.stringify(callsOf(persona), null, 2)}\n`);
  print(file);
};

/** The calls with their paths. Fields name images; `{run}` stands for an id of your own. */
const callsOf = ({ calls }: Persona) =>
  calls.map(({ route, ...call }) => {
    const found = routes.find(({ name }) => name === route);
    return { ...call, method: found?.method, path: found?.path };
  });
