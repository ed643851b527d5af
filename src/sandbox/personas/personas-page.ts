import { countJudged, sentValues } from "./coverage.ts";
import { judgedBy, type Persona } from "./persona.ts";

const producedOf = ({ produces }: Persona): string => {
  const byTable = new Map<string, (string | number)[]>();
  for (const { table, value } of produces) byTable.set(table, [...(byTable.get(table) ?? []), value]);
  return [...byTable].map(([table, values]) => `${table} ${values.join(", ")}`).join("; ");
};

const rowOf = (persona: Persona): string => {
  const calls = persona.calls.map(({ route }) => `\`${route}\``).join(", ");
  const steered = persona.steeredBy === undefined ? "steered" : `steered: ${persona.steeredBy}`;
  const who = judgedBy(persona) === "engines" ? "engines" : steered;
  return `| \`${persona.name}\` | ${persona.story} | ${producedOf(persona)} | ${calls} | ${who} |`;
};

/** The page of every persona, in Markdown, as links from the folder api/ need it. */
export const writePersonasPage = (personas: readonly Persona[]): string => {
  const { engines, steered } = countJudged(personas);
  return [
    "# Personas",
    "",
    "Written by `npm run golden` from `src/sandbox/personas/catalogue/`. A persona is a subject of tests for test keys: drawn images with",
    "ready calls, which produce promised codes of the interface. [Personas](../docs/guides/start/sandbox.md#personas) says how to use them.",
    "",
    `${personas.length} personas produce ${sentValues.length} values of code tables. The engines judge ${engines} of them; ${steered} are steered.`,
    "",
    "| Persona | What it shows | Produces | Calls | Judged by |",
    "|---|---|---|---|---|",
    ...personas.map(rowOf),
    "",
  ].join("\n");
};
